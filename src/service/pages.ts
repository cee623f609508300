import { RepeatedPageError, ServiceAnswerError } from '../errors.ts';
import type { Document } from '../model/document.ts';
import type { Client, JsonAnswer, Query } from './client.ts';
import type { Validator } from './headers.ts';
import { readList } from './shapes.ts';

/** One page of a walk; `next` continues it, null at the end. */
export type ServicePage = {
  items: Document[];
  next: string | null;
  total: number | null;
  address: string;
  url: string;
  at: string;
  validator: Validator | null;
};

/** A list of the service: its path, its parameters, and further fields under which its items may stand. */
export type ListRequest = { path: string; query: Query; names: string[] };

/** One page of a list of the service. */
export async function getPage(client: Client, { path, query, names }: ListRequest): Promise<ServicePage> {
  return pageOf(await client.getJson(path, query), names);
}

/** The same, or null if it is still what that validator stands for. */
export async function getPageIfChanged(
  client: Client,
  { path, query, names }: ListRequest,
  known: Validator | null,
): Promise<ServicePage | null> {
  const answer = await client.getJsonIfChanged(path, query, known);
  return answer && pageOf(answer, names);
}

function pageOf(answer: JsonAnswer, names: string[]): ServicePage {
  const { items, next, total } = readList(answer, names);
  return {
    items,
    total,
    next: next === null ? null : cursorIn(next, answer.url),
    address: answer.address,
    url: answer.url,
    at: answer.at,
    validator: answer.validator,
  };
}

/**
 * The pages of a list, from a cursor on, one by one; ends at the end, and fails on a page that comes again. `first`
 * is the first page where it was asked for already.
 */
export async function* pages(
  client: Client,
  { path, query, names }: ListRequest,
  first: ServicePage | null = null,
): AsyncGenerator<ServicePage> {
  const cursors = new Set<string>();
  let previous = '';
  let asked = first;
  for (let cursor = query.cursor; ; ) {
    const page = asked ?? (await getPage(client, { path, query: { ...query, cursor }, names }));
    asked = null;
    const content = JSON.stringify(page.items);
    if (page.items.length > 0 && content === previous)
      throw new RepeatedPageError(page.url, 'the same page came twice; the walk was stopped');
    previous = content;
    if (page.next !== null && (cursors.has(page.next) || page.next === cursor)) {
      throw new RepeatedPageError(page.url, `the cursor ${page.next} came twice; the walk was stopped`);
    }
    yield page;
    if (page.next === null || page.items.length === 0) return;
    cursors.add(page.next);
    cursor = page.next;
  }
}

/** A next address is followed by its cursor, so that it never leads away from the service. */
function cursorIn(next: string, from: string): string | null {
  // Base64 may begin with a slash, too: an address names a query.
  if (!/^(https?:\/\/|\/.*\?|\?)/.test(next)) return next;
  const url = new URL(next, from);
  const cursor =
    url.searchParams.get('cursor') ?? url.searchParams.get('page_token') ?? url.searchParams.get('after');
  if (cursor === null)
    throw new ServiceAnswerError(from, `names ${next} as the next page, which holds no cursor`);
  return cursor;
}
