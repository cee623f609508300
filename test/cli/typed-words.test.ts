import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { joinDateWords } from '../../src/cli/date-words.ts';
import { findCommandAfterFlags, readManifest } from '../../src/cli/manifest.ts';
import { inferFlags } from '../../src/cli/typed-words.ts';
import { affiliations } from '../../src/questions/affiliations.ts';
import { ballots } from '../../src/questions/ballots.ts';
import { changes } from '../../src/questions/changes.ts';
import { readDemoMirror } from '../helpers/demo-mirror.ts';

const manifest = readManifest(fileURLToPath(new URL('../..', import.meta.url)));

describe('a word in place of a flag', () => {
  const demo = readDemoMirror();
  const flagText = ({ parameters }: typeof ballots | typeof changes | typeof affiliations, text: string, flags = {}) =>
    inferFlags(() => demo.mirror, parameters, { words: text.split(' '), flags })
      ?.map(({ flag, text }) => `${flag} ${text}`)
      .join(', ') ?? null;

  it('is a party or a politician where the question has such a filter and the name is known, else words', () => {
    expect(flagText(changes, 'ADR')).to.equal('party ADR');
    expect(flagText(changes, 'Océane Bruyèvre')).to.equal('politician Océane Bruyèvre');
    expect(flagText(changes, 'retraites')).to.equal('query retraites');
    expect(flagText(ballots, 'ADR')).to.equal('group ADR');
    expect(flagText(changes, 'ADR', { party: 'PDV' })).to.equal('group ADR');
    expect(flagText(changes, 'ADR', { party: 'PDV', group: 'PDV' })).to.equal('query ADR');
    expect(flagText(affiliations, 'personne')).to.equal('politician personne');
    expect(flagText(ballots, 'retraites', { query: 'x' })).to.equal(null);
  });

  it('is a day behind `since` or `depuis`, among others', () => {
    expect(flagText(ballots, 'depuis 2025')).to.equal('since 2025');
    expect(flagText(ballots, 'retraites since 2025-11 until 2026')).to.equal(
      'query retraites, until 2026, since 2025-11',
    );
    expect(flagText(changes, 'since yesterday', { since: 'last' })).to.equal('since yesterday');
    expect(flagText(changes, 'depuis toujours')).to.equal('query depuis toujours');
    expect(flagText(ballots, 'depuis 2025', { since: '2024' })).to.equal('query depuis 2025');
  });

  it('is a period near the present, but no word that has another meaning', () => {
    const flagsFor = (...words: string[]) => inferFlags(() => demo.mirror, ballots.parameters, { words, flags: {} });
    const isPeriod = (text: string) => ['since', 'until'].map((flag) => ({ flag, text }));
    for (const text of ['le mois dernier', 'du mois dernier', 'hier', 'cette semaine', 'last year'])
      expect(flagsFor(text), text).to.deep.equal(isPeriod(text));
    expect(flagsFor('phare', "d'hier")).to.deep.equal([{ flag: 'query', text: 'phare' }, ...isPeriod("d'hier")]);
    for (const text of ['lundi', 'été', 'mars', 'la dernière heure', 'last'])
      expect(flagsFor(text), text).to.deep.equal([{ flag: 'query', text }]);
  });

  it('of a date is joined with the others behind a flag for days, or if they name a period', () => {
    const join = (line: string) => joinDateWords(line.split(' ')).join('|');
    expect(join('ballots --since mars 2025 -n 3')).to.equal('ballots|--since|mars 2025|-n|3');
    expect(join('ballots depuis 3 mars 2025 retraites')).to.equal('ballots|depuis|3 mars 2025|retraites');
    expect(join('ballots du mois dernier phare')).to.equal('ballots|du mois dernier|phare');
    for (const line of ['ballots --since 2025 phare', 'feed --until 7d 3 jours', 'search la dernière loi'])
      expect(join(line), line).to.equal(line.replaceAll(' ', '|'));
  });

  it('narrows to whom the first of them name, and looks for the others', () => {
    expect(flagText(changes, 'ADR retraites')).to.equal('party ADR, query retraites');
    expect(flagText(changes, 'Bruyèvre ADR prix du lait')).to.equal(
      'politician Bruyèvre, party ADR, query prix du lait',
    );
    expect(flagText(ballots, 'ADR PDV retraites')).to.equal('group ADR, group PDV, query retraites');
    expect(flagText(changes, 'Bruy retraites')).to.equal('query Bruy retraites');
    expect(flagText(changes, 'loi Bruyèvre')).to.equal('query loi Bruyèvre');
  });
});

describe('flags before the command', () => {
  const resolveCommand = (...argv: string[]) => findCommandAfterFlags(argv, manifest);

  it('are those of the command behind them, with their values', () => {
    expect(resolveCommand('--json', 'politicians', '-q', 'x')).to.deep.equal({
      id: 'politicians',
      remainingArguments: ['--json', '-q', 'x'],
    });
    expect(resolveCommand('--format', 'csv', '--lang=fr', 'watch', 'list')).to.deep.equal({
      id: 'watch:list',
      remainingArguments: ['--format', 'csv', '--lang=fr'],
    });
    expect(resolveCommand('--json', 'nothing')).to.equal(null);
    expect(resolveCommand('--db')).to.equal(null);
  });
});
