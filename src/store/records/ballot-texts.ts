import { fold } from '../../language/fold.ts';
import { proseText } from '../../language/prose.ts';
import { parseQuery } from '../../language/query.ts';
import { isStopWord } from '../../language/stop-words.ts';
import { textKey } from '../../parliament/text-key.ts';
import { kindOfText, type TextLinkKind } from '../../parliament/text-links.ts';
import type { Mirror } from '../mirror.ts';
import { shadowBallotTables, shadowTextLinks } from '../saving/ballot-tables.ts';
import { ballotsOfText, type NearMatchKinds } from '../search/ballots-by-words.ts';
import { addLongForms } from '../search/expression.ts';

/** What ballots of one text have in common: their legislative file, the bill number, or the name in their titles. */
export type Grouping = 'dossier' | 'number' | 'title';

/** A text with ballots: its key, spellings of its name, keys of its file and titles, groupings, number of ballots. */
export type VotedText = { key: string; names: string[]; keys: string[]; from: Grouping[]; ballots: number };

type NameKeys = { file: string | null; title: string | null }; // columns `text_file` and `text_name`

/** Every text with ballots by key, most ballots first. */
export function votedTexts(mirror: Mirror): Map<string, VotedText> {
  shadowBallotTables(mirror);
  return mirror.readOnce('texts with ballots', () => textsWhere(mirror, 'text_key IS NOT NULL'));
}

/** The text with this name or key, the one with most ballots if several have it; undefined if none has. */
export function textNamed(mirror: Mirror, name: string): VotedText | undefined {
  shadowBallotTables(mirror);
  // The key is indexed and finds nearly every text; the search for a file or a name scans all ballots.
  const sql = `coalesce((SELECT text_key FROM ballot WHERE text_key = @key LIMIT 1),
    (SELECT text_key FROM ballot WHERE @key IN (text_file, text_name) GROUP BY 1 ORDER BY count(*) DESC LIMIT 1))`;
  const [text] = textsWhere(mirror, `text_key = ${sql}`, { key: textKey(name) }).values();
  return text;
}

function textsWhere(mirror: Mirror, condition: string, parameters: { key?: string } = {}): Map<string, VotedText> {
  const sql = `SELECT text_key AS key, text AS name, text_file AS file, text_name AS title,
    iif(text_file IS NOT NULL, 'dossier', iif(text_bill IS NOT NULL, 'number', 'title')) AS grouping, count(*) AS ballots
    FROM ballot WHERE ${condition} GROUP BY 1, 2, 3, 4, 5 ORDER BY 6 DESC, min(day), min(id)`;
  const rows = mirror.sql<NameKeys & { key: string; name: string; grouping: Grouping; ballots: number }>(sql);
  const texts = [...Map.groupBy(rows.all(parameters), ({ key }) => key)].map(([key, spellings]) => ({
    key,
    names: [...new Set(spellings.map(({ name }) => name))],
    keys: [...new Set(spellings.flatMap(({ file, title }) => [file, title]))].filter((each) => each !== null),
    from: [...new Set(spellings.map(({ grouping }) => grouping))].sort(),
    ballots: spellings.reduce((sum, { ballots }) => sum + ballots, 0),
  }));
  return new Map(texts.sort((a, b) => b.ballots - a.ballots).map((text) => [text.key, text]));
}

/** Keys of texts whose ballots match `q`, else of those whose ballots are near matches; most matches first. */
export function searchTextKeys(mirror: Mirror, q: string, nearMatchKinds: NearMatchKinds = 'none'): string[] {
  shadowBallotTables(mirror);
  const sql = `SELECT text_key FROM ballot WHERE text_key IS NOT NULL AND id IN (SELECT value FROM json_each(?))
    GROUP BY 1 ORDER BY count(*) DESC, min(day), min(id)`;
  return mirror.column<string>(sql).all(JSON.stringify(ballotsOfText(mirror, q, nearMatchKinds)));
}

/** The texts of `searchTextKeys`. */
export const searchTexts = (mirror: Mirror, q: string, nearMatchKinds: NearMatchKinds): VotedText[] =>
  searchTextKeys(mirror, q, nearMatchKinds).map((key) => votedTexts(mirror).get(key)!);

/** Keys of the texts with a word of `q` in their names, not only in titles of ballots, such as an author. */
export function textKeysNamedBy(mirror: Mirror, keys: readonly string[], q: string): string[] {
  const terms = addLongForms(mirror, parseQuery(q)).terms.filter(({ text }) => !isStopWord(fold(text)));
  const tokens = terms.flatMap(({ prose, readings, prefix }) =>
    [prose, ...readings].map((each) => ` ${each.join(' ')}${prefix ? '' : ' '}`),
  );
  // The kind of a text, such as `projet de loi`, is that of many others.
  const namesOf = (key: string) =>
    votedTexts(mirror)
      .get(key)!
      .keys.map((name) => name.replace(kindOfText, ''));
  return keys.filter((key) =>
    namesOf(key).some((name) => tokens.some((each) => ` ${proseText(name)} `.includes(each))),
  );
}

/** Another text of the same subject: its name, its number of ballots, and what in the records links it. */
export type RelatedText = { text: string; ballots: number; linked_by: TextLinkKind };

/** Texts linked to the texts with these keys, those with most ballots first. */
export function relatedTexts(mirror: Mirror, keys: readonly string[]): RelatedText[] {
  shadowTextLinks(mirror);
  const sql = `WITH own AS (SELECT value FROM json_each(?)) SELECT
      (SELECT text FROM ballot WHERE text_key = other GROUP BY 1 ORDER BY count(*) DESC, min(day), min(id)) AS text,
      (SELECT count(*) FROM ballot WHERE text_key = other) AS ballots, linked_by FROM text_link
    WHERE text_key IN own AND other NOT IN own AND ballots > 0 GROUP BY other ORDER BY ballots DESC, other`;
  return mirror.sql<RelatedText>(sql).all(JSON.stringify(keys));
}
