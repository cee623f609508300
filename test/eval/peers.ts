import { stemmer } from '@orama/stemmers/french';
import Database from 'better-sqlite3';
import { fold } from '../../src/language/fold.ts';
import { isStopWord } from '../../src/language/stop-words.ts';
import { textOf } from '../../src/model/document.ts';
import { keyOf } from '../../src/model/facets.ts';
import { kindOf } from '../../src/model/kinds.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { documentAt } from '../../src/store/record.ts';
import { listBallots } from '../../src/store/records/ballots.ts';
import { rows } from '../../src/store/rows.ts';
import { searchNearBallots } from '../../src/store/search/ballots-by-words.ts';
import { searchInMode } from '../../src/store/search/search.ts';

/** A record as it is judged: its name or title, its own text, and whose and about what it is. */
export type Judged = {
  type: string;
  key: string;
  title: string;
  text: string;
  politician: string | null;
  dossier: string;
};

/** The best records for a query, and what an answer says about how it came to them. */
export type Answered = {
  hits: Judged[];
  /** Words that were looked for in another spelling, as they were looked for. */
  corrected: string[];
  /** Slugs of people and parties that are only suggested. */
  suggested: string[];
  /** Keys of the records of which the answer says that they are only near. */
  near: ReadonlySet<string>;
  /** True if it says that any of the words was enough. */
  isRelaxed: boolean;
};

/** How a question is asked: of everything by words, by meaning, or of the list of ballots. */
export type Way = 'words' | 'meaning' | 'ballots';

/** Somebody who answers queries; throws on what it cannot read. */
export type Peer = { name: string; answer: (query: string, limit: number, searchMode: Way) => Answered };

const searched = ['politician', 'party', 'content', 'speech', 'ballot'] as const;

const nothingSaid = { corrected: [], suggested: [], near: new Set<string>(), isRelaxed: false };

/** This program over a mirror. */
export function oursOver(mirror: Mirror): Peer {
  const recordsByKey = recordsOf(mirror);
  return {
    name: 'ours',
    answer(query, limit, searchMode) {
      if (searchMode === 'ballots') {
        const { items } = listBallots(mirror, { q: query, voted: [], sort: 'date', limit });
        const near = items.length > 0 ? [] : searchNearBallots(mirror, { q: query, limit }).matches;
        const documents = [...items.map((json) => JSON.parse(json)), ...near.map(({ id }) => documentAt(mirror, id))];
        const hits = documents.map((each) => recordsByKey.get(`ballot ${keyOf(kindOf('ballot'), each)}`)!);
        return { ...nothingSaid, hits, isRelaxed: near.length > 0 };
      }
      const filter = { query, types: [...searched], limit };
      const { items: results, ...answer } = searchInMode(
        mirror,
        searchMode === 'meaning' ? 'semantic' : 'fulltext',
        filter,
      );
      const items = [...results, ...(answer.near?.items ?? [])];
      return {
        hits: items.map(({ type, slug, id }) => recordsByKey.get(`${type} ${slug ?? id}`)!),
        corrected: answer.corrected.map(({ to }) => to),
        suggested: answer.suggestions.flatMap((each) => ('slug' in each ? [each.slug] : [])),
        near: new Set((answer.near?.items ?? []).flatMap(({ slug }) => slug ?? [])),
        isRelaxed: answer.near !== null,
      };
    },
  };
}

/**
 * The plain engine that ours must never be worse than: names by their beginnings, then SQLite's own full text over
 * Snowball's stems, best by bm25 first, with all words, or with any where none has all.
 */
export function plainPeer(mirror: Mirror): Peer {
  const database = new Database(':memory:');
  database.exec(`
    CREATE VIRTUAL TABLE names USING fts5(name, tokenize = "unicode61 remove_diacritics 2");
    CREATE VIRTUAL TABLE texts USING fts5(kind UNINDEXED, title, text, tokenize = "unicode61");
  `);
  const addName = database.prepare('INSERT INTO names (rowid, name) VALUES (?, ?)');
  const addText = database.prepare('INSERT INTO texts (rowid, kind, title, text) VALUES (?, ?, ?, ?)');
  const records = [...recordsOf(mirror).values()];
  for (const [at, { type, title, text, dossier }] of records.entries()) {
    if (type === 'politician' || type === 'party') addName.run(at, title);
    else addText.run(at, type, stems(`${title} ${dossier}`).join(' '), stems(text).join(' '));
  }
  const names = database
    .prepare<unknown[], number>('SELECT rowid FROM names WHERE names MATCH ? ORDER BY bm25(names) LIMIT ?')
    .pluck();
  const texts = database
    .prepare<unknown[], number>(
      "SELECT rowid FROM texts WHERE texts MATCH ? AND kind IN ('ballot', ?, ?) ORDER BY bm25(texts) LIMIT ?",
    )
    .pluck();
  return {
    name: 'plain',
    answer(query, limit, searchMode) {
      const queryWords = words(query);
      // A word that is written again finds nothing more, and costs as much again.
      const terms = [...new Set(stems(query))].map((word) => `"${word}"`);
      const telling = stems(queryWords.filter((word) => !isStopWord(word)).join(' ')).map((word) => `"${word}"`);
      if (terms.length === 0) return { ...nothingSaid, hits: [] };
      const kinds = searchMode === 'ballots' ? [null, null] : ['content', 'speech'];
      const nameHits =
        searchMode === 'ballots' ? [] : names.all(queryWords.map((word) => `"${word}" *`).join(' AND '), limit);
      const all = texts.all(terms.join(' AND '), ...kinds, limit);
      const any = all.length === 0 && telling.length > 1 ? texts.all(telling.join(' OR '), ...kinds, limit) : [];
      const hits = [...new Set([...nameHits, ...all, ...any])].slice(0, limit).map((at) => records[at]!);
      return { ...nothingSaid, hits, isRelaxed: any.length > 0 };
    },
  };
}

function stems(text: string): string[] {
  return words(text).map((word) => stemmer(word));
}

function words(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Every record that is searched, as it is judged, by kind and key. */
export function recordsOf(mirror: Mirror): Map<string, Judged> {
  const records = new Map<string, Judged>();
  for (const type of searched) {
    const kind = kindOf(type);
    for (const document of rows(mirror, kind)) {
      const fieldText = (field: string) => textOf(document, field) ?? '';
      const key = keyOf(kind, document);
      const own =
        type === 'politician' ? ['current_role', 'bio'] : type === 'ballot' ? ['title'] : ['description', 'text'];
      const short = type === 'party' ? ` ${fieldText('short_name')}` : '';
      records.set(`${type} ${key}`, {
        type,
        key,
        title: (fieldText('full_name') || fieldText('name') || fieldText('title')) + short,
        text: own.map(fieldText).join('\n'),
        politician: textOf(document, 'politician'),
        dossier: fieldText('dossier'),
      });
    }
  }
  return records;
}
