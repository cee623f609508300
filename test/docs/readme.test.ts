import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { helpSubjects } from '../../src/cli/help-subjects.ts';
import { readManifest } from '../../src/cli/manifest.ts';
import { type SettingRow, settingTable } from '../../src/cli/setting-table.ts';
import { exitCodes } from '../../src/errors.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { askProgram } from '../helpers/program.ts';
import { startDemoServer } from '../server/demo-server.ts';
import { generatedBlocks } from './generated-blocks.ts';
import { guidePage, pages, untold } from './guide.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const blocks = generatedBlocks(root);
if (process.env.UPDATE_GOLDEN === '1') rewriteBlocks();
const readme = readFileSync(`${root}README.md`, 'utf8');
/** What is written in English: the README and every page of the guide. */
const english = [readme, ...pages.filter(({ language }) => language === 'en').map(({ text }) => text)].join('\n');
const manifest = readManifest(root);
const commands = Object.entries(manifest.commands);

/** Where a block stands between its marks. */
function blockExpression(name: string): RegExp {
  return new RegExp(`(<!-- ${name} -->\\n)([\\s\\S]*?)(\\n<!-- /${name} -->)`);
}

function rewriteBlocks(): void {
  for (const { path, name, text } of blocks) {
    const written = readFileSync(root + path, 'utf8').replace(
      blockExpression(name),
      (_, open, _old, close) => open + text + close,
    );
    writeFileSync(root + path, written);
  }
}

describe('the README', () => {
  for (const { path, name, text } of blocks) {
    it(`and the guide show the ${name} (${path}) as the program has it`, () => {
      const hint = 'UPDATE_GOLDEN=1 npm run test:one test/docs/readme.test.ts writes it anew';
      expect(blockExpression(name).exec(readFileSync(root + path, 'utf8'))?.[2], hint).to.equal(text);
    });
  }

  it('is short: 150 lines', () => {
    expect(readme.split('\n').length).to.be.at.most(151);
  });

  it('opens with the two commands of a fresh clone', () => {
    expect(readme).to.match(/```sh\nnpm ci && npm run demo\b.*\nnpm ci && npm test\n```/);
  });
});

describe('the guide', () => {
  it('leads to files that exist, wherever a link of it goes', () => {
    const broken = [{ path: 'README.md', text: readme }, ...pages].flatMap(({ path, text }) =>
      [...text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)]
        .map(([, target]) => target!)
        .filter((target) => !/^https?:/.test(target) && !existsSync(join(root, dirname(path), target)))
        .map((target) => `${path}: ${target}`),
    );
    expect(broken).to.deep.equal([]);
  });

  it('says all of the reference in French, and nothing else', () => {
    expect(untold(), 'src/words/french, or docs/reference/french.json for what only the reference says').to.deep.equal({
      missing: [],
      unused: [],
    });
  });

  for (const [id, command] of commands) {
    it(`names the command ${id}`, () => {
      expect(english).to.match(new RegExp(`\`${id.replace(':', ' ')}[ \`]`));
    });

    it(`names every flag of ${id}`, () => {
      const missing = Object.keys(command.flags).filter(
        (name) => !new RegExp(`(--|\`-)(\\[?no-\\]?)?${name}\\b`).test(english),
      );
      expect(missing).to.deep.equal([]);
    });
  }

  it('states every exit code', () => {
    for (const exit of Object.values(exitCodes))
      expect(guidePage('exit-codes')).to.match(new RegExp(`^\\|[\\d, ]* ${exit}[ ,]`, 'm'));
  });

  it('states every setting, its variable and its default', () => {
    for (const [key, row] of Object.entries<SettingRow>(settingTable)) {
      const line = guidePage('settings')
        .split('\n')
        .find((each) => each.startsWith(`| \`${key}\` |`));
      expect(line, key).to.include(`| \`${row.variable}\` |`);
      if (typeof row.default === 'string') expect(line).to.include(row.default);
    }
  });
});

describe('the commands that the documents show', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  before(async () => {
    demo = await createDemoMirror();
  });
  after(() => demo.remove());

  /** Runs a line with the mirror of the demo; its files are in the folder of the mirror. */
  const runLine = (line: string) => {
    const isFile = (before = '') => ['-o', '--file', '--card', '--sqlite', '--lake', 'verify'].includes(before);
    const argv = words(line).map((word, at, all) => (isFile(all[at - 1]) ? join(demo.folder, word) : word));
    return askProgram(argv, { env: { HEMICYCLE_DB: demo.db, HOME: demo.folder } });
  };

  const shown = [readme, ...pages.map(({ text }) => text)].flatMap((text) =>
    [...text.matchAll(/^\$ hemicycle (.*)$/gm)].map((match) => match[1]!),
  );
  for (const line of new Set(shown)) {
    it(`runs \`hemicycle ${line}\``, async () => {
      const { exit, stdout, stderr } = await runLine(line);
      expect(exit, stderr).to.equal(0);
      expect(`${stdout}${stderr}`).not.to.equal('');
    });
  }

  for (const [block, line, answer] of readme.matchAll(/```console\n\$ hemicycle (.*)\n((?!\$)[\s\S]+?)```/g)) {
    if (line === 'vote VAL1V11') continue;
    it(`answers \`hemicycle ${line}\` as the README shows`, async () => {
      const { stdout, stderr, exit } = await runLine(line!);
      expect(exit, stderr).to.equal(0);
      if (process.env.UPDATE_GOLDEN === '1')
        writeFileSync(
          `${root}README.md`,
          readFileSync(`${root}README.md`, 'utf8').replace(block, () => block.replace(answer!, () => stdout)),
        );
      else expect(answer).to.equal(stdout);
    });
  }

  const recipes = helpSubjects.recipes!.sections.RECIPES!.join('\n');
  for (const [, question, command = ''] of recipes.matchAll(/^(\S.*)\n {2}\$ hemicycle (.*)$/gm)) {
    it(`answers "${question}" with \`${command}\``, async () => {
      const { exit, stdout, stderr } = await runLine(command);
      expect(exit, stderr).to.equal(0);
      expect(stderr).not.to.include('nothing found');
      expect(`${stdout}${stderr}`.trim()).not.to.equal('');
    });
  }

  it('asks DuckDB what it answers from an export that `serve` sends', async () => {
    const [, sql] = /`duckdb -c "([^"]*)"`/.exec(guidePage('warehouses'))!;
    const [address] = /https:[^']*/.exec(sql!)!;
    const { pathname, search } = new URL(address);
    const server = await startDemoServer();
    // DuckDB asks HEAD for the length, then for parts. What reads over HTTP is an extension that would have to be
    // downloaded: here the file is.
    const head = await server.get(pathname + search, { method: 'HEAD' });
    const file = join(demo.folder, 'dataset');
    const bytes = await (await server.get(pathname + search)).bytes();
    writeFileSync(file, bytes);
    await server.close();
    expect([head.status, head.headers.get('content-length')]).to.deep.equal([200, String(bytes.length)]);
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const rows = (await connection.runAndReadAll(sql!.replace(address, file))).getRows();
    connection.closeSync();
    expect(rows.reduce((sum, [, count]) => sum + Number(count), 0)).to.equal(50);
    expect(rows.length).to.be.greaterThan(1);
  });

  const reading = ['politicians', 'parties', 'search', 'feed', 'vote', 'audit', 'status', 'changes', 'history'];
  for (const [id, { examples = [] }] of commands.filter(([each]) => reading.includes(each))) {
    for (const { command } of examples) {
      it(`runs the example of ${id}: ${command.replace('hemicycle ', '')}`, async () => {
        // The mirror of the tests stands at a fixed moment: an example may call it too old.
        const { exit, stderr } = await runLine(command.replace('hemicycle ', ''));
        const allowed = [
          0,
          ...(command.includes('--max-age') ? [8] : []),
          ...(command.includes('--exit-status') ? [20] : []),
        ];
        expect(exit, stderr).to.be.oneOf(allowed);
      });
    }
  }
});

describe('the help', () => {
  for (const [id] of commands.filter(([each]) => each !== 'help')) {
    it(`of ${id} opens with examples`, async () => {
      const { stdout, exit } = await askProgram([...id.split(':'), '--help']);
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
