import { stemmer } from '@orama/stemmers/french';
import Database from 'better-sqlite3';
import { fold } from '../../src/language/fold.ts';
import { textOf } from '../../src/model/document.ts';
import { keyOf } from '../../src/model/facets.ts';
import { kindOf } from '../../src/model/kinds.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { rows } from '../../src/store/rows.ts';
import { searchBy } from '../../src/store/search/search.ts';

/** A record as it is judged: its kind and key, its name or title, and its own text. */
export type Judged = { type: string; key: string; title: string; text: string };

/** The best records for a query, and what was looked for in another spelling. */
export type Answered = { found: Judged[]; corrected: string[] };

/** Somebody who answers queries; throws on what it cannot read. */
export type Peer = { name: string; answer: (query: string, limit: number, isMeant: boolean) => Answered };

const searched = ['politician', 'party', 'content', 'speech', 'ballot'] as const;

/** This program over a mirror. */
export function oursOver(mirror: Mirror): Peer {
  const known = recordsOf(mirror);
  return {
    name: 'ours',
    answer(query, limit, isMeant) {
      const filter = { query, types: [...searched], limit };
      const { items, corrected } = searchBy(mirror, isMeant ? 'semantic' : 'fulltext', filter);
      const found = items.map(({ type, slug, id }) => known.get(`${type} ${slug ?? id}`)!);
      return { found, corrected: corrected.map(({ to }) => to) };
    },
  };
}

/** SQLite's own full text over the same records: as it comes, and over Snowball's stems. */
export function plainPeers(mirror: Mirror): Peer[] {
  const stems = (text: string) =>
    words(text)
      .map((word) => stemmer(word))
      .join(' ');
  return [
    peerOf(mirror, { name: 'fts5', tokenize: 'unicode61 remove_diacritics 2', analyse: (text) => text }),
    peerOf(mirror, { name: 'snowball', tokenize: 'unicode61', analyse: stems }),
  ];
}

type Analysis = { name: string; tokenize: string; analyse: (text: string) => string };

function peerOf(mirror: Mirror, { name, tokenize, analyse }: Analysis): Peer {
  const database = new Database(':memory:');
  database.exec(`CREATE VIRTUAL TABLE texts USING fts5(title, text, tokenize = "${tokenize}")`);
  const add = database.prepare('INSERT INTO texts (rowid, title, text) VALUES (?, ?, ?)');
  const records = [...recordsOf(mirror).values()];
  records.forEach((each, at) => void add.run(at, analyse(each.title), analyse(each.text)));
  const select = database
    .prepare<unknown[], number>('SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts) LIMIT ?')
    .pluck();
  return {
    name,
    answer(query, limit) {
      // A word that is written again finds nothing more, and costs as much again.
      const terms = [...new Set(words(analyse(query)))].map((word) => `"${word}"`);
      const found = terms.length === 0 ? [] : select.all(terms.join(' '), limit);
      return { found: found.map((at) => records[at]!), corrected: [] };
    },
  };
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
      const said = (field: string) => textOf(document, field) ?? '';
      const key = keyOf(kind, document);
      const own =
        type === 'politician'
          ? ['current_role', 'bio']
          : type === 'ballot'
            ? ['title']
            : ['description', 'text'];
      records.set(`${type} ${key}`, {
        type,
        key,
        title: said('full_name') || said('name') || said('title'),
        text: own.map(said).join('\n'),
      });
    }
  }
  return records;
}
