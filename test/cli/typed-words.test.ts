import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { commandBehindFlags, readManifest } from '../../src/cli/manifest.ts';
import { flagMeant } from '../../src/cli/typed-words.ts';
import { affiliations } from '../../src/questions/affiliations.ts';
import { ballots } from '../../src/questions/ballots.ts';
import { changes } from '../../src/questions/changes.ts';
import { readDemoMirror } from '../helpers/demo-mirror.ts';

const manifest = readManifest(fileURLToPath(new URL('../..', import.meta.url)));

describe('a word in place of a flag', () => {
  const demo = readDemoMirror();
  const meant = (
    { parameters }: typeof ballots | typeof changes | typeof affiliations,
    text: string,
    flags = {},
  ) => flagMeant(() => demo.mirror, parameters, { text, flags });

  it('is a party or a politician where the question has such a filter and the name is known, else words', () => {
    expect(meant(changes, 'ADR')).to.equal('party');
    expect(meant(changes, 'Océane Bruyèvre')).to.equal('politician');
    expect(meant(changes, 'retraites')).to.equal('query');
    expect(meant(ballots, 'ADR')).to.equal('query');
    expect(meant(changes, 'ADR', { party: 'PDV' })).to.equal('query');
    expect(meant(affiliations, 'personne')).to.equal('politician');
    expect(meant(ballots, 'retraites', { query: 'x' })).to.equal(undefined);
  });
});

describe('flags before the command', () => {
  const found = (...argv: string[]) => commandBehindFlags(argv, manifest);

  it('are those of the command behind them, with their values', () => {
    expect(found('--json', 'politicians', '-q', 'x')).to.deep.equal({
      id: 'politicians',
      rest: ['--json', '-q', 'x'],
    });
    expect(found('--format', 'csv', '--lang=fr', 'watch', 'list')).to.deep.equal({
      id: 'watch:list',
      rest: ['--format', 'csv', '--lang=fr'],
    });
    expect(found('--json', 'nothing')).to.equal(null);
    expect(found('--db')).to.equal(null);
  });
});
