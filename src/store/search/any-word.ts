import { fold } from '../../language/fold.ts';
import type { Query, QueryTerm } from '../../language/query.ts';
import { isActionWord, isAskingWord } from '../../language/stop-words.ts';
import type { Mirror } from '../mirror.ts';
import { kindOfRecord } from '../record.ts';
import { openPostings, type Postings } from '../word-index/postings.ts';
import { type Accumulators, createAccumulators, idfOf, type Saying } from './accumulators.ts';
import { idsAmong } from './counting.ts';
import { matchExpression } from './expression.ts';
import { familyTokens } from './families.ts';
import { type Match, type Step, validMatches } from './ranking.ts';
import type { Scope } from './scope.ts';

/** Records ranked, index entries read, and words read for a prefix. */
const [mostRanked, budget, mostBegun] = [500, 60_000, 20];

/** Weights of words of the same family beside the word, and of an action beside its subject. */
const [ofFamily, ofAction] = [0.7, 0.3];

/** A word that more than these and half of the records hold tells nothing: proposition de loi, in ballots. */
const tooMany = 100;

/**
 * The records of a scope that say any word of a query, those in `except` left out. A word counts as one with its family
 * (téléphone, téléphonique), as by bm25 over stems: FTS5 would give its rarest form the most weight.
 */
export function findAnyWord(
  mirror: Mirror,
  asked: Query,
  { scope, except }: { scope: Scope; except: ReadonlySet<number> },
): Step[] {
  const query = significant(asked);
  const postings = openPostings(mirror, budget);
  const accumulators = createAccumulators(mirror, scope);
  for (const term of query.terms) {
    const share = budget / query.terms.length;
    const sayings = [...sayingsOf(term, { postings, accumulators, share })];
    const records = sayings.reduce((sum, each) => sum + each.records, 0);
    const counts = accumulators.together(sayings);
    if (query.terms.length > 1 && counts.size > Math.max(tooMany, accumulators.records / 2)) continue;
    const weight = query.terms.length > 1 && isActionWord(term.text) ? ofAction : 1;
    accumulators.add({ counts, weight, idf: idfOf(postings, Math.max(records, Math.min(counts.size, 20))) });
  }
  const best = accumulators
    .best(mostRanked + except.size, postings)
    .filter(({ id }) => !except.has(id))
    .map(({ id, score }) => ({ id, relevance: -score, kind: kindOfRecord(id) }));
  const ranked = withoutExcluded(mirror, query, validMatches(mirror, best));
  if (ranked.length === 0) return [];
  const found = scope.kinds.map((kind) => {
    const ids = new Set(ranked.flatMap((each) => (each.kind === kind ? each.id : [])));
    return { kind, ids, total: best.length < mostRanked ? ids.size : null };
  });
  return [
    {
      matched: 'any-word',
      found,
      best: ({ after, limit }) =>
        ranked.slice(after === null ? 0 : ranked.findIndex(({ id }) => id === after.id) + 1).slice(0, limit),
    },
  ];
}

type TermReading = { postings: Postings; accumulators: Accumulators; share: number };

/** The posting lists of a word and its spellings, then of its family without words that are too common. */
function* sayingsOf(
  { prose, readings, phrase, prefix }: QueryTerm,
  { postings, accumulators: { ranges }, share }: TermReading,
): Iterable<Saying & { records: number }> {
  const begun = prefix && prose.length === 1 ? postings.words(prose[0]!, mostBegun) : [];
  for (const tokens of [prose, ...readings, ...begun.map((token) => [token])])
    if (tokens.length > 0)
      yield { ...postings.read(tokens.join(' '), { ranges, most: Math.floor(0.3 * share) }), weight: 1 };
  const isWord = prose.length === 1 && !phrase && !prefix;
  for (const token of isWord ? familyTokens(postings, prose[0]!) : []) {
    const found = postings.read(token, { ranges, most: Math.floor(share / 3) });
    if (!found.isCut) yield { ...found, weight: ofFamily };
  }
}

function withoutExcluded(mirror: Mirror, { excluded }: Query, matches: Match[]): Match[] {
  const match = matchExpression({ terms: excluded, excluded: [] }, 'OR');
  if (match === null) return matches;
  const unwanted = idsAmong(mirror, match, matches);
  return matches.filter(({ id }) => !unwanted.has(id));
}

/** True for a sign after a number. */
const isSign = (text: string) => /^[%€]$/.test(text);

/** The query without stop words, asking words and actions (`qui propose`); unchanged if none remain. */
export function significant(query: Query): Query {
  const terms = query.terms.filter(
    ({ text, phrase }) => phrase || !(isSign(text) || isAskingWord(fold(text).replace(/[^a-z-]/g, ''))),
  );
  const subjects = terms.filter(({ text }) => !isActionWord(text));
  const kept = subjects.length > 1 ? subjects : terms;
  return { ...query, terms: kept.length > 0 ? kept : query.terms };
}
