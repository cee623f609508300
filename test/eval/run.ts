import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lexemes } from '../../src/language/prose.ts';
import { kindOf } from '../../src/model/kinds.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openMirror, openWritableMirror } from '../../src/store/open.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { querySteps } from '../../src/store/search/reading.ts';
import { addingSteps, matchingSteps, nearSteps, type StepDescription } from '../../src/store/search/steps.ts';
import { transaction } from '../../src/store/transaction.ts';
import { findImportFiles, importFiles } from '../../src/sync/import.ts';
import { createRandom, type Random } from '../helpers/random.ts';
import {
  type Case,
  halfNameCases,
  homonymCases,
  hostileCases,
  meaningCases,
  misheardCases,
  nameCases,
  newsroomCases,
  operatorCases,
  ownWordCases,
  slipCases,
  wordCases,
  wordTexts,
} from './cases.ts';
import { generatedCases } from './generated-cases.ts';
import { judgeVariants } from './name-variants.ts';
import { oursOver, type Peer, plainPeer, recordsOf, type Way } from './peers.ts';

/** The least share of each group that has to hold. */
const floors: Record<string, number> = {
  names: 0.98,
  'typos in names': 0.95,
  'typos in prose': 0.85,
  accents: 0.9,
  inflection: 0.97,
  precision: 0.95,
  'own words': 0.8,
  operators: 1,
  questions: 0.7,
  'questions meant': 0.6,
  paraphrases: 0.25,
  subjects: 0.15,
  'half names': 0.98,
  parties: 0.9,
  nicknames: 0,
  verbs: 0.85,
  laws: 0.85,
  ballots: 0.8,
  'who said what': 0.94,
  numbers: 0.9,
  everyday: 0.7,
  'everyday meant': 0.6,
  slips: 0.9,
  absent: 0.8,
  homonyms: 1,
  'drawn: role': 0.9,
  'drawn: role of the department': 0.9,
  'drawn: role in a group': 0.9,
  'drawn: day': 0.9,
  'drawn: month': 0.9,
  'drawn: id': 0.98,
  'drawn: ballot number': 0.98,
  'drawn: amendment number': 0.95,
  'drawn: hashtag': 0.9,
  'drawn: names of nobody': 0.9,
  'drawn: two words glued': 0.9,
  'drawn: hashtag in small letters': 0.9,
  'drawn: group in small letters and word': 0.9,
};

/** A group counts as worse than the plain engine's if it loses so many cases. */
const leastLost = 2;

/** Words that people look for in texts. */
const plainWords = {
  demo: [
    'retraites',
    'éclusiers',
    'trains de nuit',
    'énergie',
    'forêt',
    'école',
    'hôpital',
    'phare',
    'impôt',
    'pêcheurs',
    'bibliothèque',
    'moulins',
    'ports',
    'gardiens de phare',
    'élèves',
    'communes',
    'budget',
  ],
  real: [
    'logement',
    'retraites',
    'immigration',
    'nucléaire',
    'hôpital',
    'agriculture',
    'impôt',
    'éducation',
    'chômage',
    'sécurité sociale',
    'handicap',
    'énergie',
    'police',
    'marché',
    'forêts',
    'climat',
    'loi de finances',
  ],
};

const at = '2026-11-01T06:00:00.000Z';
const folder = mkdtempSync(join(tmpdir(), 'hemicycle-eval-'));
const folderArgument = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
const real = folderArgument ?? fileURLToPath(new URL('../../../shared/data/real', import.meta.url));
const demo = fileURLToPath(new URL('../../fixtures/demo', import.meta.url));
/** A mirror in place of a folder of datasets: only the cases on real records. */
const isOfFile = folderArgument?.endsWith('.db') ?? false;
const isVerbose = process.argv.includes('--failures');
/** `--ablate` prints for each step of the search the cases that are won or lost without it. */
const isAblation = process.argv.includes('--ablate');
/** The tables of steps, from which a step can be taken. */
const stepTables = [querySteps, matchingSteps, nearSteps, addingSteps] as unknown as StepDescription[][];

/** Takes a step out of its table, and returns the function that puts it back; throws on an unknown name. */
function removeStep(name: string): () => void {
  const table = stepTables.find((steps) => steps.some((step) => step.name === name));
  if (table === undefined) throw new Error(`no step is named ${name}: ${stepNames().join(', ')}`);
  const index = table.findIndex((step) => step.name === name);
  const [step] = table.splice(index, 1);
  return () => table.splice(index, 0, step!);
}

const stepNames = () => stepTables.flatMap((steps) => steps.map(({ name }) => name));

// `--without=STEP` judges the search without a step.
for (const argument of process.argv.filter((each) => each.startsWith('--without='))) removeStep(argument.slice(10));

/** `--only=PATTERN` judges the groups of that name alone. */
const groupPattern = new RegExp(process.argv.find((each) => each.startsWith('--only='))?.slice(7) ?? '');

/** Words that the texts of a mirror hold, of so many letters, in a few texts at least; always the same ones. */
function wordsIn(mirror: Mirror, { count, least }: { count: number; least: number }): string[] {
  const texts = new Map<string, number>();
  for (const { type, text } of recordsOf(mirror).values()) {
    if (type === 'politician' || type === 'party') continue;
    for (const word of new Set(lexemes(text)))
      if (/^\p{Ll}{6,14}$/u.test(word)) texts.set(word, (texts.get(word) ?? 0) + 1);
  }
  const frequentWords = [...texts].filter(([, number]) => number >= least).map(([word]) => word);
  const random = createRandom(7);
  return Array.from({ length: count }, () => random.pick(frequentWords));
}

function peopleIn(mirror: Mirror, count: number) {
  const people = [...recordsOf(mirror).values()].filter(({ type }) => type === 'politician');
  const step = Math.max(1, Math.floor(people.length / count));
  return people.filter((_, index) => index % step === 0).slice(0, count);
}

async function imported(name: string, path: string): Promise<Mirror> {
  const mirror = openWritableMirror(join(folder, `${name}.db`));
  await importFiles(mirror, findImportFiles(path), { at });
  mirror.close();
  // Only a mirror that is read keeps what it has read.
  return openMirror(mirror.path);
}

function words(): Mirror {
  const mirror = openWritableMirror(join(folder, 'words.db'));
  transaction(mirror, () => {
    const saver = createSaver(mirror, kindOf('content'), { at });
    for (const document of wordTexts()) saver.save(document);
    saver.finish();
  });
  return mirror;
}

type Shares = Map<string, { passed: number; all: number; failed: string[]; ms: number[] }>;

function judged(peer: Peer, cases: Case[]): Shares {
  const shares: Shares = new Map();
  for (const { group, query, holds, searchMode = 'words' } of cases) {
    const share = shares.get(group) ?? { passed: 0, all: 0, failed: [], ms: [] };
    const startedAtMs = performance.now();
    const answered = answerOf(peer, query, searchMode);
    share.ms.push(performance.now() - startedAtMs);
    const score = Number(holds(answered));
    share.all += 1;
    share.passed += score;
    if (score < 0.5) share.failed.push(query.slice(0, 60));
    shares.set(group, share);
  }
  return shares;
}

function answerOf(peer: Peer, query: string, searchMode: Way) {
  try {
    return peer.answer(query, 50, searchMode);
  } catch {
    return null;
  }
}

/** Prints for each step how many cases of each group are won (+) or lost (-) without it. */
function reportAblation(mirror: Mirror, cases: Case[]): void {
  const passed = () => new Map([...judged(oursOver(mirror), cases)].map(([group, share]) => [group, share.passed]));
  const whole = passed();
  for (const name of stepNames()) {
    const restore = removeStep(name);
    const differences = [...passed()].map(([group, count]) => ({ group, won: count - whole.get(group)! }));
    restore();
    const sum = (sign: number) => differences.reduce((total, { won }) => total + Math.max(0, sign * won), 0).toFixed(1);
    const groups = differences.filter(({ won }) => Math.abs(won) >= 0.5);
    const list = groups.map(({ group, won }) => `${group} ${won > 0 ? '+' : ''}${won.toFixed(1)}`).join(', ');
    console.log(`  without ${name.padEnd(12)} won ${sum(1).padStart(5)}  lost ${sum(-1).padStart(5)}  ${list}`);
  }
}

/** Prints the share of each group that holds, for us and for the plain engine; returns the groups where we fall short. */
function report(title: string, mirror: Mirror, allCases: Case[]): string[] {
  const cases = allCases.filter(({ group }) => groupPattern.test(group));
  if (cases.length === 0) return [];
  if (isAblation) {
    console.log(`\n${title}: ${cases.length} queries`);
    reportAblation(mirror, cases);
    return [];
  }
  const ours = judged(oursOver(mirror), cases);
  const plain = judged(plainPeer(mirror), cases);
  console.log(
    `\n${title}: ${cases.length} queries\ngroup                        cases     ours    plain  least   ours p50 p95   plain p50 p95`,
  );
  const short: string[] = [];
  for (const [group, { passed, all, failed, ms }] of ours) {
    const beside = plain.get(group)!;
    const shares = [passed, beside.passed].map((each) => (each / all).toFixed(3).padStart(9)).join('');
    const times = [ms, beside.ms].map((each) => `${middle(each, 0.5)} ${middle(each, 0.95)} ms`).join('   ');
    const floor = floors[group] ?? 0;
    console.log(`${group.padEnd(28)} ${String(all).padStart(5)}${shares}  ${floor.toFixed(2)}   ${times}`);
    if (isVerbose && failed.length > 0) console.log(`  not: ${failed.join(' | ')}`);
    if (passed / all < floor) short.push(`${title}: ${group}`);
    // Groups without a least share are reported only.
    if (group in floors && beside.passed - passed >= leastLost)
      short.push(`${title}: ${group}, where the plain engine is better`);
  }
  return short;
}

/** The value below which that share of some numbers lies, in tenths. */
function middle(numbers: number[], share: number): string {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(1).padStart(6);
}

const leastFirst = 0.98;

/** Prints how names as others write them are matched; returns what is below the least share, or chosen wrongly. */
function reportMatches(title: string, mirror: Mirror, people: { key: string; name: string }[]): string[] {
  if (isAblation || !groupPattern.test('names matched')) return [];
  const shares = judgeVariants(mirror, people, createRandom(18));
  console.log(`\n${title}, names matched\n${'written'.padEnd(24)} names   first  chosen  wrong`);
  let first = 0;
  let all = 0;
  const wrong: string[] = [];
  for (const [variant, share] of shares) {
    const parts = [share.first, share.matchedNames].map((count) => (count / share.all).toFixed(3).padStart(7));
    console.log(
      `${variant.padEnd(24)} ${String(share.all).padStart(5)} ${parts.join(' ')} ${String(share.wrong.length).padStart(6)}`,
    );
    if (isVerbose && share.missed.length > 0) console.log(`  not: ${share.missed.slice(0, 20).join(' | ')}`);
    first += share.first;
    all += share.all;
    wrong.push(...share.wrong);
  }
  const names = all / shares.size;
  console.log(`first of all ${(first / all).toFixed(4)} (least ${leastFirst}) of ${names} names`);
  return [
    ...(first / all < leastFirst ? [`${title}: names matched`] : []),
    ...(wrong.length > 0 ? [`${title}: names taken for others (${wrong.join(', ')})`] : []),
  ];
}

function everybodyIn(mirror: Mirror): { key: string; name: string }[] {
  return mirror
    .sql<{ key: string; name: string }>("SELECT key, name FROM record WHERE kind = 'politician' ORDER BY key")
    .all();
}

function reportGenerated(mirror: Mirror): string[] {
  return report('drawn from the records', mirror, generatedCases(mirror, recordsOf(mirror), groupPattern));
}

async function run(): Promise<string[]> {
  const random = createRandom(20261122);
  const below = isOfFile ? [] : await reportInvented(random);
  if (!isOfFile && !existsSync(real)) return below;
  const actual = isOfFile ? openMirror(real) : await imported('real', real);
  return [
    ...below,
    ...report('real records', actual, [
      ...nameCases(peopleIn(actual, 80), random),
      ...misheardCases(),
      ...slipCases(wordsIn(actual, { count: 80, least: 20 }), random),
      ...ownWordCases(plainWords.real, [...recordsOf(actual).values()]),
      ...meaningCases([...recordsOf(actual).values()]),
      ...operatorCases('logement', 'social'),
      ...hostileCases(),
      ...halfNameCases(peopleIn(actual, 100_000), { count: 110, random }),
      ...homonymCases(peopleIn(actual, 100_000)),
      ...newsroomCases([...recordsOf(actual).values()]),
    ]),
    ...reportGenerated(actual),
    ...reportMatches('real records', actual, everybodyIn(actual)),
  ];
}

/** The cases on single words and on fictional records. */
async function reportInvented(random: Random): Promise<string[]> {
  const fictional = await imported('demo', demo);
  return [
    ...report('single words', words(), wordCases()),
    ...report('fictional records', fictional, [
      ...nameCases(peopleIn(fictional, 50), random),
      ...slipCases(wordsIn(fictional, { count: 60, least: 2 }), random),
      ...ownWordCases(plainWords.demo, [...recordsOf(fictional).values()]),
      ...operatorCases('projet', 'retraites'),
      ...hostileCases(),
    ]),
    ...reportMatches('fictional records', fictional, everybodyIn(fictional)),
  ];
}

try {
  const below = await run();
  if (below.length > 0) console.error(`\nbelow the least share: ${below.join(', ')}`);
  process.exitCode = below.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
