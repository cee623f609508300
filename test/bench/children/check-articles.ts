import { performance } from 'node:perf_hooks';
import { check } from '../../../src/questions/check.ts';
import { openMirror } from '../../../src/store/open.ts';
import { report } from '../child.ts';

const mirror = openMirror(process.argv[2]!);

/** Milliseconds in which an article of 340,000 characters is checked. */
function timeOf(article: string): number {
  const begin = performance.now();
  check.read(mirror, { q: article, article: true, limit: 1 }, {} as never);
  return Math.round(performance.now() - begin);
}

const sentence = timeOf('la censure et les 305 voix de ceux qui '.repeat(9000));
const passages = timeOf('« quatre mots très courts »\n\n'.repeat(100).concat('une ligne sans rien\n'.repeat(16_000)));
mirror.close();
report({ sentence, passages });
