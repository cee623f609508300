import { hasTable, type Mirror } from '../mirror.ts';
import { countIndexedRecords } from './search-index.ts';

/** The sorted tokens of the index that begin with a letter, with their numbers of records. */
export type Terms = ReturnType<typeof createTerms>;

/** The saved list is replaced once the index has this many times the records that it had. */
const growthFactor = 1.01;

/** The tokens of a mirror's index, from the saved list or, slower, from the index; cached until the next write. */
export function termsOf(mirror: Mirror): Terms {
  return mirror.readOnce('terms', () => createTerms(readSavedTerms(mirror)?.words ?? readTerms(mirror)));
}

/** Saves the list of tokens if there is none, or if the index has grown by `growthFactor` since. */
export function saveTerms(mirror: Mirror): void {
  const size = countIndexedRecords(mirror);
  const storedTerms = readSavedTerms(mirror);
  if (storedTerms !== null && size < growthFactor * storedTerms.size) return;
  deleteTerms(mirror);
  mirror.database.exec('CREATE TABLE search_terms (size INTEGER NOT NULL, words TEXT NOT NULL) STRICT');
  mirror.sql('INSERT INTO search_terms (size, words) VALUES (?, ?)').run(size, readTerms(mirror));
}

/** Deletes the saved list of tokens. */
export function deleteTerms({ database }: Mirror): void {
  database.exec('DROP TABLE IF EXISTS main.search_terms');
}

function readSavedTerms(mirror: Mirror): { size: number; words: string } | null {
  if (!hasTable(mirror, 'search_terms')) return null;
  return mirror.sql<{ size: number; words: string }>('SELECT size, words FROM main.search_terms').get() ?? null;
}

/** The tokens in order, each on a line with a space and its number of records. */
function readTerms(mirror: Mirror): string {
  // https://sqlite.org/fts5.html#the_fts5vocab_virtual_table_module
  mirror.database.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab('main', 'search', 'row')");
  const sql = "SELECT group_concat(term || ' ' || doc, char(10)) FROM temp.vocabulary WHERE term >= 'a'";
  return mirror.column<string | null>(sql).get() ?? '';
}

/** Reads the list of `readTerms` by binary search, since most queries need few of its tokens. */
function createTerms(list: string) {
  const lines = list === '' ? '' : `${list}\n`;
  const wordAt = (start: number) => lines.slice(start, lines.indexOf(' ', start));
  const nextLine = (start: number) => lines.indexOf('\n', start) + 1;
  /** Start of the first line that is not before `word`, the length if none; SQLite sorts by code point. */
  const lowerBound = (word: string) => {
    let from = 0;
    let to = lines.length;
    while (from < to) {
      const middle = lines.lastIndexOf('\n', ((from + to) >> 1) - 1) + 1;
      if (wordAt(middle) < word) from = nextLine(middle);
      else to = middle;
    }
    return from;
  };
  return {
    /** Number of records that had a token when the list was made; 0 for an unlisted token. */
    countRecords(word: string): number {
      const start = lowerBound(word);
      return wordAt(start) === word ? Number(lines.slice(start + word.length, nextLine(start))) : 0;
    },
    /** Tokens with a prefix, in order. */
    tokensWithPrefix(prefix: string): string[] {
      const tokens: string[] = [];
      for (let at = lowerBound(prefix); at < lines.length && lines.startsWith(prefix, at); at = nextLine(at))
        tokens.push(wordAt(at));
      return tokens;
    },
  };
}
