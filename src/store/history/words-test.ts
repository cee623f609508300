import { proseText } from '../../language/prose.ts';
import type { Document } from '../../model/document.ts';
import type { Kind } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { openNewDatabase } from '../open.ts';
import type { WordsFilter } from '../search/all-words.ts';
import { indexEntryOf } from '../word-index/index-entry.ts';

/** A record as it was at some moment, and further texts that are searched. */
type TestedRecord = { id: number; kind: Kind; document: Document; texts: readonly string[] };

/** Opens a test whether a filter's words match a former or present state of a record, indexed alone in memory. */
export function openWordsTest(mirror: Mirror, { alternatives }: WordsFilter) {
  const index = openNewDatabase(':memory:');
  index.exec(mirror.column<string>("SELECT sql FROM main.sqlite_master WHERE name = 'search'").get()!);
  const clear = index.prepare("INSERT INTO search (search) VALUES ('delete-all')");
  const add = index.prepare('INSERT INTO search (name, title, body, about) VALUES (?, ?, ?, ?)');
  const find = index.prepare('SELECT 1 FROM search WHERE search MATCH ?');
  return {
    matches({ id, kind, document, texts }: TestedRecord): boolean {
      const [name, title, body, about] = indexEntryOf(kind, document).columns;
      clear.run();
      add.run(name, title, [body, ...texts.map(proseText)].join(' '), about);
      return alternatives.some(({ match, condition: { sql, parameters } }) => {
        const isMatching = match === null || find.get(match) !== undefined;
        return isMatching && mirror.sql(`SELECT 1 FROM record WHERE id = ? AND ${sql}`).get(id, ...parameters);
      });
    },
    [Symbol.dispose]: (): unknown => index.close(),
  };
}
