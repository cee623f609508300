import { NotFoundError, ServiceAnswerError } from '../errors.ts';
import { readBallot } from '../model/ballot.ts';
import type { Document } from '../model/document.ts';
import { type Kind, kindOf } from '../model/kinds.ts';
import type { Client, Query } from '../service/client.ts';
import { getPage, pages, type ServicePage } from '../service/pages.ts';
import { readList, readOne } from '../service/shapes.ts';
import { findSlug, isSlug } from '../store/name-lookup.ts';
import type { Mirror } from '../store/open.ts';
import { forgetKnownGround } from '../store/progress.ts';
import { readRecord } from '../store/record.ts';
import { createSaver } from '../store/save.ts';
import { saveDetail } from '../store/save-detail.ts';
import { atOnce } from '../store/transaction.ts';
import { saveFeedPage } from './save-feed-page.ts';
import type { Found, Listing, Source } from './source.ts';
import { fetchBallot } from './sync-ballots.ts';
import { absentStatuses } from './sync-details.ts';
import { markIfNewer } from './sync-updated.ts';

/** Answers from the service, and keeps the records of its answers in the mirror (search hits are only shown). */
export function serviceSource(mirror: Mirror, client: Client): Source {
  const context = { mirror, client };
  return {
    async politicians({ q, party, sort, limit, cursor }) {
      const query = { q, party, sort, limit: Math.min(limit, 100), cursor };
      const page = await getPage(client, { path: '/politicians', query, names: ['politicians'] });
      keepList(context, kindOf('politician'), page);
      return listing(page);
    },
    politician: (name) => profile(context, kindOf('politician'), slugOfName(mirror, 'politician', name)),
    async parties() {
      const page = await getPage(client, { path: '/parties', query: {}, names: ['parties'] });
      keepList(context, kindOf('party'), page);
      return listing(page);
    },
    party: (name) => profile(context, kindOf('party'), slugOfName(mirror, 'party', name)),
    async feed({ types, topic, politician, party, cursor, limit, all }) {
      const query = { types: types?.join(','), topic, politician, party, cursor, limit: Math.min(limit, 50) };
      if (all) return wholeFeed(context, query);
      const page = await getPage(client, { path: '/feed', query, names: ['feed'] });
      keepFeed(context, page);
      return listing(page);
    },
    async search({ query, types, limit, semantic, topic }) {
      const path = semantic ? '/search/semantic' : '/search';
      const asked = semantic
        ? { q: query, topic, k: Math.min(limit, 50) }
        : { q: query, type: types?.join(','), limit };
      const answer = await client.getJson(path, asked);
      const page = readList(answer, ['hits']);
      const said = answer.body as Document;
      const mode = said.mode === 'semantic' ? 'semantic' : 'fulltext';
      const isFallback = typeof said.fallback === 'boolean' ? said.fallback : semantic && mode === 'fulltext';
      return {
        items: page.items.slice(0, limit),
        total: page.total,
        nextCursor: null,
        origin: { from: 'service', as_of: answer.at },
        extra: {
          mode,
          fallback: isFallback,
          suggestions: Array.isArray(said.suggestions) ? said.suggestions : [],
        },
      };
    },
    async ballot(chamber, scrutinId) {
      const outcome = await fetchBallot(context, { chamber, scrutinId });
      const document = outcome && readRecord(mirror, kindOf('ballot'), `${chamber}:${scrutinId}`);
      if (!document)
        throw new NotFoundError(`the service has no ballot ${scrutinId} of the chamber ${chamber}`);
      return {
        item: readBallot(document, { chamber, scrutinId }),
        origin: { from: 'service', as_of: new Date().toISOString() },
      };
    },
    async audit({ entityType, limit }) {
      const query = { entity_type: entityType, limit: Math.min(limit, 200) };
      const page = await getPage(client, { path: '/audit', query, names: ['audit', 'entries', 'log'] });
      keepList(context, kindOf('audit'), page);
      return listing(page);
    },
  };
}

/** A slug is asked as it is; a human name is one that the mirror knows. */
function slugOfName(mirror: Mirror, kind: 'politician' | 'party', name: string): string {
  return isSlug(name) ? name : findSlug(mirror, kind, name);
}

type Context = { mirror: Mirror; client: Client };

function listing({ items, total, next, at }: ServicePage): Listing {
  return { items, total, nextCursor: next, origin: { from: 'service', as_of: at } };
}

async function profile({ mirror, client }: Context, kind: Kind, slug: string): Promise<Found> {
  try {
    const answer = await client.getJson(`/${kind.plural}/${encodeURIComponent(slug)}`);
    const item = { ...readOne(answer, kind, [kind.name, 'profile']), slug };
    atOnce(mirror, () => saveDetail(mirror, kind, item, { at: answer.at }));
    return { item, origin: { from: 'service', as_of: answer.at } };
  } catch (error) {
    const isAbsent = error instanceof ServiceAnswerError && absentStatuses.includes(error.status ?? 0);
    throw isAbsent ? new NotFoundError(`the service has no ${kind.name} "${slug}"`) : error;
  }
}

/** A list may state less of a record than its dataset row; such items do not replace it, but tell if it is old. */
function keepList({ mirror }: Context, kind: Kind, { items, at }: ServicePage): void {
  atOnce(mirror, () => {
    const saver = createSaver(mirror, kind, { at, partial: true });
    for (const item of items) saver.save(item);
    saver.finish();
    if (kind.name === 'politician') for (const item of items) markIfNewer(mirror, item);
  });
}

function keepFeed({ mirror }: Context, { items, at }: ServicePage): void {
  atOnce(mirror, () => {
    const outcomes = saveFeedPage(mirror, items, { at });
    // Items of somewhere in the feed: a sync that meets them has not reached what it knows.
    if ((outcomes.get('content')?.added ?? 0) > 0) forgetKnownGround(mirror);
  });
}

function wholeFeed(context: Context, query: Query): Listing {
  async function* items(): AsyncGenerator<Document> {
    for await (const page of pages(context.client, {
      path: '/feed',
      query: { ...query, limit: 50 },
      names: ['feed'],
    })) {
      keepFeed(context, page);
      yield* page.items;
    }
  }
  return {
    items: items(),
    total: null,
    nextCursor: null,
    origin: { from: 'service', as_of: new Date().toISOString() },
  };
}
