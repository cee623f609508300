import { ServiceAnswerError } from '../errors.ts';
import type { Document } from '../model/document.ts';
import type { Client, Query } from './client.ts';
import { readList } from './shapes.ts';

/** One page of a walk; `next` continues it, null at the end. */
export type ServicePage = {
  items: Document[];
  next: string | null;
  total: number | null;
  url: string;
  at: string;
};

/** One page of a list of the service. */
export async function getPage(
  client: Client,
  path: string,
  query: Query,
  names: string[],
): Promise<ServicePage> {
  const answer = await client.getJson(path, query);
  const { items, next, total } = readList(answer, names);
  return {
    items,
    total,
    next: next === null ? null : cursorIn(next, answer.url),
    url: answer.url,
    at: answer.at,
  };
}

/** The pages of a list, from a cursor on, one by one; ends at the end, and fails on a page that comes again. */
export async function* pages(
  client: Client,
  path: string,
  query: Query,
  names: string[],
): AsyncGenerator<ServicePage> {
  const cursors = new Set<string>();
  let previous = '';
  for (let cursor = query.cursor; ; ) {
    const page = await getPage(client, path, { ...query, cursor }, names);
    const content = JSON.stringify(page.items);
    if (page.items.length > 0 && content === previous)
      throw new ServiceAnswerError(page.url, 'the same page came twice; the walk was stopped');
    previous = content;
    if (page.next !== null && (cursors.has(page.next) || page.next === cursor)) {
      throw new ServiceAnswerError(page.url, `the cursor ${page.next} came twice; the walk was stopped`);
    }
    yield page;
    if (page.next === null || page.items.length === 0) return;
    cursors.add(page.next);
    cursor = page.next;
  }
}

/** A next address is followed by its cursor, so that it never leads away from the service. */
function cursorIn(next: string, from: string): string | null {
  if (!/^(https?:\/\/|\/|\?)/.test(next)) return next;
  const url = new URL(next, from);
  const cursor =
    url.searchParams.get('cursor') ?? url.searchParams.get('page_token') ?? url.searchParams.get('after');
  if (cursor === null)
    throw new ServiceAnswerError(from, `names ${next} as the next page, which holds no cursor`);
  return cursor;
}
