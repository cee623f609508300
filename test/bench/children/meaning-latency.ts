import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { proseTokens } from '../../../src/language/prose.ts';
import { parseQuery } from '../../../src/language/query.ts';
import { kindOf } from '../../../src/model/kinds.ts';
import { openMirror, openWritableMirror } from '../../../src/store/open.ts';
import {
  beginEmbedding,
  finishEmbedding,
  nextTextsToEmbed,
  saveVectors,
} from '../../../src/store/search/embeddings.ts';
import { nearestRecords } from '../../../src/store/search/meaning.ts';
import { rankByAnyWord } from '../../../src/store/search/word-ranking.ts';
import { findImportFiles, importFiles } from '../../../src/sync/import.ts';
import { createRandom, seedOf } from '../../helpers/random.ts';
import { report } from '../child.ts';
import { generateContent } from '../generate.ts';
import { median } from '../trial.ts';

// Prints wall times in ms over generated records: nearest vectors beside a loop over all vectors, and lexical expansion
// beside bm25 of any word.
const folder = process.argv[2]!;
const recordCount = 100_000;
const dimensions = 256;
const queryCount = 60;
const model = 'random';
const scope = { kinds: [kindOf('content')] };
const random = createRandom(seedOf('VECTORS_SEED'));
const randomVector = () => Array.from({ length: dimensions }, () => random.integer(2001) - 1000);

await generateContent(folder, recordCount);
const path = join(folder, 'meaning.db');
const writable = openWritableMirror(path);
await importFiles(writable, findImportFiles(folder), { at: '2026-01-01T00:00:00.000Z' });
beginEmbedding(writable, model);
for (let after = 0; ; ) {
  const { texts, last } = nextTextsToEmbed(writable, { model, after });
  if (last === null) break;
  if (texts.length === 0) after = last;
  const vectors = texts.map(({ hash }) => ({ hash, vector: randomVector() }));
  saveVectors(writable, model, vectors);
}
finishEmbedding(writable, model);
writable.close();

// Opened for reading, as for any search: a writable mirror does not cache its index in memory.
const mirror = openMirror(path);

const storedVectors = mirror.column<Buffer>('SELECT vector FROM embedding').all();
const components = new Float32Array(storedVectors.length * dimensions);
for (const [at, bytes] of storedVectors.entries())
  components.set(new Float32Array(new Uint8Array(bytes).buffer), at * dimensions);

/** The highest dot product, by a loop over all vectors in memory: the minimum of a search without an index. */
function bestScore(queryVector: number[]): number {
  let best = 0;
  for (let from = 0; from < components.length; from += dimensions) {
    let sum = 0;
    for (let n = 0; n < dimensions; n += 1) sum += components[from + n]! * queryVector[n]!;
    best = Math.max(best, sum);
  }
  return best;
}

const anyWord = mirror.column<number>('SELECT rowid FROM search WHERE search MATCH ? ORDER BY bm25(search) LIMIT 20');
const texts = mirror.column<string>("SELECT row ->> 'text' FROM record WHERE id % 1663 = 0 LIMIT ?").all(queryCount);
const queries = texts.map((text) => text.split(/\s+/).slice(0, 6).join(' '));
const nearestMs: number[] = [];
const loopMs: number[] = [];
const expansionMs: number[] = [];
const bm25Ms: number[] = [];
for (const query of queries) {
  const vector = randomVector();
  nearestMs.push(wallMs(() => nearestRecords(mirror, vector, { scope, limit: 20 })));
  loopMs.push(wallMs(() => bestScore(vector)));
  const options = { scope, limit: 20, requiresWord: false };
  expansionMs.push(wallMs(() => rankByAnyWord(mirror, parseQuery(query), options)));
  const tokens = proseTokens(query).map((token) => `"${token}"`);
  bm25Ms.push(wallMs(() => anyWord.all(tokens.join(' OR '))));
}
mirror.close();
report({
  vectors: storedVectors.length,
  nearestP50Ms: median(nearestMs),
  loopP50Ms: median(loopMs),
  expansionP50Ms: median(expansionMs),
  expansionP95Ms: expansionMs.toSorted((a, b) => a - b)[Math.floor(queryCount * 0.95)]!,
  bm25P50Ms: median(bm25Ms),
});

function wallMs(work: () => unknown): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}
