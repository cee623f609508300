import { expect } from 'chai';
import { readDemoMirror } from '../helpers/demo-mirror.ts';
import { askProgram, runAtTerminal } from '../helpers/program.ts';

describe('suggestions at a command line', () => {
  const demo = readDemoMirror();
  const env = () => ({ HEMICYCLE_DB: `${demo.folder}/mirror.db`, HOME: demo.folder });
  const run = (...argv: string[]) => askProgram(argv, { env: env() });

  for (const [command, ...flags] of [
    ['search', 'gardiens xylophage'],
    ['ballots', '-q', 'gardiens xylophage'],
  ]) {
    it(`of ${command} follow the results at a terminal, and reach no file and no pipe`, async () => {
      const screen = (await runAtTerminal([command!, ...flags, '-n', '2', '--no-pager'], { env: env() })).stdout;
      expect(screen).to.match(/Suggestions, 2 of \d+: records with some of the words/);
      const { stdout, stderr } = await run(command!, ...flags);
      expect(stdout).to.match(/^Source: /);
      expect(stderr).to.match(/Suggestions, .* \(at a terminal, or `near` in JSON\)/);
      for (const format of ['csv', 'ndjson', 'markdown'])
        expect((await run(command!, ...flags, '--format', format)).stdout, format).not.to.include('gardiens');
    });

    it(`of ${command} have a total of their own in JSON, and none with --all`, async () => {
      const { items, shown, total, near } = JSON.parse((await run(command!, ...flags, '--json')).stdout);
      expect([items, shown, total]).to.deep.equal([[], 0, 0]);
      expect(near.relaxed).to.equal('any-word');
      expect(near.items).not.to.be.empty;
      expect(JSON.parse((await run(command!, ...flags, '--json', '--all')).stdout)).not.to.have.property('near');
    });
  }
});
