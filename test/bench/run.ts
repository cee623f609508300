import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChild } from './child.ts';
import { generateContent, generatePeople } from './generate.ts';
import { isWithinBounds, type Row, type Trial, type Workspace } from './trial.ts';
import { ballots } from './trials/ballots.ts';
import { changesOfMillion } from './trials/changes.ts';
import { check } from './trials/check.ts';
import { clientIsolation } from './trials/client-isolation.ts';
import { exportMillion } from './trials/export.ts';
import { exportReal } from './trials/export-real.ts';
import { importMillion, importReal } from './trials/import.ts';
import { match } from './trials/match.ts';
import { nightlySync } from './trials/nightly-sync.ts';
import { pages } from './trials/pages.ts';
import { scaling } from './trials/scaling.ts';
import { searchCost, searchMillion } from './trials/search.ts';
import { searchMeaning } from './trials/search-meaning.ts';
import { serve } from './trials/serve.ts';
import { besideSync, serveLoad } from './trials/serve-load.ts';
import { sizes, sizesMillion, sizesOf } from './trials/sizes.ts';
import { startUp } from './trials/start-up.ts';
import { feedPages, longFeed, sync, syncBudget } from './trials/sync.ts';
import { threadHolds } from './trials/thread-holds.ts';

const trials: Trial[] = [
  startUp,
  importReal,
  scaling,
  serve,
  serveLoad,
  besideSync,
  threadHolds,
  clientIsolation,
  pages,
  sync,
  feedPages,
  syncBudget,
  longFeed,
  nightlySync,
  changesOfMillion,
  ballots,
  match,
  check,
  searchCost,
  searchMeaning,
  sizes,
  importMillion,
  sizesMillion,
  searchMillion,
  exportReal,
  exportMillion,
];

const root = fileURLToPath(new URL('../..', import.meta.url));
const realFolder = join(root, '../shared/data/real');
const demoFolder = join(root, 'fixtures/demo');
const records = existsSync(realFolder)
  ? { folder: realFolder, name: 'the real records', areReal: true }
  : { folder: demoFolder, name: 'the fictional records of the demo', areReal: false };

// `npm run bench` runs all trials, `-- quick` those of a few minutes, `-- NAME …` the named ones, and `-- MIRROR.db`
// measures an existing mirror.
const selectors = process.argv.slice(2);
const selectedTrials = [
  ...trials.filter((trial) =>
    selectors.includes('quick') ? trial.isQuick : selectors.length === 0 || selectors.includes(trial.name),
  ),
  ...selectors.filter((selector) => selector.endsWith('.db')).map(sizesOf),
];
const folder = mkdtempSync(join(tmpdir(), 'hemicycle-bench-'));
let million: Promise<{ folder: string; mirror: string }> | null = null;
const workspace: Workspace = {
  folder,
  root,
  records,
  millionRecords: () => {
    million ??= generateMillion();
    return million;
  },
};

try {
  const rows: Row[] = [];
  for (const trial of selectedTrials) {
    process.stderr.write(`${trial.name} …\n`);
    const measuredRows = await trial.run(workspace);
    const trialRows = trial.needsRealRecords && !records.areReal ? measuredRows.map(withoutBounds) : measuredRows;
    // Printed at once, so that results are kept if a later trial throws.
    for (const { name, result, reference } of trialRows)
      process.stderr.write(`  ${name}: ${result}${reference && `; ${reference}`}\n`);
    rows.push(...trialRows);
  }
  const datasetRows = rows.filter(({ dataset }) => dataset !== undefined);
  process.stdout.write(`${trialTable(rows.filter(({ dataset }) => dataset === undefined))}\n`);
  if (datasetRows.length > 0) process.stdout.write(`\n${datasetTable(datasetRows)}\n`);
  if (rows.some((row) => isWithinBounds(row) === false)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function withoutBounds({ maxRssMb: _, ...row }: Row): Row {
  return { ...row, requiredRatio: null };
}

async function generateMillion(): Promise<{ folder: string; mirror: string }> {
  const source = join(folder, 'million');
  mkdirSync(source);
  await generateContent(source, 1_000_000);
  generatePeople(source, 1_000_000);
  const mirror = join(folder, 'million.db');
  await runChild('import-mirror', [source, mirror]);
  return { folder: source, mirror };
}

/** A heading with date, processor and records, and one line per row. */
function trialTable(rows: Row[]): string {
  const date = new Date().toISOString().slice(0, 10);
  const processor = `${cpus().length} × ${cpus()[0]?.model.trim()}`;
  const recordsNote = records.areReal
    ? records.name
    : `${records.name} (bounds that were set for the real records are left out)`;
  return [
    `${date}, ${processor}, Node ${process.versions.node}; on ${recordsNote}. Times are wall time unless marked CPU.`,
    '',
    '| trial | Hemicycle | limit or peer | ratio | required | peak RSS | passed |',
    '|---|---|---|---|---|---|---|',
    ...rows.map(trialLine),
  ].join('\n');
}

function trialLine(row: Row): string {
  const cells = [
    row.name,
    row.result,
    row.reference,
    row.ratio?.toFixed(2) ?? '',
    boundsText(row),
    memoryText(row),
    passedText(row),
  ];
  return `| ${cells.join(' | ')} |`;
}

function boundsText({ requiredRatio, maxRssMb }: Row): string {
  const bounds: string[] = [];
  if (requiredRatio?.atMost !== undefined) bounds.push(`≤ ${requiredRatio.atMost}`);
  if (requiredRatio?.atLeast !== undefined) bounds.push(`≥ ${requiredRatio.atLeast}`);
  if (maxRssMb !== undefined) bounds.push(`≤ ${maxRssMb} MB`);
  return bounds.join(', ');
}

function memoryText({ rssMb }: Row): string {
  return rssMb === null ? '' : `${rssMb} MB`;
}

function passedText(row: Row): string {
  const isPassed = isWithinBounds(row);
  if (isPassed === null) return '';
  return isPassed ? 'yes' : '**no**';
}

/** One line per measurement and one column per dataset; a bold cell exceeds its limit. */
function datasetTable(rows: Row[]): string {
  const rowsByDataset = Map.groupBy(rows, ({ dataset }) => dataset!);
  const datasets = [...rowsByDataset.keys()];
  const names = new Set(rows.map(({ name }) => name));
  const lines = [...names].map((name) => {
    const rowsOfName = datasets.map((dataset) => rowsByDataset.get(dataset)!.find((row) => row.name === name));
    const { reference } = rowsOfName.find((row) => row !== undefined)!;
    return `| ${name} | ${reference} | ${rowsOfName.map(datasetCell).join(' | ')} |`;
  });
  return [
    `| processor time, peak RSS | limit | ${datasets.join(' | ')} |`,
    `|---|---|${datasets.map(() => '---|').join('')}`,
    ...lines,
  ].join('\n');
}

function datasetCell(row: Row | undefined): string {
  if (row === undefined) return '';
  const cost = [row.result, memoryText(row)].filter(Boolean).join(', ');
  return isWithinBounds(row) === false ? `**${cost}**` : cost;
}
