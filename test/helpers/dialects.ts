import type { Document } from '../../src/model/document.ts';
import type { Dialect } from './fake-service.ts';

/** Several ways in which a service may answer what the interface leaves open. */
export const dialects: Dialect[] = [
  { name: 'items and next_cursor', list: (items, next) => ({ items, next_cursor: next }) },
  {
    name: 'bare arrays and a Link header, CSV with commas',
    dataset: 'csv',
    list(items, next, url, response) {
      const target = new URL(url);
      if (next !== null) {
        target.searchParams.set('cursor', next);
        response.setHeader('link', `<${target.href}>; rel="next", <${url.href}>; rel="self"`);
      }
      return items;
    },
  },
  {
    name: 'data and meta.next, wrapped records, CSV with semicolons and a BOM',
    dataset: 'semicolon',
    list: (items, next) => ({ data: items, meta: { next, total: 1000 } }),
    one: (document) => ({ data: document }),
    ballot: frenchBallot,
  },
  {
    name: 'results and pagination.nextCursor, ballots keyed by party, CSV with tabs',
    dataset: 'tab',
    list: (items, next) => ({ results: items, pagination: { nextCursor: next } }),
    ballot: keyedBallot,
  },
  {
    name: 'the resource by its name and links.next, a web page instead of Parquet',
    dataset: 'html',
    list(items, next, url) {
      const resource = url.pathname.split('/').at(-1)!;
      return { [resource]: items, links: { next: next === null ? null : `${url.pathname}?cursor=${next}` } };
    },
    one: (document) => ({ result: document, meta: {} }),
  },
  {
    name: 'items without ids, equal moderation entries',
    ids: 'none',
    audit: 'repeated',
    list: (items, next) => ({ items, next_cursor: next }),
  },
  {
    name: 'items without ids, oldest first, CSV with commas',
    ids: 'none',
    feed: 'ascending',
    dataset: 'csv',
    list: (items, next) => ({ items, next_cursor: next }),
  },
];

/** The first of them, with the number of all matches in every list. */
export function countingDialect(contents: () => Document[]): Dialect {
  return {
    ...dialects[0]!,
    name: 'items and total',
    list: (items, next, url) => ({
      items,
      next_cursor: next,
      total: url.pathname.endsWith('/feed') ? contents().length : items.length,
    }),
  };
}

function frenchBallot({ votes_by_party, totals, ...otherFields }: Document): Document {
  const french = ({
    for: pour,
    against: contre,
    abstention: abstentions,
    non_voting: non_votants,
    ...more
  }: Document) => ({ ...more, pour, contre, abstentions, non_votants }) as Document;
  return {
    ...otherFields,
    totals: totals ? french(totals as Document) : null,
    groups: (votes_by_party as Document[]).map(french),
  };
}

function keyedBallot({ votes_by_party, ...otherFields }: Document): Document {
  const groups = votes_by_party as Document[];
  if (groups.some(({ party }) => party === null)) return { ...otherFields, votes_by_party: groups };
  return {
    ...otherFields,
    votes: Object.fromEntries(groups.map(({ party, ...votes }) => [String(party), votes])),
  };
}
