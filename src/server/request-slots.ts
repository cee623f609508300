import type { Server } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** Waits for the caller's next turn of the event loop; undefined if it has none yet. */
export type SlotWaiter = (caller: string) => Promise<void> | undefined;

/** Most turns of the event loop that connections may put a caller's next off. */
const mostPutOff = 100;

/**
 * Gives each caller one turn of the event loop at a time: many requests at once hold up nobody else. Nor do many connections:
 * libuv accepts one a turn, and while they come no next turn is given, so that whoever stands behind them is soon heard.
 */
export function createSlotWaiter(server: Server): SlotWaiter {
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  const nextSlot = async () => {
    await setImmediate();
    for (
      let remaining = mostPutOff, previousConnections = -1;
      remaining > 0 && previousConnections !== connections;
      remaining -= 1
    ) {
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
