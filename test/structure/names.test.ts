import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import jsTokens from 'js-tokens';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Participles and pronouns that name nothing on their own: a name says what the value is. */
const bannedWords = new Set(
  `asked found told said held stated known met named meant taken gone unseen doubt proof door gate turn stretch span
  journey way place tellable sayable rest others wider given kept left made matched heard begun seen atOnce
  wholeOrNothing inOneView`.split(/\s+/),
);

/** Names that users, files or other interfaces fixed, by the files that may use them. */
const fixedNames: { words: string; paths: RegExp; reason: string }[] = [
  {
    words: 'asked taken',
    paths: /^src\/(names\/lookup|questions\/resolved-parties|server\/answer-schemas)\.ts$/,
    reason: 'fields of answers',
  },
  {
    words: 'matched',
    paths: /^src\/(store\/search\/(hit|search)|questions\/suggestions)\.ts$/,
    reason: 'field of search hits',
  },
  {
    words: 'said',
    paths: /^src\/(questions\/check|store\/records\/(quotation|quotation-search|stated-vote-check))\.ts$/,
    reason: 'field of answers of `check`',
  },
  {
    words: 'unseen',
    paths: /^src\/(cli\/commands\/status|store\/following\/\S+|store\/saving\/missing-records|sync\/context)\.ts$/,
    reason: 'field of run reports and of replicas',
  },
  {
    words: 'left',
    paths: /^src\/(cli\/budget-left|cli\/commands\/doctor|terminal\/status-view)\.ts$/,
    reason: 'field of `status --json`',
  },
  { words: 'found', paths: /^src\/cli\/commands\/doctor\.ts$/, reason: 'field of `doctor --json`' },
  {
    words: 'gone',
    paths: /^src\/(cli\/mirror-checks|cli\/watch-command|export\/folder-switch)\.ts$/,
    reason: 'states that mirrors, watches and folders of earlier versions store',
  },
  {
    words: 'told',
    paths: /^src\/(cli\/watch-command|watches\/run|server\/pages\/views\/suggest|server\/pages\/assets\/pages)\.[jt]s$/,
    reason: 'fields of `watch run --json` and `/suggest.json`',
  },
  { words: 'known', paths: /^src\/cli\/commands\/watch\/(add|list)\.ts$/, reason: 'field of `watch list --json`' },
  {
    words: 'held',
    paths: /^src\/(terminal\/sync-text|store\/records\/mirror-comparison)\.ts$/,
    reason: 'field of `sync --verify --json`',
  },
  { words: 'others', paths: /^src\/cli\/commands\/export\/verify\.ts$/, reason: 'field of `export verify --json`' },
  {
    words: 'place',
    paths:
      /^src\/(questions\/(places|record-filters|politicians|feed|record)|server\/pages\/(refusal|views\/suggest))\.ts$/,
    reason: 'parameter of the API',
  },
];

const sources = ['src', 'bin'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.[jt]s$/.test(path) && path !== 'client/interface.ts')
    .map((path) => `${folder}/${path}`),
);

describe('names of variables, parameters and properties', () => {
  it('are nouns, verbs or statements, and no participle or pronoun alone', () => {
    const hits = sources.flatMap((path) => {
      const allowed = fixedNames.filter(({ paths }) => paths.test(path)).flatMap(({ words }) => words.split(' '));
      const names = Array.from(jsTokens(readFileSync(join(root, path), 'utf8')))
        .filter(({ type, value }) => type === 'IdentifierName' && bannedWords.has(value) && !allowed.includes(value))
        .map(({ value }) => value);
      return [...new Set(names)].map((name) => `${path}: ${name}`);
    });
    expect(hits).to.deep.equal([]);
  });

  it('have no exception that nothing needs', () => {
    for (const { words, paths } of fixedNames)
      for (const word of words.split(' ')) {
        const uses = sources.filter(
          (path) => paths.test(path) && new RegExp(`\\b${word}\\b`).test(readFileSync(join(root, path), 'utf8')),
        );
        expect(uses, word).not.to.deep.equal([]);
      }
  });
});
