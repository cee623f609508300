import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { readManifest } from '../../src/cli/manifest.ts';

const { commands } = readManifest(fileURLToPath(new URL('../..', import.meta.url)));
const flags = Object.entries(commands).flatMap(([id, command]) =>
  Object.values(command.flags).map((flag) => ({ id, ...flag })),
);
const flagsNamed = (name: string) => flags.filter((flag) => flag.name === name);

describe('a flag means the same in every command', () => {
  it('has one letter, and a letter one flag', () => {
    const letters = flags.filter(({ char }) => char !== undefined).map(({ char, name }) => `${char} ${name}`);
    expect([...new Set(letters)].sort()).to.deep.equal(['k k', 'n limit', 'o output', 'q query']);
  });

  it('takes a value in all of them, or in none', () => {
    const types = Map.groupBy(flags, ({ name }) => name);
    // `sql --schema` shows one, where `export --schema NAME` names another: both are promised.
    types.delete('schema');
    for (const [name, all] of types) expect(new Set(all.map(({ type }) => type)).size, name).to.equal(1);
  });

  it('-q is --query, words to look for', () => {
    for (const { id, char, description } of flagsNamed('query')) {
      expect(char, id).to.equal('q');
      expect(description, id).to.match(/words|name/);
    }
  });

  it('--since is a date or an age, and where there is --until that is its end', () => {
    for (const { id, helpValue, description } of flagsNamed('since'))
      expect(`${helpValue} ${description}`, id).to.match(/DATE/);
    for (const { id } of flagsNamed('until')) expect(flagsNamed('since').map((flag) => flag.id)).to.include(id);
  });

  it('--cursor comes with --limit, and --limit is a number', () => {
    const limited = flagsNamed('limit').map(({ id }) => id);
    for (const { id, description } of flagsNamed('cursor')) {
      expect(limited).to.include(id);
      expect(description, id).to.match(/next_cursor|before/);
    }
    for (const { default: usual = '1', id, description } of flagsNamed('limit')) {
      expect(Number(usual), id).to.be.greaterThan(0);
      expect(description, id).to.match(/number/);
    }
  });

  it('--all takes no value, and asks for all there is', () => {
    for (const { type, description, id } of flagsNamed('all')) {
      expect(type, id).to.equal('boolean');
      expect(description, id).to.match(/every|end|all/);
    }
  });

  it('shared flags are told alike', () => {
    for (const name of ['db', 'json', 'quiet', 'color', 'lang', 'debug', 'pager', 'as-of', 'source'])
      expect([...new Set(flagsNamed(name).map(({ description }) => description))].length, name).to.equal(1);
  });
});
