import type { Server } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** Waits for the caller's next turn of the event loop; undefined if it has none yet. */
export type SlotWaiter = (caller: string) => Promise<void> | undefined;

/** Maximum of turns of the event loop by which new connections may delay a caller. */
const mostPutOff = 100;

/** Gives each caller one turn of the event loop at a time, so that many requests delay nobody else. */
export function createSlotWaiter(server: Server): SlotWaiter {
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  const nextSlot = async () => {
    await setImmediate();
    // libuv accepts one connection a turn: while connections arrive no turn is given, so that each is read soon.
    let previousConnections = -1;
    for (let delays = 0; delays < mostPutOff && previousConnections !== connections; delays += 1) {
      previousConnections = connections;
      await setImmediate();
    }
  };
  const slots = new Map<string, Promise<void>>();
  return (caller) => {
    const former = slots.get(caller);
    const slot = Promise.resolve(former).then(nextSlot);
    slots.set(caller, slot);
    void slot.then(() => slots.get(caller) === slot && slots.delete(caller));
    return former;
  };
}
