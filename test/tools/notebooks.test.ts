import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createDemoMirror } from '../helpers/demo-mirror.ts';

const pathOf = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

/** Programs that run a block, by its language, with what they must know. */
const programs: Record<string, { argv: string[]; knows: string[] }> = {
  python: { argv: [process.env.PYTHON ?? 'python3'], knows: ['-c', 'import pandas, pyarrow, duckdb'] },
  r: { argv: ['Rscript'], knows: ['--version'] },
};

describe('the page of the guide for notebooks', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  beforeEach(async () => {
    demo = await createDemoMirror();
    mkdirSync(join(demo.folder, 'bin'));
    const start = `#!/bin/sh\nexec ${process.execPath} ${pathOf('bin/run.js')} "$@"\n`;
    writeFileSync(join(demo.folder, 'bin/hemicycle'), start, { mode: 0o755 });
  });
  afterEach(() => demo.remove());

  for (const language of ['en', 'fr'])
    it(`has blocks that run as they stand (${language})`, function () {
      let isWhole = true;
      const page = readFileSync(pathOf(`docs/${language}/notebooks.md`), 'utf8');
      const env = {
        ...{ HOME: demo.folder, HEMICYCLE_DB: demo.db },
        PATH: [join(demo.folder, 'bin'), process.env.PATH].join(delimiter),
      };
      const run = (program: string, ...argv: string[]) =>
        execFileSync(program, argv, {
          cwd: demo.folder,
          env,
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe'],
        });
      const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map(([, kind = '', text = '']) => ({
        kind,
        text,
      }));
      const files = blocks.filter(({ kind }) => kind === 'sql');
      expect(files).to.have.length(1);
      writeFileSync(join(demo.folder, 'departments.sql'), files[0]!.text);
      for (const { kind, text } of blocks) {
        if (kind === 'sh') run('sh', '-ec', text);
        const program = programs[kind];
        if (!program) continue;
        const [name = ''] = program.argv;
        if (spawnSync(name, program.knows).status !== 0) {
          console.log(`    skipped: ${name} lacks what the block of ${kind} needs`);
          isWhole = false;
          continue;
        }
        const file = join(demo.folder, `block.${kind}`);
        writeFileSync(file, text);
        expect(run(name, file), kind).to.not.equal('');
      }
      expect(readFileSync(join(demo.folder, 'departments.csv'), 'utf8')).to.match(/^code,name,members,women\n/);
      if (!isWhole) this.skip();
    });
});
