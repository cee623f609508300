import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { commandBehindFlags, readManifest } from '../../src/cli/manifest.ts';
import { flagsMeant } from '../../src/cli/typed-words.ts';
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
  ) =>
    flagsMeant(() => demo.mirror, parameters, { words: text.split(' '), flags })
      ?.map(({ flag, text }) => `${flag} ${text}`)
      .join(', ') ?? null;

  it('is a party or a politician where the question has such a filter and the name is known, else words', () => {
    expect(meant(changes, 'ADR')).to.equal('party ADR');
    expect(meant(changes, 'Océane Bruyèvre')).to.equal('politician Océane Bruyèvre');
    expect(meant(changes, 'retraites')).to.equal('query retraites');
    expect(meant(ballots, 'ADR')).to.equal('group ADR');
    expect(meant(changes, 'ADR', { party: 'PDV' })).to.equal('query ADR');
    expect(meant(affiliations, 'personne')).to.equal('politician personne');
    expect(meant(ballots, 'retraites', { query: 'x' })).to.equal(null);
  });

  it('is a day behind `since` or `depuis`, among others', () => {
    expect(meant(ballots, 'depuis 2025')).to.equal('since 2025');
    expect(meant(ballots, 'retraites since 2025-11 until 2026')).to.equal(
      'query retraites, until 2026, since 2025-11',
    );
    expect(meant(changes, 'since yesterday', { since: 'last' })).to.equal('since yesterday');
    expect(meant(changes, 'depuis toujours')).to.equal('query depuis toujours');
    expect(meant(ballots, 'depuis 2025', { since: '2024' })).to.equal('query depuis 2025');
  });

  it('narrows to whom the first of them name, and looks for the others', () => {
    expect(meant(changes, 'ADR retraites')).to.equal('party ADR, query retraites');
    expect(meant(changes, 'Bruyèvre ADR prix du lait')).to.equal(
      'politician Bruyèvre, party ADR, query prix du lait',
    );
    expect(meant(ballots, 'ADR PDV retraites')).to.equal('group ADR, group PDV, query retraites');
    expect(meant(changes, 'Bruy retraites')).to.equal('query Bruy retraites');
    expect(meant(changes, 'loi Bruyèvre')).to.equal('query loi Bruyèvre');
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
