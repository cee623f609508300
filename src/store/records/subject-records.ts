import { proseText } from '../../language/prose.ts';
import { parseQuery, type QueryTerm } from '../../language/query.ts';
import { type Document, textOf } from '../../model/document.ts';
import { type Kind, kinds } from '../../model/kinds.ts';
import { titleFactsOf } from '../../parliament/nature.ts';
import { readCached } from '../cached.ts';
import type { Mirror } from '../mirror.ts';
import type { Sql } from '../page.ts';
import { kindOfRecord } from '../record.ts';
import { readBallotTables } from '../saving/ballot-tables.ts';
import { wordsFilter } from '../search/all-words.ts';
import { memberSql } from '../search/scope.ts';
import { findSubject, readAllSubjects, ruleValues, type UserSubject } from '../subjects.ts';
import { indexedKinds } from '../word-index/search-index.ts';
import { textNamed } from './ballot-texts.ts';

const indexedNames = [...indexedKinds].map(({ name }) => name);

/** Names of subjects; a list has the records of any of them, or all records without names. */
export type SubjectChoice = { subject?: readonly string[] | undefined };

/** The condition of a rule on `record`, to append to other conditions. */
function conditionOf(mirror: Mirror, rule: string): Sql {
  const [, kind, value = ''] = /^(\w+): (.*)$/s.exec(rule) ?? [];
  if (kind === 'person') return memberSql(mirror, { kinds, politicians: [value] }, 'id');
  if (kind === 'group') return memberSql(mirror, { kinds, parties: [value] }, 'id');
  const textSql = ' AND id IN (SELECT id FROM ballot WHERE text_key = ?)';
  if (kind === 'text') return { sql: textSql, parameters: [textNamed(mirror, value)?.key ?? ''] };
  const { sql, parameters } = wordsFilter(mirror, value, indexedNames).sql();
  return { sql: ` AND ${sql}`, parameters };
}

/** The records of a subject by id, withdrawn ones included, each with the first rule that puts it there. */
function subjectRecords(mirror: Mirror, subject: UserSubject): ReadonlyMap<number, string> {
  const cache = mirror.readOnce('records of subjects', () => new Map<string, Map<number, string>>());
  const compute = () => {
    readBallotTables(mirror);
    const natures = JSON.stringify(ruleValues(subject, 'nature'));
    const natureSql = `(? = '[]' OR kind <> 'ballot' OR id IN (SELECT ballot.id FROM ballot, json_each(?)
      WHERE value IN (nature, iif(nature = 'whole', text_kind, NULL))))`;
    const ruleById = new Map<number, string>();
    for (const rule of subject.rules.filter((each) => !each.startsWith('nature: '))) {
      const { sql, parameters } = conditionOf(mirror, rule);
      const statement = mirror.column<number>(`SELECT id FROM record WHERE ${natureSql}${sql}`);
      for (const id of statement.all(natures, natures, ...parameters)) if (!ruleById.has(id)) ruleById.set(id, rule);
    }
    return ruleById;
  };
  return readCached(cache, JSON.stringify(subject), { compute });
}

/** The rules of the records in any of these subjects, by id; null without names. */
function readRules(mirror: Mirror, names: readonly string[] = []): ReadonlyMap<number, string> | null {
  if (names.length === 0) return null;
  return new Map(names.flatMap((name) => [...subjectRecords(mirror, findSubject(mirror, name))]));
}

/** The condition on `id` for the records in any of these subjects; none without names. */
export function subjectSql(mirror: Mirror, names?: readonly string[]): Sql[] {
  const ids = readRules(mirror, names)?.keys();
  return ids ? [{ sql: 'id IN (SELECT value FROM json_each(?))', parameters: [JSON.stringify([...ids])] }] : [];
}

/** Creates a lookup of the rule that puts a record into any of these subjects; undefined for none, '' without names. */
export function createRuleLookup(mirror: Mirror, names?: readonly string[]) {
  const rules = readRules(mirror, names);
  const idOf = mirror.column<number>('SELECT id FROM record WHERE kind = ? AND key = ?');
  return (kind: string, key: string): string | undefined => (rules ? rules.get(idOf.get(kind, key) ?? 0) : '');
}

/** Ids of records in any of these subjects, now or by words of a version that ended since, as JSON; or undefined. */
export function subjectChangesJson(mirror: Mirror, { subject, since }: SubjectChoice & { since: string }) {
  const rules = readRules(mirror, subject);
  if (rules === null) return undefined;
  const subjects = subject!.map((name) => findSubject(mirror, name));
  const sql = `SELECT record AS id, json FROM version WHERE seen_to > ?
    UNION ALL SELECT id, coalesce(row, detail) FROM main.record WHERE withdrawn IS NOT NULL`;
  const formerRows = mirror.sql<{ id: number; json: string }>(sql).all(since);
  const former = formerRows.filter(({ id, json }) =>
    subjects.some((each) => hasWords(each, kindOfRecord(id), JSON.parse(json))),
  );
  return JSON.stringify([...rules.keys(), ...former.map(({ id }) => id)]);
}

/** Names of the subjects that words of a record put it into. */
export const subjectsOfWords = ({ path }: Mirror, kind: Kind, document: Document): string[] =>
  readAllSubjects(path).flatMap((each) => (hasWords(each, kind, document) ? [each.name] : []));

/** True if content of a record has the words of an entry and, for a ballot, a nature of the subject. */
function hasWords(subject: UserSubject, { name: kind, search }: Kind, document: Document): boolean {
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
