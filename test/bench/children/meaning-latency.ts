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

const folder = process.argv[2]!;
const records = 100_000;
const dimensions = 256;
const turns = 60;
const scope = { kinds: [kindOf('content')] };
const random = createRandom(seedOf('VECTORS_SEED'));
const vectorByChance = () => Array.from({ length: dimensions }, () => random.integer(2001) - 1000);

await generateContent(folder, records);
const path = join(folder, 'meaning.db');
const writable = openWritableMirror(path);
await importFiles(writable, findImportFiles(folder), { at: '2026-01-01T00:00:00.000Z' });
beginEmbedding(writable, 'chance');
for (let after = 0; ; ) {
  const { texts, last } = nextTextsToEmbed(writable, { model: 'chance', after });
  if (last === null) break;
  if (texts.length === 0) after = last;
  const vectors = texts.map(({ hash }) => ({ hash, vector: vectorByChance() }));
  saveVectors(writable, 'chance', vectors);
}
finishEmbedding(writable, 'chance');
writable.close();

// A mirror that is searched is open for reading: one that is written to keeps nothing of its index in mind.
const mirror = openMirror(path);

const all = mirror.column<Buffer>('SELECT vector FROM embedding').all();
const floats = new Float32Array(all.length * dimensions);
for (const [at, bytes] of all.entries()) floats.set(new Float32Array(new Uint8Array(bytes).buffer), at * dimensions);

/** Every vector compared in memory, the best score: the least that a search without signs could take. */
function compareAll(queryVector: number[]): number {
  let best = 0;
  for (let from = 0; from < floats.length; from += dimensions) {
    let sum = 0;
    for (let n = 0; n < dimensions; n += 1) sum += floats[from + n]! * queryVector[n]!;
    best = Math.max(best, sum);
  }
  return best;
}

const anyWord = mirror.column<number>('SELECT rowid FROM search WHERE search MATCH ? ORDER BY bm25(search) LIMIT 20');
const sample = mirror.column<string>("SELECT row ->> 'text' FROM record WHERE id % 1663 = 0 LIMIT ?").all(turns);
const queries = sample.map((text) => text.split(/\s+/).slice(0, 6).join(' '));
const times = { near: [] as number[], loop: [] as number[], expanded: [] as number[], bm25: [] as number[] };
for (let n = 0; n < turns; n += 1) {
  const vector = vectorByChance();
  times.near.push(timed(() => nearestRecords(mirror, vector, { scope, limit: 20 })));
  times.loop.push(timed(() => compareAll(vector)));
  const query = queries[n]!;
  const options = { scope, limit: 20, requiresWord: false };
  times.expanded.push(timed(() => rankByAnyWord(mirror, parseQuery(query), options)));
  const either = proseTokens(query).map((token) => `"${token}"`);
  times.bm25.push(timed(() => anyWord.all(either.join(' OR '))));
}
mirror.close();
const figures = Object.entries(times).map(([name, list]) => [name, median(list)]);
const expandedMost = times.expanded.sort((a, b) => a - b)[Math.floor(turns * 0.95)]!;
report({ ...Object.fromEntries(figures), expandedMost, vectors: all.length });

function timed(work: () => unknown): number {
  const begin = performance.now();
  work();
  return performance.now() - begin;
}
