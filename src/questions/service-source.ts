import { NotFoundError, ServiceAnswerError } from '../errors.ts';
import { readBallot } from '../model/ballot.ts';
import type { Document } from '../model/document.ts';
import { type Kind, type KindName, kindOf } from '../model/kinds.ts';
import type { Client, JsonAnswer, Query } from '../service/client.ts';
import { getPage, pages, type ServicePage } from '../service/pages.ts';
import { getBallot, getProfile } from '../service/records.ts';
import { readList } from '../service/shapes.ts';
import { saveDetail } from '../store/detail.ts';
import type { Mirror } from '../store/mirror.ts';
import { findSlug, isSlug } from '../store/name-lookup.ts';
import { forgetKnownGround } from '../store/progress.ts';
import { readRecord } from '../store/record.ts';
import { createSaver, saveBallot } from '../store/save.ts';
import { saveFeedPage } from '../store/save-feed-page.ts';
import { markAbsent, markIfNewer } from '../store/to-fetch.ts';
import { atOnce } from '../store/transaction.ts';
import { keepAnswer } from '../store/validators.ts';
import type { Found, Listing, SearchQuestion, Source } from './source.ts';

/** Answers from the service, and keeps the records of its answers in the mirror (search hits are only shown). */
export function serviceSource(mirror: Mirror, client: Client): Source {
  const context = { mirror, client };
  const slugIn = async (kind: 'politician' | 'party', name: string | undefined) =>
    name === undefined ? undefined : slugOfName(context, kindOf(kind), name);
  return {
    async politicians({ q, party, sort, limit, cursor }) {
      const query = { q, party: await slugIn('party', party), sort, limit: Math.min(limit, 100), cursor };
      const page = await getPage(client, { path: '/politicians', query, names: ['politicians'] });
      keepList(context, kindOf('politician'), page);
      return listing(page);
    },
    politician: (name) => profileOf(context, kindOf('politician'), name),
    async parties() {
      const page = await getPage(client, { path: '/parties', query: {}, names: ['parties'] });
      keepList(context, kindOf('party'), page);
      return listing(page);
    },
    party: (name) => profileOf(context, kindOf('party'), name),
    async feed({ types, topic, politician, party, cursor, limit, all }) {
      const query = {
        types: types?.join(','),
        topic,
        politician: await slugIn('politician', politician),
        party: await slugIn('party', party),
        cursor,
        limit: Math.min(limit, 50),
      };
      if (all) return wholeFeed(context, query);
      const page = await getPage(client, { path: '/feed', query, names: ['feed'] });
      keepFeed(context, page);
      return listing(page);
    },
    async search(question) {
      const answer = await askSearch(client, question);
      const { items, total } = hitsIn(answer, question);
      const said = answer.body as Document;
      const mode = said.mode === 'semantic' ? 'semantic' : 'fulltext';
      const isFallback =
        typeof said.fallback === 'boolean' ? said.fallback : question.semantic && mode === 'fulltext';
      return {
        items,
        total,
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
      const got = await getBallot(client, { chamber, scrutinId });
      if (got.state === 'came')
        atOnce(mirror, () => {
          saveBallot(mirror, got.document, { at: got.answer.at });
          keepAnswer(mirror, got.answer);
        });
      else if (got.state === 'absent') {
        const [key, at] = [`${chamber}:${scrutinId}`, new Date().toISOString()];
        atOnce(mirror, () => markAbsent(mirror, { kind: 'ballot', key }, { status: got.status, at }));
      }
      const document =
        got.state === 'came' && readRecord(mirror, kindOf('ballot'), `${chamber}:${scrutinId}`);
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

/** The interface knows no kinds and no number for a search: a service that refuses them is asked without. */
async function askSearch(
  client: Client,
  { query, types, limit, semantic, topic }: SearchQuestion,
): Promise<JsonAnswer> {
  if (semantic) return client.getJson('/search/semantic', { q: query, topic, k: Math.min(limit, 50) });
  const more = { type: types?.join(','), limit };
  return client.getJson('/search', { q: query, ...more }).catch((error) => {
    const isRefused = error instanceof ServiceAnswerError && [400, 422].includes(error.status ?? 0);
    if (!isRefused) throw error;
    return client.getJson('/search', { q: query });
  });
}

/** The hits that were asked for, whatever a service answers, and how many there are where that is known. */
function hitsIn(
  answer: JsonAnswer,
  { types, limit }: SearchQuestion,
): { items: Document[]; total: number | null } {
  const { items, total, next } = readList(answer, ['hits', 'search']);
  const asked = items.filter(
    ({ type }) => !types || typeof type !== 'string' || types.includes(type as KindName),
  );
  const known = asked.length === items.length ? total : null;
  return { items: asked.slice(0, limit), total: known ?? (next === null ? asked.length : null) };
}

/** The slug that is meant: one is asked as it is; a human name is looked for in the mirror, then in the service's list. */
async function slugOfName(context: Context, kind: Kind, name: string): Promise<string> {
  if (isSlug(name)) return name;
  const known = meantBy(context, kind, name);
  if (known !== null) return known;
  const query = kind.name === 'politician' ? { q: name, limit: 100 } : {};
  const page = await getPage(context.client, { path: `/${kind.plural}`, query, names: [kind.plural] });
  keepList(context, kind, page);
  return findSlug(context.mirror, kind.name as 'politician' | 'party', name);
}

/** A profile by slug or name; what looks like a slug and is none may be a name of one word. */
async function profileOf(context: Context, kind: Kind, name: string): Promise<Found> {
  const slug = await slugOfName(context, kind, name);
  try {
    return await profile(context, kind, slug);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const meant = meantBy(context, kind, name);
    if (meant === null || meant === slug) throw error;
    return profile(context, kind, meant);
  }
}

/** The slug of the one record of the mirror that bears a name, or null; throws an AmbiguousNameError for several. */
function meantBy({ mirror }: Context, kind: Kind, name: string): string | null {
  try {
    return findSlug(mirror, kind.name as 'politician' | 'party', name);
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

type Context = { mirror: Mirror; client: Client };

function listing({ items, total, next, at }: ServicePage): Listing {
  return { items, total, nextCursor: next, origin: { from: 'service', as_of: at } };
}

async function profile({ mirror, client }: Context, kind: Kind, slug: string): Promise<Found> {
  const got = await getProfile(client, { kind, slug });
  if (got.state !== 'came') throw new NotFoundError(`the service has no ${kind.name} "${slug}"`);
  const { document: item, answer } = got;
  atOnce(mirror, () => saveDetail(mirror, kind, item, { at: answer.at }));
  return { item, origin: { from: 'service', as_of: answer.at } };
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
