import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChild } from './child.ts';
import { generateContent, generatePeople } from './generate.ts';
import { isKept, type Place, type Row, type Trial } from './trial.ts';
import { ballots } from './trials/ballots.ts';
import { check } from './trials/check.ts';
import { exportMillion } from './trials/export.ts';
import { exportReal } from './trials/export-real.ts';
import { changesOfMillion, night } from './trials/growth.ts';
import { importMillion, importReal } from './trials/import.ts';
import { match } from './trials/match.ts';
import { otherSearches } from './trials/others.ts';
import { pages } from './trials/pages.ts';
import { scaling } from './trials/scaling.ts';
import { searchCost, searchMillion } from './trials/search.ts';
import { searchMeaning } from './trials/search-meaning.ts';
import { serve } from './trials/serve.ts';
import { besideSync, serveLoad } from './trials/serve-load.ts';
import { sizes, sizesMillion, sizesOf } from './trials/sizes.ts';
import { startUp } from './trials/start-up.ts';
import { longFeed, sync, syncBudget } from './trials/sync.ts';

const trials: Trial[] = [
  startUp,
  importReal,
  scaling,
  serve,
  serveLoad,
  besideSync,
  otherSearches,
  pages,
  sync,
  syncBudget,
  longFeed,
  night,
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
const real = join(root, '../shared/data/real');
const data = existsSync(real)
  ? { folder: real, name: 'the real records', isReal: true }
  : { folder: join(root, 'fixtures/demo'), name: 'the fictional records of the demo', isReal: false };
// `quick` says in minutes whether anything got worse.
const isQuick = process.argv.includes('quick');
const chosen = [
  ...trials.filter((trial) => (isQuick ? trial.isQuick : process.argv.length < 3 || process.argv.includes(trial.name))),
  // A mirror that is named is measured as it is.
  ...process.argv.filter((word) => word.endsWith('.db')).map(sizesOf),
];
const folder = mkdtempSync(join(tmpdir(), 'hemicycle-bench-'));
let million: Promise<{ folder: string; mirror: string }> | null = null;
const workspace: Place = {
  folder,
  root,
  data,
  million: () => {
    million ??= makeMillion();
    return million;
  },
};

try {
  const rows: Row[] = [];
  for (const trial of chosen) {
    process.stderr.write(`${trial.name} …\n`);
    const ofTrial = (await trial.run(workspace)).map((row) => (trial.isOfReal && !data.isReal ? unjudged(row) : row));
    // A later trial that fails takes no rows with it.
    for (const { name, ours, peer } of ofTrial) process.stderr.write(`  ${name}: ${ours} (${peer})\n`);
    rows.push(...ofTrial);
  }
  process.stdout.write(`${table(rows.filter(({ size }) => size === undefined))}\n\n${sizeTable(rows)}\n`);
  if (rows.some((row) => isKept(row) === false)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** A row without its promise. */
function unjudged({ mostRssMb: _, ...row }: Row): Row {
  return { ...row, must: null };
}

async function makeMillion(): Promise<{ folder: string; mirror: string }> {
  const source = join(folder, 'million');
  mkdirSync(source);
  await generateContent(source, 1_000_000);
  generatePeople(source, 1_000_000);
  const mirror = join(folder, 'million.db');
  await runChild('import-ours', [source, mirror]);
  return { folder: source, mirror };
}

function table(rows: Row[]): string {
  const lines = rows.map((row) => {
    const { name, ours, peer, ratio, must, rssMb, mostRssMb } = row;
    const promise = [
      must?.most !== undefined && `≤ ${must.most}`,
      must?.least && `≥ ${must.least}`,
      mostRssMb && `≤ ${mostRssMb} MB`,
    ]
      .filter(Boolean)
      .join(', ');
    const keptState = isKept(row);
    return `| ${name} | ${ours} | ${peer} | ${ratio?.toFixed(2) ?? ''} | ${promise} | ${rssMb === null ? '' : `${rssMb} MB`} | ${keptState === null ? '' : keptState ? 'yes' : '**no**'} |`;
  });
  const [cpu] = cpus();
  const on = data.isReal ? data.name : `${data.name}, on which nothing is judged that was set for real ones`;
  const head = `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpu?.model.trim()}, Node ${process.versions.node}; on ${on}`;
  return [
    head,
    '',
    '| trial | ours | limit or peer | ratio | must | peak RSS | kept |',
    '|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

/** What grows with the records: a row for each thing, a column for each size. */
function sizeTable(rows: Row[]): string {
  const bySize = Map.groupBy(
    rows.filter(({ size }) => size !== undefined),
    ({ size }) => size!,
  );
  const names = [...new Set([...bySize.values()].flat().map(({ name }) => name))];
  const cell = (row: Row | undefined) => {
    if (row === undefined) return '';
    const shownCost = [row.ours, row.rssMb === null ? '' : `${row.rssMb} MB`].filter(Boolean).join(', ');
    return isKept(row) === false ? `**${shownCost}**` : shownCost;
  };
  const lines = names.map((name) => {
    const ofName = [...bySize.values()].map((all) => all.find((row) => row.name === name));
    return `| ${name} | ${ofName.find(Boolean)!.peer} | ${ofName.map(cell).join(' | ')} |`;
  });
  const heads = [...bySize.keys()];
  return [
    `| CPU, peak memory | limit | ${heads.join(' | ')} |`,
    `|---|---|${heads.map(() => '---|').join('')}`,
    ...lines,
  ].join('\n');
}
