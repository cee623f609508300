import { performance } from 'node:perf_hooks';
import { check } from '../../../src/questions/check.ts';
import { openMirror } from '../../../src/store/open.ts';
import { report } from '../child.ts';

// Prints the wall time of a check of two articles of about 340,000 characters each, in ms.
const mirror = openMirror(process.argv[2]!);

function checkMs(article: string): number {
  const startedAt = performance.now();
  check.read(mirror, { q: article, article: true, limit: 1 }, {} as never);
  return Math.round(performance.now() - startedAt);
}

const oneSentence = 'la censure et les 305 voix de ceux qui '.repeat(9000);
const quotations = '« quatre mots très courts »\n\n'.repeat(100);
const plainLines = 'une ligne sans rien\n'.repeat(16_000);
const oneSentenceMs = checkMs(oneSentence);
const manyLinesMs = checkMs(quotations.concat(plainLines));
mirror.close();
report({ oneSentenceMs, manyLinesMs });
