import type { Server } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** Reserves a slot for the caller; returns a promise of the end of its previous slot, undefined if there is none. */
export type SlotWaiter = (caller: string) => Promise<void> | undefined;

const maxDelayTurns = 100; // maximum number of event-loop turns by which new connections may delay a caller

/** Gives each caller one event-loop turn at a time, so that many requests of one caller do not delay others. */
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
