import { proseText } from '../../language/prose.ts';
import { parseQuery, type QueryTerm } from '../../language/query.ts';
import { type Document, textOf } from '../../model/document.ts';
import { type Kind, kinds } from '../../model/kinds.ts';
import { titleFactsOf } from '../../parliament/nature.ts';
import type { Mirror } from '../mirror.ts';
import type { Sql } from '../page.ts';
import { kindOfRecord } from '../record.ts';
import { shadowBallotTables } from '../saving/ballot-tables.ts';
import { readWordsFilter } from '../search/all-words.ts';
import { scopeConditionSql } from '../search/scope.ts';
import { findSubject, readAllSubjects, ruleValues, type UserSubject } from '../subjects.ts';
import { indexedKinds } from '../word-index/search-index.ts';
import { textNamed } from './ballot-texts.ts';

const indexedNames = [...indexedKinds].map(({ name }) => name);

/** Names of subjects: records in any of them; all records if undefined or empty. */
export type SubjectFilter = { subject?: readonly string[] | undefined };

/** SQL ` AND …` of a rule `person: SLUG`, `group: SLUG`, `text: NAME`, or `word: QUERY` (any other). */
function ruleSql(mirror: Mirror, rule: string): Sql {
  const { kind, value = '' } = /^(?<kind>\w+): (?<value>.*)$/s.exec(rule)?.groups ?? {};
  if (kind === 'person') return scopeConditionSql(mirror, { kinds, politicians: [value] }, 'id');
  if (kind === 'group') return scopeConditionSql(mirror, { kinds, parties: [value] }, 'id');
  const textSql = ' AND id IN (SELECT id FROM ballot WHERE text_key = ?)';
  if (kind === 'text') return { sql: textSql, parameters: [textNamed(mirror, value)?.key ?? ''] };
  const { sql, parameters } = readWordsFilter(mirror, value, indexedNames).sql();
  return { sql: ` AND ${sql}`, parameters };
}

/** The first matching rule by record id, withdrawn ones included; a ballot also needs one of the subject's natures. */
function subjectRecords(mirror: Mirror, subject: UserSubject): ReadonlyMap<number, string> {
  return mirror.readOnce(`records of the subject ${JSON.stringify(subject)}`, () => {
    shadowBallotTables(mirror);
    const natures = JSON.stringify(ruleValues(subject, 'nature'));
    const ballotNatureSql = `(? = '[]' OR kind <> 'ballot' OR id IN (SELECT ballot.id FROM ballot, json_each(?)
      WHERE value IN (nature, iif(nature = 'whole', text_kind, NULL))))`;
    const ruleById = new Map<number, string>();
    for (const rule of subject.rules.filter((each) => !each.startsWith('nature: '))) {
      const { sql, parameters } = ruleSql(mirror, rule);
      const statement = mirror.column<number>(`SELECT id FROM record WHERE ${ballotNatureSql}${sql}`);
      for (const id of statement.all(natures, natures, ...parameters)) if (!ruleById.has(id)) ruleById.set(id, rule);
    }
    return ruleById;
  });
}

/** The matching rule by id of each record in any of these subjects; null without names. */
function readRuleByRecordId(mirror: Mirror, names: readonly string[] = []): ReadonlyMap<number, string> | null {
  if (names.length === 0) return null;
  return new Map(names.flatMap((name) => [...subjectRecords(mirror, findSubject(mirror, name))]));
}

/** Condition on `id` for the records in any of these subjects; empty without names. */
export function subjectSql(mirror: Mirror, names?: readonly string[]): Sql[] {
  const ids = readRuleByRecordId(mirror, names)?.keys();
  return ids ? [{ sql: 'id IN (SELECT value FROM json_each(?))', parameters: [JSON.stringify([...ids])] }] : [];
}

/** Creates a lookup of the rule of these subjects that a record matches; undefined for none, '' without names. */
export function createRuleLookup(mirror: Mirror, names?: readonly string[]) {
  const rules = readRuleByRecordId(mirror, names);
  const idOf = mirror.column<number>('SELECT id FROM record WHERE kind = ? AND key = ?');
  return (kind: string, key: string): string | undefined => (rules ? rules.get(idOf.get(kind, key) ?? 0) : '');
}

/** JSON array of ids of records in these subjects now or in a former version; undefined without subjects. */
export function subjectChangesJson(mirror: Mirror, { subject, since }: SubjectFilter & { since: string }) {
  const rules = readRuleByRecordId(mirror, subject);
  if (rules === null) return undefined;
  const subjects = subject!.map((name) => findSubject(mirror, name));
  // Withdrawn records count whatever `since` is.
  const sql = `SELECT record AS id, json FROM version WHERE seen_to > ?
    UNION ALL SELECT id, coalesce(row, detail) FROM main.record WHERE withdrawn IS NOT NULL`;
  const formerRows = mirror.sql<{ id: number; json: string }>(sql).all(since);
  const formerMatches = formerRows.filter(({ id, json }) =>
    subjects.some((each) => matchesWordRule(each, kindOfRecord(id), JSON.parse(json))),
  );
  return JSON.stringify([...rules.keys(), ...formerMatches.map(({ id }) => id)]);
}

/** Names of the subjects with a `word:` rule that the document matches. */
export const subjectsByWords = ({ path }: Mirror, kind: Kind, document: Document): string[] =>
  readAllSubjects(path).flatMap((each) => (matchesWordRule(each, kind, document) ? [each.name] : []));

/** True if a document matches a `word:` rule of the subject and, for a ballot, one of its `nature:` rules. */
function matchesWordRule(subject: UserSubject, { name: kind, search }: Kind, document: Document): boolean {
  const natures = ruleValues(subject, 'nature');
  const { nature, textKind } = titleFactsOf(document);
  const isOfNature = natures.some((each) => each === nature || (nature === 'whole' && each === textKind));
  if (kind === 'ballot' && natures.length > 0 && !isOfNature) return false;
  const texts = [...search.name, ...search.title, ...search.body].map((field) => textOf(document, field) ?? '');
  const proseTexts = texts.map((text) => ` ${proseText(text)} `);
  const hasTerm = ({ prose }: QueryTerm) => proseTexts.some((text) => text.includes(` ${prose.join(' ')} `));
  const queries = ruleValues(subject, 'word').map(parseQuery);
  return queries.some(({ terms, excluded }) => terms.every(hasTerm) && !excluded.some(hasTerm));
}
