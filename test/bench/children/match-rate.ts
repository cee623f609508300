import { performance } from 'node:perf_hooks';
import { matchName } from '../../../src/names/match.ts';
import { openMirror } from '../../../src/store/open.ts';
import { readSnapshot } from '../../../src/store/transaction.ts';
import { variantsOf } from '../../eval/name-variants.ts';
import { createRandom } from '../../helpers/random.ts';
import { report } from '../child.ts';

// Prints how many spelling variants of politicians' names are looked up per second: by matching, and by a table scan.
const mirror = openMirror(process.argv[2]!);
const random = createRandom(18);
const variantFunctions = Object.values(variantsOf);
const variants = mirror
  .column<string>("SELECT name FROM record WHERE kind = 'politician' ORDER BY id LIMIT 3000")
  .all()
  .map((name) => random.pick(variantFunctions)(name, random));

/** Names per second, each looked up once. */
function rateOf(lookUp: (name: string) => unknown): number {
  const startedAt = performance.now();
  readSnapshot(mirror, () => {
    for (const name of variants) lookUp(name);
  });
  return (variants.length / (performance.now() - startedAt)) * 1000;
}

const equalNames = mirror.column<string>("SELECT key FROM record WHERE kind = 'politician' AND name = ?");
const matchesPerSecond = rateOf((name) => matchName(mirror, { name, kinds: ['politician'] }, 5));
const scansPerSecond = rateOf((name) => equalNames.all(name));
mirror.close();
report({
  names: variants.length,
  matchesPerSecond: Math.round(matchesPerSecond),
  scansPerSecond: Math.round(scansPerSecond),
});
