import type { QueryTerm } from '../../language/query.ts';
import { createExcerpter, type Excerpt, termsToMark } from '../../language/snippet.ts';
import { partiesOf } from '../../model/affiliation.ts';
import { type Document, textOf } from '../../model/document.ts';
import { titleOf } from '../../model/facets.ts';
import { hasColumn, type Kind, kindOf } from '../../model/kinds.ts';
import type { NameHit } from './name-hits.ts';
import type { Hit } from './result-page.ts';

/** A hit: `slug` or `id` by kind; the higher the `score`, the better; `offsets` of matches in UTF-16 units. */
export type SearchHit = ReturnType<typeof textHits>[number];

const snippetLength = 200;

/** Hits of records that match by text; `co_authors` signed one of the `copies`, but not the record itself. */
export function textHits(hits: readonly Hit[], terms: readonly QueryTerm[]) {
  const readExcerpt = createExcerptReader(terms);
  return hits.map(({ kind, key, document, relevance, matchKind, copyCount, coAuthors }) => ({
    ...identityOf(kind, key, document),
    ...readExcerpt(kind, document),
    score: Math.round(-relevance * 1000) / 1000,
    matched: matchKind,
    copies: copyCount,
    ...(coAuthors.length > 0 && { co_authors: coAuthors }),
    ...(kind.search.about.length > 0 ? { politician: textOf(document, 'politician') } : {}),
    ...(hasColumn(kind, 'date') ? { date: textOf(document, 'date') } : {}),
  }));
}

/** Hits of records that the query names; their scores of 100 to 200 rank them before hits by text. */
export function nameHits(names: readonly NameHit[], terms: readonly QueryTerm[]): SearchHit[] {
  const readExcerpt = createExcerptReader(terms);
  return names.map(({ kind, key, document, score, isSure }) => ({
    ...identityOf(kindOf(kind), key, document),
    ...readExcerpt(kindOf(kind), document),
    score: Math.round(100 * (1 + score)),
    matched: isSure ? 'name' : 'corrected',
    copies: 0,
  }));
}

function identityOf(kind: Kind, key: string, document: Document) {
  const keyFields: { slug?: string; id?: string } = kind.keyField === 'slug' ? { slug: key } : { id: key };
  return { type: kind.name, ...keyFields, title: titleOf(kind, document) };
}

/** Creates a reader of a record's snippet and offsets: from the text with most terms, the shown title last. */
function createExcerptReader(terms: readonly QueryTerm[]) {
  const excerpt = createExcerpter(terms);
  const termCount = termsToMark(terms).length;
  return (kind: Kind, document: Document) => {
    const shownTitle = titleOf(kind, document);
    const texts = [...kind.search.body, ...kind.search.title]
      .map((field) => textOf(document, field))
      .filter((text) => text !== null)
      .sort((one, other) => Number(one === shownTitle) - Number(other === shownTitle));
    let bestExcerpt: Excerpt = { text: '', offsets: [], distinct: -1 };
    for (const text of texts) {
      const candidate = excerpt(text, snippetLength);
      if (candidate.distinct > bestExcerpt.distinct) bestExcerpt = candidate;
      if (bestExcerpt.distinct === termCount) break;
    }
    return { snippet: bestExcerpt.text || personFacts(document), offsets: bestExcerpt.offsets };
  };
}

/** Facts that distinguish a person without a text from homonyms: years, profession, department, groups; or empty. */
function personFacts(document: Document): string {
  const [birthYear, deathYear] = ['birth_date', 'death_date'].map((day) => textOf(document, day)?.slice(0, 4));
  const years = birthYear || deathYear ? `${birthYear ?? ''}–${deathYear ?? ''}` : null;
  const [profession, department] = ['profession', 'department'].map((field) => textOf(document, field));
  const groups = [...new Set(partiesOf(document, null))].slice(-2).join(', ');
  return [years, profession, department, groups].filter(Boolean).join(' · ');
}
