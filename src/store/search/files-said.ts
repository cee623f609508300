import { fold } from '../../language/fold.ts';
import { parseQuery, type Query } from '../../language/query.ts';
import { isStopWord } from '../../language/stop-words.ts';
import { documentOf, textOf } from '../../model/document.ts';
import { kindOf } from '../../model/kinds.ts';
import type { Mirror } from '../mirror.ts';
import { findMatches, sumOf } from './counting.ts';
import { inTokensOf, matchExpression } from './expression.ts';
import { bestMatches } from './ranking.ts';
import type { Scope } from './scope.ts';

/** Texts read for their files, and the fewest that are of one file. */
const [mostRead, leastTexts] = [60, 2];

/** The least share of a file's texts that say the words; and, where a law is asked for, of the texts that say them. */
const [leastOfFile, leastOfTexts] = [0.04, 0.3];

const texts: Scope = { kinds: [kindOf('content')] };

/** The expression for what is on the legislative files that texts with all words are about (loi Duplomb); null if none. */
export function filesSaid(mirror: Mirror, query: Query, isOfLaw?: boolean): string | null {
  const from = query.terms.findIndex(({ text }) => /^lois?$/i.test(text));
  const isLaw = isOfLaw ?? from !== -1;
  // Of a question about a law with a name, that name: who voted for la loi Duplomb.
  const isNamed = from !== -1 && /^\p{Lu}/u.test(query.terms[from + 1]?.text ?? '');
  const match = matchExpression(isNamed ? { ...query, terms: query.terms.slice(from, from + 2) } : query);
  if (match === null) return null;
  const stored = mirror.sql<{ row: string | null; detail: string | null }>(
    'SELECT row, detail FROM record WHERE id = ?',
  );
  const found = findMatches(mirror, match, texts);
  const titles = bestMatches(mirror, found, { after: null, limit: mostRead }).flatMap(
    ({ id }) => textOf(documentOf(stored.get(id)!), 'dossier') ?? [],
  );
  const files = [...Map.groupBy(titles, (title) => title)].flatMap(([title, { length }]) => {
    const ofFile =
      length < leastTexts ? null : matchExpression(inTokensOf(mirror, telling(parseQuery(title))));
    if (ofFile === null) return [];
    const total = sumOf(findMatches(mirror, ofFile, texts).map((each) => each.total));
    const isOfFile = total !== null && length >= leastOfFile * total;
    // Whoever names a law means none of the year's budgets, which speak of all others.
    const isOfTexts = length >= leastOfTexts * titles.length && !/\b20\d\d$/.test(title);
    return [{ ofFile: `(${ofFile})`, isOfFile, isOfTexts }];
  });
  const own = files.filter(({ isOfFile }) => isOfFile);
  const meant = own.length === 0 && isLaw ? files.filter(({ isOfTexts }) => isOfTexts) : own;
  return meant.length === 0 ? null : meant.map(({ ofFile }) => ofFile).join(' OR ');
}

function telling(query: Query): Query {
  return { ...query, terms: query.terms.filter(({ text }) => !isStopWord(fold(text))) };
}
