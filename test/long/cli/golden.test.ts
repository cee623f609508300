import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createDemoMirror } from '../../helpers/demo-mirror.ts';
import { askProgram, runAtTerminal, runProgram } from '../../helpers/program.ts';

const folder = fileURLToPath(new URL('../../../fixtures/golden/', import.meta.url));
const isUpdating = process.env.UPDATE_GOLDEN === '1';

/** Name of the golden files → what a person types; each is compared in a pipe and at a terminal. */
const commands: Record<string, string[]> = {
  'politicians-list': ['politicians', '--limit', '5'],
  'politicians-party-updated': ['politicians', '--party', 'parti-du-verger', '--sort', 'updated_at', '--limit', '4'],
  'politicians-profile': ['politicians', 'oceane-bruyevre'],
  'politicians-homonyms': ['politicians', 'Camille Rouvre'],
  'politicians-near-miss': ['politicians', 'Oceane Bruyevra'],
  'politicians-csv': ['politicians', '--limit', '3', '--format', 'csv', '--columns', 'slug,full_name,party,death_date'],
  'politicians-markdown': ['politicians', '-q', 'morel', '--format', 'markdown', '--columns', 'slug,full_name'],
  'parties-list': ['parties'],
  'parties-one-json': ['parties', 'alliance-des-rivages', '--json', '--columns', 'slug,name,members'],
  search: ['search', 'retraites', '--limit', '4'],
  'search-json': ['search', "l'énergie", '--limit', '2', '--json'],
  'search-nothing': ['search', 'zzzzqqqq'],
  feed: ['feed', '--types', 'promise', '--limit', '5'],
  'feed-ndjson': [
    'feed',
    '--politician',
    'oceane-bruyevre',
    '--types',
    'position',
    '--limit',
    '2',
    '--format',
    'ndjson',
  ],
  'changes-since': ['changes', '--since', '2026-10-01', '--kind', 'party'],
  'history-party': ['history', 'party', 'parti-du-verger'],
  vote: ['vote', 'VAL1V4'],
  'vote-censure': ['vote', 'VAL1V7'],
  'vote-tie': ['vote', 'VAL1V11'],
  'vote-no-counts': ['vote', '2026-1', '--chamber', 'Senat'],
  'vote-unknown': ['vote', 'VAL1V400'],
  'vote-json-error': ['vote', 'VAL1V400', '--json'],
  ballots: ['ballots', '--voted', 'ADR:for', '--voted', 'UDC:against', '--limit', '4'],
  'ballots-csv': ['ballots', '--margin', '3', '--sort', 'margin', '--format', 'csv'],
  'ballots-unknown-group': ['ballots', '--voted', 'ADX:for'],
  compare: ['compare', 'ADR', 'PDV', 'majority'],
  'cohesion-csv': ['cohesion', 'ADR', 'UDC', '--since', '2025-11-01', '--format', 'csv'],
  topics: ['topics'],
  'topic-unknown': ['feed', '--topic', 'logemnt'],
  'show-source': ['show', 'src-an-amendements'],
  'show-ballot-json': ['show', 'AN:VAL1V7', '--json'],
  'show-unknown': ['show', 'src-nowhere'],
  cite: ['cite', 'AN:VAL1V4'],
  'cite-ris': ['cite', 'ballot', 'VAL1V4', '--style', 'ris', '--quiet'],
  open: ['open', 'src-an-scrutins'],
  'show-by-address': ['show', 'https://valombre.example/an/scrutins/VAL1V7', '--columns', 'scrutin_id,result'],
  'vote-chamber-in-words': ['vote', '2026-1', '--chamber', 'Sénat', '--columns', 'chamber,date'],
  'parties-short-name': ['parties', 'ADR', '--format', 'csv'],
  audit: ['audit', '--limit', '4'],
  'audit-tsv': ['audit', '--entity-type', 'promise', '--limit', '3', '--format', 'tsv'],
  'export-csv': ['export', 'parties'],
  'export-unknown': ['export', 'ministries'],
  'usage-flag': ['politicians', '--sort', 'height'],
  'unknown-column': ['parties', '--columns', 'slug,height'],
};

/** Those of the commands that are compared in French, too. */
const inFrench = [
  'politicians-list',
  'politicians-near-miss',
  'vote',
  'ballots',
  'history-party',
  'show-source',
  'search',
  'changes-since',
  'usage-flag',
];

/** Those that a process answers in a pipe, too: one of each way to write and to end; the thread of tests answers all. */
const inProcess = ['politicians-profile', 'search-json', 'vote-unknown', 'export-csv', 'usage-flag', 'audit-tsv'];

describe('every command, to the character', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  before(async () => {
    demo = await createDemoMirror();
    if (isUpdating) mkdirSync(folder, { recursive: true });
  });
  after(() => demo.remove());

  for (const [name, argv] of Object.entries(commands)) {
    it(`answers \`hemicycle ${argv.join(' ')}\` as before in a pipe`, async () => {
      const env = { HEMICYCLE_DB: demo.db, HOME: demo.folder };
      const { stdout, stderr, exit } = await askProgram(argv, { env });
      if (inProcess.includes(name)) expect(await runProgram(argv, { env })).to.deep.equal({ stdout, stderr, exit });
      compare(`${name}.pipe.txt`, `exit ${exit}\n--- stdout\n${stdout}--- stderr\n${stderr}`, demo.folder);
    });

    it(`answers \`hemicycle ${argv.join(' ')}\` as before at a terminal`, async () => {
      const { stdout, exit } = await runAtTerminal(argv, {
        env: { HEMICYCLE_DB: demo.db, HOME: demo.folder },
      });
      compare(`${name}.terminal.txt`, `exit ${exit}\n${visible(stdout)}`, demo.folder);
    });
  }
});

describe('every command in French', () => {
  let env: Record<string, string>;
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  before(async () => {
    demo = await createDemoMirror();
    env = { HEMICYCLE_DB: demo.db, HOME: demo.folder, LANG: 'fr_FR.UTF-8' };
  });
  after(() => demo.remove());

  for (const name of inFrench) {
    const argv = commands[name]!;
    it(`answers \`hemicycle ${argv.join(' ')}\` as before in a pipe and at a terminal`, async () => {
      const { stdout, stderr, exit } = await askProgram(argv, { env });
      compare(`fr-${name}.pipe.txt`, `exit ${exit}\n--- stdout\n${stdout}--- stderr\n${stderr}`, demo.folder);
      const screen = await runAtTerminal(argv, { env });
      compare(`fr-${name}.terminal.txt`, `exit ${screen.exit}\n${visible(screen.stdout)}`, demo.folder);
    });
  }

  for (const name of ['search-json', 'show-ballot-json', 'vote-json-error', 'politicians-csv', 'feed-ndjson']) {
    it(`gives programs the same bytes: ${name}`, async () => {
      const french = await askProgram(commands[name]!, { env });
      const english = await askProgram(commands[name]!, { env: { ...env, LANG: 'C' } });
      expect(french.stdout).to.equal(english.stdout);
      expect(french.exit).to.equal(english.exit);
      if (name.includes('json-')) expect(french.stderr).to.equal(english.stderr);
    });
  }
});

/** Escapes are shown as text, so that a golden file can be read and compared in any editor. */
function visible(text: string): string {
  return text.replaceAll('\u001b', '␛');
}

function compare(file: string, actual: string, outputFolder: string): void {
  const text = actual.replaceAll(outputFolder, 'FOLDER');
  if (isUpdating) writeFileSync(folder + file, text);
  expect(existsSync(folder + file), `${file} exists`).to.equal(true);
  expect(text).to.equal(readFileSync(folder + file, 'utf8'));
}
