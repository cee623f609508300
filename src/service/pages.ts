import { RepeatedPageError, ServiceAnswerError } from '../errors.ts';
import { textOf } from '../model/document.ts';
import { say } from '../words/speech.ts';
import type { QueryParameters, ServiceClient } from './client.ts';
import type { Validator } from './headers.ts';
import { readList } from './shapes.ts';

/** One page of a list; `next` is the cursor of the next one, null at the end. */
export type ServicePage = NonNullable<Awaited<ReturnType<typeof getPageIfChanged>>>;

/** A list of the service; its items may be in fields of these `names`, besides the usual ones. */
export type ListRequest = { path: string; query: QueryParameters; names: string[] };

/** Gets one page of a list. */
export async function getPage(client: ServiceClient, list: ListRequest): Promise<ServicePage> {
  return (await getPageIfChanged(client, list, null))!;
}

/** Gets one page by a conditional request; null for 304 Not Modified. */
export async function getPageIfChanged(
  client: ServiceClient,
  { path, query, names }: ListRequest,
  previousValidator: Validator | null,
) {
  const answer = await client.getJsonIfChanged(path, requestQuery(query), previousValidator);
  if (answer === null) return null;
  const { items, next, total } = readList(answer, names);
  const { address, url, at, sentAt, validator } = answer;
  const cursor = next === null ? null : parseCursor(next, url);
  /** Set by `pages`: true if the previous page was empty although the list continued. */
  const followsEmptyPage = false as boolean;
  return { items, total, address, url, at, sentAt, validator, next: cursor, followsEmptyPage };
}

/** Reading fails after this many pages without a new item; some overlap is normal while a list grows. */
const maxRepeatedPages = 5;

/** Yields a list's pages from `firstPage`; skips an empty page, but two in a row end it. Throws a RepeatedPageError. */
export async function* pages(
  client: ServiceClient,
  { path, query, names }: ListRequest,
  firstPage: ServicePage,
): AsyncGenerator<ServicePage> {
  const cursors = new Set([query.cursor]);
  const visitedKeys = new Set<string>();
  let repeatedPages = 0;
  let emptyPages = 0;
  for (let page = firstPage; ; ) {
    const { items, next, url } = page;
    const isEmpty = items.length === 0;
    if (isEmpty && (next === null || emptyPages > 0 || cursors.has(next))) {
      yield { ...page, next: null };
      return;
    }
    if (!isEmpty) {
      if (next !== null && cursors.has(next))
        throw new RepeatedPageError(url, say`the cursor ${next} came twice; reading was stopped`);
      const countBefore = visitedKeys.size;
      for (const item of items) visitedKeys.add(textOf(item, 'id', 'slug') ?? JSON.stringify(item));
      repeatedPages = visitedKeys.size > countBefore ? 0 : repeatedPages + 1;
      if (next !== null && repeatedPages >= maxRepeatedPages)
        throw new RepeatedPageError(url, say`${repeatedPages} pages in a row held no new record; reading was stopped`);
      page.followsEmptyPage = emptyPages > 0;
      yield page;
      if (next === null) return;
    }
    emptyPages = isEmpty ? emptyPages + 1 : 0;
    cursors.add(next!);
    page = await getPage(client, { path, query: { ...query, cursor: next! }, names });
  }
}

/** The cursor in a next link, or the link's query if that has no known parameter; its host is never used. */
function parseCursor(next: string, from: string): string | null {
  // A bare cursor may be Base64 and begin with a slash; a link has a query.
  if (!/^(https?:\/\/|\/.*\?|[\w./~-]*\?)/.test(next)) return next;
  const link = URL.parse(next, from);
  if (link === null || link.searchParams.size === 0)
    throw new ServiceAnswerError(from, say`names ${next} as the next page, which holds no cursor`);
  const { searchParams, search } = link;
  return searchParams.get('cursor') ?? searchParams.get('page_token') ?? searchParams.get('after') ?? search;
}

/** Query parameters of a page; a cursor that begins with `?` replaces parameters of the same names. */
function requestQuery({ cursor, ...query }: QueryParameters): QueryParameters {
  if (typeof cursor !== 'string' || !cursor.startsWith('?')) return { ...query, cursor };
  return { ...query, ...Object.fromEntries(new URLSearchParams(cursor)) };
}
