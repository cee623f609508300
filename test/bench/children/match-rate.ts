import { performance } from 'node:perf_hooks';
import { matchName } from '../../../src/names/match.ts';
import { openMirror } from '../../../src/store/open.ts';
import { readSnapshot } from '../../../src/store/transaction.ts';
import { variantsOf } from '../../eval/name-variants.ts';
import { createRandom } from '../../helpers/random.ts';
import { report } from '../child.ts';

const mirror = openMirror(process.argv[2]!);
const random = createRandom(18);
const ways = Object.values(variantsOf);
const written = mirror
  .column<string>("SELECT name FROM record WHERE kind = 'politician' ORDER BY id LIMIT 3000")
  .all()
  .map((name) => random.pick(ways)(name, random));

/** Names a second, each looked for once. */
function rateOf(look: (name: string) => unknown): number {
  const begin = performance.now();
  readSnapshot(mirror, () => {
    for (const name of written) look(name);
  });
  return (written.length / (performance.now() - begin)) * 1000;
}

const scan = mirror.column<string>("SELECT key FROM record WHERE kind = 'politician' AND name = ?");
const matchedPerSecond = rateOf((name) => matchName(mirror, { name, kinds: ['politician'] }, 5));
const scanned = rateOf((name) => scan.all(name));
mirror.close();
report({
  names: written.length,
  matchedPerSecond: Math.round(matchedPerSecond),
  scanned: Math.round(scanned),
});
