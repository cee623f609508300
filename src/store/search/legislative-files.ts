import { fold } from '../../language/fold.ts';
import { parseQuery, type Query } from '../../language/query.ts';
import { isStopWord } from '../../language/stop-words.ts';
import { kindOf } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { findMatches, sumOf } from './counting.ts';
import { matchExpression } from './expression.ts';
import { rankMatches } from './ranking.ts';
import type { Scope } from './scope.ts';

/** Number of best matches whose legislative files are read. */
const maxTextsRead = 60;
/** A file with fewer of these matches is ignored. */
const minTextsOfFile = 2;

/** A title is specific if at most this many texts contain all its words, per match on its file. */
const maxTextsPerMatch = 25;
/** A file is of the law that the query names if it has at least this share of the matches that are on files. */
const minShareOfTexts = 0.3;

const textScope: Scope = { kinds: [kindOf('content')] };

/** The expression for the records on the legislative files of texts that match the query; null without a file. */
export function filesExpression(mirror: Mirror, query: Query, namesLaw?: boolean): string | null {
  const lawIndex = query.terms.findIndex(({ text }) => /^lois?$/i.test(text));
  // By default, the word `loi` decides.
  const isLaw = namesLaw ?? lawIndex !== -1;
  // `loi` before a capitalised word names a law: these two words alone are searched.
  const hasLawName = lawIndex !== -1 && /^\p{Lu}/u.test(query.terms[lawIndex + 1]?.text ?? '');
  const match = matchExpression(hasLawName ? { ...query, terms: query.terms.slice(lawIndex, lawIndex + 2) } : query);
  if (match === null) return null;
  const matchesByKind = findMatches(mirror, match, textScope);
  const ids = [...rankMatches(mirror, matchesByKind, { after: null }).take(maxTextsRead)].map(({ id }) => id);
  const titlesSql = `SELECT coalesce(detail ->> '$.dossier', row ->> '$.dossier')
    FROM json_each(?) AS ranked CROSS JOIN record ON record.id = ranked.value`;
  const storedTitles = mirror.column<string | number | null>(titlesSql).all(JSON.stringify(ids));
  const titles = storedTitles.filter((title) => typeof title === 'string');
  const files = [...Map.groupBy(titles, (title) => title)].flatMap(([title, { length: matchCount }]) => {
    if (matchCount < minTextsOfFile) return [];
    const { match: expression, textCount } = readFileTexts(mirror, title);
    if (expression === null) return [];
    const isSpecificTitle = textCount <= maxTextsPerMatch * matchCount;
    // Skip finance bills: they mention every other law.
    const isFileOfLaw = matchCount >= minShareOfTexts * titles.length && !/\b20\d\d$/.test(title);
    return [{ expression: `(${expression})`, isSpecificTitle, isFileOfLaw }];
  });
  const specificFiles = files.filter(({ isSpecificTitle }) => isSpecificTitle);
  const needsFilesOfLaw = specificFiles.length === 0 && isLaw;
  const selectedFiles = needsFilesOfLaw ? files.filter(({ isFileOfLaw }) => isFileOfLaw) : specificFiles;
  return selectedFiles.length === 0 ? null : selectedFiles.map(({ expression }) => expression).join(' OR ');
}

/** The expression for texts with all words of a file's title, null without words, and the number of matches; cached. */
function readFileTexts(mirror: Mirror, title: string): { match: string | null; textCount: number } {
  return mirror.readOnce(`legislative file ${title}`, () => {
    const query = parseQuery(title);
    const match = matchExpression({ ...query, terms: query.terms.filter(({ text }) => !isStopWord(fold(text))) });
    const matches = match === null ? [] : findMatches(mirror, match, textScope);
    return { match, textCount: sumOf(matches.map(({ total }) => total)) ?? Number.POSITIVE_INFINITY };
  });
}
