import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { clauses, loadLanguage, say, speechOf } from '../../src/words/speech.ts';
import { templatesIn } from '../helpers/message-templates.ts';

const src = fileURLToPath(new URL('../../src', import.meta.url));

/** Sources whose joins no reader of French sees: protocols, logs, SQL, programs, help in English, columns of files. */
const unlocalised = new RegExp(
  `^(?:${[
    'client/|service/|server/(?:mcp|run)/|store/(?:saving|search)/|export/(?:lake|postgres)/',
    '(?:evidence/warc|export/(?:companions|data-package)|format/reference-text|server/problem|store/lock)[.]ts',
    '(?:questions/(?:ballots|ballot-selection|compare|feed|subjects)|store/records/tidy-tables)[.]ts',
    '(?:terminal/schedule-text|watches/run)[.]ts',
  ].join('|')})`,
);

/** Templates of a source that put a value before a colon or a semicolon, and lists joined by these signs. */
function joinsIn(path: string): string[] {
  const source = readFileSync(join(src, path), 'utf8');
  const templates = [...templatesIn(source)]
    .filter(({ tag }) => !/(?:^|\.)say$/.test(tag))
    .flatMap(({ key }) => (/\{\}[:;] /.test(key) ? [key] : []));
  const lists = source.split('\n').filter((line) => /\.join\('[:;] '\)/.test(line));
  return [...templates, ...lists].map((each) => `${path}: ${each.trim()}`);
}

describe('sentences of several clauses', () => {
  before(() => loadLanguage('fr'));

  it('have the signs between clauses set as the language is', () => {
    const parts = [say`ok`, '', null, 'a'];
    expect(speechOf('en').render(clauses(parts))).to.equal('ok; a');
    expect(speechOf('fr').render(clauses(parts))).to.equal('ok\u00a0; a');
  });

  it('are joined by phrases only, never by code', () => {
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' });
    const sources = files.filter((path) => path.endsWith('.ts') && !unlocalised.test(path));
    expect(sources).to.have.length.above(200);
    expect(sources.flatMap(joinsIn)).to.deep.equal([]);
  });
});
