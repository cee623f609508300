import type { Server } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** Waits for the caller's next turn of the event loop; undefined if it has none yet. */
export type SlotWaiter = (caller: string) => Promise<void> | undefined;

/** Maximum of turns of the event loop by which new connections may delay a caller. */
const maxDelayTurns = 100;

/** Gives each caller one turn of the event loop at a time, so that many requests delay nobody else. */
export function createSlotWaiter(server: Server): SlotWaiter {
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  const waitForTurn = async () => {
    await setImmediate();
    // libuv accepts one connection per turn. While connections arrive, wait, so that each is accepted soon.
    let previousConnections = -1;
    for (let delays = 0; delays < maxDelayTurns && previousConnections !== connections; delays += 1) {
      previousConnections = connections;
      await setImmediate();
    }
  };
  const slotsByCaller = new Map<string, Promise<void>>();
  return (caller) => {
    const previousSlot = slotsByCaller.get(caller);
    const slot = Promise.resolve(previousSlot).then(waitForTurn);
    slotsByCaller.set(caller, slot);
    void slot.then(() => slotsByCaller.get(caller) === slot && slotsByCaller.delete(caller));
    return previousSlot;
  };
}
