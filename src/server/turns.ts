import type { Server } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** Waits for the caller's next turn of the event loop; undefined if it has none yet. */
export type Turns = (caller: string) => Promise<void> | undefined;

/** Most turns of the event loop that connections may put a caller's next off. */
const mostPutOff = 100;

/**
 * Gives each caller one turn of the event loop at a time: many requests at once hold up nobody else. Nor do many connections:
 * libuv accepts one a turn, and while they come no next turn is given, so that whoever stands behind them is soon heard.
 */
export function createTurns(server: Server): Turns {
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  const nextTurn = async () => {
    await setImmediate();
    for (let left = mostPutOff, seen = -1; left > 0 && seen !== connections; left -= 1) {
      seen = connections;
      await setImmediate();
    }
  };
  const turns = new Map<string, Promise<void>>();
  return (caller) => {
    const former = turns.get(caller);
    const turn = Promise.resolve(former).then(nextTurn);
    turns.set(caller, turn);
    void turn.then(() => turns.get(caller) === turn && turns.delete(caller));
    return former;
  };
}
