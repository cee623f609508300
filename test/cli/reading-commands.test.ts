import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { readingCommands } from '../../src/cli/reading-commands.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { runProgram } from '../helpers/program.ts';

describe('the file of commands that read', () => {
  it('is started for each of them, and for no other', () => {
    const start = readFileSync(new URL('../../bin/run.js', import.meta.url), 'utf8');
    const names = /^const reading =\s+'([a-z ]+)'/m.exec(start)?.[1]?.split(' ');
    expect(names).to.deep.equal(Object.keys(readingCommands));
  });

  it('has help on all commands, and leaves the others to the file of all', async () => {
    const { db, folder, remove } = await createDemoMirror();
    try {
      const env = { HEMICYCLE_DB: db, HOME: folder };
      const [help, quoted, unknown] = await Promise.all(
        [['sync', '--help'], ['status', '--', '--help'], ['vot']].map((argv) => runProgram(argv, { env })),
      );
      expect(help!.stdout).to.match(/\$ hemicycle sync --from/);
      expect(quoted!.exit, quoted!.stderr).to.equal(2);
      expect(unknown!.stderr).to.include('vote');
    } finally {
      remove();
    }
  });
});
