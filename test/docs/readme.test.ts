import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { subjects } from '../../src/cli/help-subjects.ts';
import { type SettingRow, settingTable } from '../../src/cli/setting-table.ts';
import { errorTable, exitCodes } from '../../src/errors.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { runProgram } from '../helpers/program.ts';
import { startDemoServer } from '../server/demo-server.ts';
import { generatedBlocks } from './generated-blocks.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const blocks = Object.entries(generatedBlocks(root));
if (process.env.UPDATE_GOLDEN === '1') rewriteBlocks();
const readme = readFileSync(`${root}README.md`, 'utf8');
const manifest = JSON.parse(readFileSync(`${root}oclif.manifest.json`, 'utf8')) as {
  commands: Record<
    string,
    { flags: Record<string, { allowNo?: boolean }>; examples: { command: string }[]; summary: string }
  >;
};
const commands = Object.entries(manifest.commands);

/** Where a block stands between its marks. */
function blockExpression(name: string): RegExp {
  return new RegExp(`(<!-- ${name} -->\\n)([\\s\\S]*?)(\\n<!-- /${name} -->)`);
}

function rewriteBlocks(): void {
  const written = blocks.reduce(
    (text, [name, block]) =>
      text.replace(blockExpression(name), (_, open, _old, close) => open + block + close),
    readFileSync(`${root}README.md`, 'utf8'),
  );
  writeFileSync(`${root}README.md`, written);
}

describe('the README', () => {
  for (const [name, block] of blocks) {
    it(`shows the ${name} as the program has it`, () => {
      expect(blockExpression(name).exec(readme)?.[2]).to.equal(block);
    });
  }

  for (const [id, { flags }] of commands) {
    it(`names the command ${id}`, () => {
      expect(readme).to.match(new RegExp(`\`${id.replace(':', ' ')}[ \`]`));
    });

    it(`names every flag of ${id}`, () => {
      const missing = Object.keys(flags).filter(
        (flag) => !new RegExp(`(--|\`-)(no-)?${flag}\\b`).test(readme),
      );
      expect(missing).to.deep.equal([]);
    });
  }

  it('states every error with its exit code', () => {
    for (const { code, exit } of Object.values(errorTable))
      expect(readme).to.include(`| ${exit} | \`${code}\` |`);
  });

  it('states every exit code', () => {
    for (const exit of Object.values(exitCodes)) expect(readme).to.match(new RegExp(`^\\| ${exit} \\|`, 'm'));
  });

  it('states every setting, its variable and its default', () => {
    for (const [key, row] of Object.entries<SettingRow>(settingTable)) {
      const line = readme.split('\n').find((each) => each.startsWith(`| \`${key}\` |`));
      expect(line, key).to.include(`| \`${row.variable}\` |`);
      if (typeof row.default === 'string') expect(line).to.include(row.default);
    }
  });

  it('opens with the two commands of a fresh clone', () => {
    const first = /```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    expect(first).to.match(/^npm ci && npm run demo\b.*\nnpm ci && npm test\n$/);
  });
});

describe('the commands that the documents show', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  before(async () => {
    demo = await createDemoMirror();
  });
  after(() => demo.remove());

  const shown = [...readme.matchAll(/^\$ hemicycle (.*)$/gm)].map((match) => match[1]!);
  for (const line of shown) {
    it(`runs \`hemicycle ${line}\``, async () => {
      const { exit, stdout, stderr } = await runProgram(words(line), {
        cwd: demo.folder,
        env: { HEMICYCLE_DB: demo.db, HOME: demo.folder },
      });
      expect(exit, stderr).to.equal(0);
      expect(line.includes('-o ') || stdout.length > 0).to.equal(true);
    });
  }

  const recipes = String(subjects.recipes!.sections.RECIPES);
  for (const [, question, command = ''] of recipes.matchAll(/^(\S.*)\n {2}\$ hemicycle (.*)$/gm)) {
    it(`answers "${question}" with \`${command}\``, async () => {
      const { exit, stdout, stderr } = await runProgram(words(command), {
        cwd: demo.folder,
        env: { HEMICYCLE_DB: demo.db, HOME: demo.folder },
      });
      expect(exit, stderr).to.equal(0);
      expect(stderr).not.to.include('nothing found');
      expect(stdout.trim()).not.to.equal('');
    });
  }

  it('asks DuckDB what it answers from an export that `serve` sends', async () => {
    const [, sql] = /`duckdb -c "([^"]*)"`/.exec(readme)!;
    const [address] = /https:[^']*/.exec(sql!)!;
    const { pathname, search } = new URL(address);
    const server = await startDemoServer();
    // DuckDB asks HEAD first and, where no length is stated, for the whole file. What reads over HTTP is an extension
    // that would have to be downloaded: here the file is.
    const head = await server.get(pathname + search, { method: 'HEAD' });
    const file = join(demo.folder, 'dataset');
    writeFileSync(file, await (await server.get(pathname + search)).bytes());
    await server.close();
    expect([head.status, head.headers.get('content-length')]).to.deep.equal([200, null]);
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const rows = (await connection.runAndReadAll(sql!.replace(address, file))).getRows();
    connection.closeSync();
    expect(rows.reduce((sum, [, count]) => sum + Number(count), 0)).to.equal(50);
    expect(rows.length).to.be.greaterThan(1);
  });

  const reading = [
    'politicians',
    'parties',
    'search',
    'feed',
    'vote',
    'audit',
    'status',
    'changes',
    'history',
  ];
  for (const [id, { examples }] of commands.filter(([each]) => reading.includes(each))) {
    for (const { command } of examples) {
      it(`runs the example of ${id}: ${command.replace('<%= config.bin %> ', '')}`, async () => {
        const argv = words(command.replace('<%= config.bin %> ', ''));
        // The mirror of the tests stands at a fixed moment: an example may call it too old.
        const { exit, stderr } = await runProgram(argv, {
          env: { HEMICYCLE_DB: demo.db, HOME: demo.folder },
        });
        const allowed = [
          0,
          ...(argv.includes('--max-age') ? [8] : []),
          ...(argv.includes('--exit-status') ? [20] : []),
        ];
        expect(exit, stderr).to.be.oneOf(allowed);
      });
    }
  }
});

describe('the help', () => {
  for (const [id] of commands.filter(([each]) => each !== 'help')) {
    it(`of ${id} opens with examples`, async () => {
      const { stdout, exit } = await runProgram([...id.split(':'), '--help']);
      expect(exit).to.equal(0);
      const headings = stdout.split('\n').filter((line) => /^[A-Z ]+$/.test(line) && line.trim() !== '');
      expect(headings[0]).to.equal('EXAMPLES');
    });
  }
});

describe('the manifest', () => {
  it('gives every command a summary and examples', () => {
    const bare = commands
      .filter(([id, { summary, examples }]) => id !== 'help' && (!summary || !examples?.length))
      .map(([id]) => id);
    expect(bare).to.deep.equal([]);
  });
});

/** A command line in words, as a shell splits one with quotes. */
function words(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3]!);
}
