import { isDeepStrictEqual } from 'node:util';
import { RepeatedPageError, ServiceAnswerError } from '../errors.ts';
import { type Document, textOf } from '../model/document.ts';
import { say } from '../words/speech.ts';
import type { JsonResponse, QueryParameters, ServiceClient } from './client.ts';
import type { Validator } from './headers.ts';
import { readList } from './shapes.ts';

/** One page of a walk. */
export type ServicePage = {
  items: Document[];
  /** What continues the walk; null at the end. */
  next: string | null;
  /** True where the page before it came empty, although the list went on. */
  followsEmptyPage: boolean;
  total: number | null;
  address: string;
  url: string;
  at: string;
  validator: Validator | null;
};

/** A list of the service: its path, its parameters, and further fields under which its items may stand. */
export type ListRequest = { path: string; query: QueryParameters; names: string[] };

/** How a list is walked: from a page that was asked for already; the next one asked for while one is looked at. */
export type WalkOptions = { first?: ServicePage | null; isAhead?: boolean };

/** One page of a list of the service. */
export async function getPage(
  client: ServiceClient,
  { path, query, names }: ListRequest,
): Promise<ServicePage> {
  return parsePage(await client.getJson(path, requestQuery(query)), names);
}

/** The same, or null if it is still what that validator stands for. */
export async function getPageIfChanged(
  client: ServiceClient,
  { path, query, names }: ListRequest,
  known: Validator | null,
): Promise<ServicePage | null> {
  const answer = await client.getJsonIfChanged(path, requestQuery(query), known);
  return answer && parsePage(answer, names);
}

function parsePage(answer: JsonResponse, names: string[]): ServicePage {
  const { items, next, total } = readList(answer, names);
  return {
    items,
    total,
    next: next === null ? null : parseCursor(next, answer.url),
    followsEmptyPage: false,
    address: answer.address,
    url: answer.url,
    at: answer.at,
    validator: answer.validator,
  };
}

/** So many pages in a row without anything new, and a walk leads nowhere: some services shift by a few as they grow. */
const maxPagesWithoutNews = 5;

/**
 * The pages of a list, from a cursor on, one by one: the last has no `next`. Fails on a page or cursor that comes again,
 * and on pages that bring nothing which this walk has not met. An empty page that names a next one is left out, and is
 * the end only if the next one is empty too. `first` is the first page where it was asked for already; with `isAhead` the
 * next page is on its way while one is looked at, which costs a request where the walk is left before its end.
 */
export async function* pages(
  client: ServiceClient,
  { path, query, names }: ListRequest,
  { first = null, isAhead = false }: WalkOptions = {},
): AsyncGenerator<ServicePage> {
  const get = (cursor: QueryParameters[string]) =>
    getPage(client, { path, query: { ...query, cursor }, names });
  const cursors = new Set([query.cursor]);
  const isNew = createSeenFilter();
  let previous: Document[] = [];
  let [barren, blanks] = [0, 0];
  for (let page = first ?? (await get(query.cursor)); ; ) {
    const { items, next, url } = page;
    const isBlank = items.length === 0;
    let following: Promise<ServicePage> | null = null;
    if (isBlank && (next === null || blanks > 0 || cursors.has(next))) {
      yield { ...page, next: null };
      return;
    }
    if (!isBlank) {
      if (isDeepStrictEqual(items, previous))
        throw new RepeatedPageError(url, say`the same page came twice; the walk was stopped`);
      if (next !== null && cursors.has(next))
        throw new RepeatedPageError(url, say`the cursor ${next} came twice; the walk was stopped`);
      previous = items;
      barren = items.filter(isNew).length > 0 ? 0 : barren + 1;
      if (next !== null && barren >= maxPagesWithoutNews)
        throw new RepeatedPageError(
          url,
          say`${barren} pages in a row held nothing that had not come before; the walk was stopped`,
        );
      page.followsEmptyPage = blanks > 0;
      if (isAhead && next !== null) following = get(next);
      // A failure is told behind this page, or not at all where the walk is left here.
      following?.catch(() => {});
      yield page;
      if (next === null) return;
    }
    blanks = isBlank ? blanks + 1 : 0;
    cursors.add(next!);
    page = isBlank ? await endIfAbsent(page, () => get(next!)) : await (following ?? get(next!));
  }
}

/** The page behind an empty one; where the service says that there is none, the empty one is the last. */
async function endIfAbsent(page: ServicePage, ask: () => Promise<ServicePage>): Promise<ServicePage> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ServiceAnswerError && error.isAbsence) return { ...page, next: null };
    throw error;
  }
}

/** 2^24 bits: a memory of its own size, however long a list is; two items of one mark only look alike. */
const seenBytes = 2 ** 21;

/** Tells of each item whether it is new to it, by what it is known by. */
function createSeenFilter(): (item: Document) => boolean {
  const marks = new Uint8Array(seenBytes);
  return (item) => {
    const name = textOf(item, 'id', 'slug') ?? JSON.stringify(item);
    // FNV-1a, folded to 24 bits (http://www.isthe.com/chongo/tech/comp/fnv/#xor-fold).
    let hash = 0x811c9dc5;
    for (let at = 0; at < name.length; at += 1)
      hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193) >>> 0;
    const mark = ((hash >>> 24) ^ hash) & 0xffffff;
    const bit = 1 << (mark & 7);
    const isNew = (marks[mark >> 3]! & bit) === 0;
    marks[mark >> 3]! |= bit;
    return isNew;
  };
}

/**
 * A next address is followed by its cursor, or by its query where it has another name for that (`page`, `offset`), so that it
 * never leads away from the service.
 */
function parseCursor(next: string, from: string): string | null {
  // Base64 may begin with a slash, too: an address, whole or relative to this one, names a query.
  if (!/^(https?:\/\/|\/.*\?|[\w./~-]*\?)/.test(next)) return next;
  const { searchParams, search } = new URL(next, from);
  const cursor = searchParams.get('cursor') ?? searchParams.get('page_token') ?? searchParams.get('after');
  if (cursor === null && searchParams.size === 0)
    throw new ServiceAnswerError(from, say`names ${next} as the next page, which holds no cursor`);
  return cursor ?? search;
}

/** The query of a page, whose cursor may be the query of its address. */
function requestQuery({ cursor, ...query }: QueryParameters): QueryParameters {
  if (typeof cursor !== 'string' || !cursor.startsWith('?')) return { ...query, cursor };
  return { ...query, ...Object.fromEntries(new URLSearchParams(cursor)) };
}
