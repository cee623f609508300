import type { QueryTerm } from '../../language/query.ts';
import { createExcerpter, type Excerpt, termsToMark } from '../../language/snippet.ts';
import { partiesOf } from '../../model/affiliation.ts';
import { type Document, textOf } from '../../model/document.ts';
import { titleOf } from '../../model/facets.ts';
import { hasColumn, type Kind } from '../../model/kinds.ts';
import type { NameHit } from './names.ts';
import type { Hit } from './page.ts';

/** One hit: `slug` for politicians and parties, else `id`; higher scores are better; UTF-16 offsets of matches. */
export type SearchHit = ReturnType<typeof textHits>[number];

const snippetLength = 200;

/** Records matched by their text, as hits, each with the number of its copies and who signed only these. */
export function textHits(hits: readonly Hit[], terms: readonly QueryTerm[]) {
  const excerptIn = createExcerptReader(terms);
  return hits.map(({ kind, key, document, relevance, matchKind, copies, coAuthors }) => ({
    ...identityOf(kind, key, document),
    ...excerptIn(kind, document),
    score: Math.round(-relevance * 1000) / 1000,
    matched: matchKind,
    copies,
    ...(coAuthors.length > 0 && { co_authors: coAuthors }),
    ...(kind.search.about.length > 0 ? { politician: textOf(document, 'politician') } : {}),
    ...(hasColumn(kind, 'date') ? { date: textOf(document, 'date') } : {}),
  }));
}

/** Records that the query names, as hits. */
export function nameHits(names: readonly NameHit[], terms: readonly QueryTerm[]): SearchHit[] {
  const excerptIn = createExcerptReader(terms);
  return names.map(({ record, key, document, score, isSure }) => ({
    ...identityOf(record, key, document),
    ...excerptIn(record, document),
    score: Math.round(100 * (1 + score)),
    matched: isSure ? 'name' : 'corrected',
    copies: 0,
  }));
}

function identityOf(kind: Kind, key: string, document: Document) {
  const keyFields: { slug?: string; id?: string } = kind.keyField === 'slug' ? { slug: key } : { id: key };
  return { type: kind.name, ...keyFields, title: titleOf(kind, document) };
}

/** Creates excerpts from the field with the most query words; the field shown as title comes last. */
function createExcerptReader(terms: readonly QueryTerm[]) {
  const excerpt = createExcerpter(terms);
  const termCount = termsToMark(terms).length;
  return (kind: Kind, document: Document) => {
    const shownTitle = titleOf(kind, document);
    const texts = [...kind.search.body, ...kind.search.title]
      .map((field) => textOf(document, field))
      .filter((text) => text !== null);
    const otherTexts = texts.filter((text) => text !== shownTitle);
    const titleTexts = texts.filter((text) => text === shownTitle);
    let bestExcerpt: Excerpt = { text: '', offsets: [], distinct: -1 };
    for (const text of [...otherTexts, ...titleTexts]) {
      const each = excerpt(text, snippetLength);
      if (each.distinct > bestExcerpt.distinct) bestExcerpt = each;
      if (bestExcerpt.distinct === termCount) break;
    }
    return { snippet: bestExcerpt.text || personFacts(document), offsets: bestExcerpt.offsets };
  };
}

/** Facts that distinguish a person without a text from homonyms: years, office, department, groups; may be empty. */
function personFacts(document: Document): string {
  const [birthYear, deathYear] = ['birth_date', 'death_date'].map((day) => textOf(document, day)?.slice(0, 4));
  const years = birthYear || deathYear ? `${birthYear ?? ''}–${deathYear ?? ''}` : null;
  const [office, department] = ['profession', 'department'].map((field) => textOf(document, field));
  const groups = [...new Set(partiesOf(document, null))].slice(-2).join(', ');
  return [years, office, department, groups].filter(Boolean).join(' · ');
}
