import { NotFoundError, UsageError } from '../errors.ts';
import type { Document } from '../model/document.ts';
import { type Kind, kindOf } from '../model/kinds.ts';
import { findSlug, findSlugOrNull, isSlug, type NamedKind } from '../names/lookup.ts';
import type { QueryParameters } from '../service/client.ts';
import { getPage, type ServicePage } from '../service/pages.ts';
import { getProfile } from '../service/records.ts';
import type { Mirror } from '../store/mirror.ts';
import { checkFetchedProfile } from '../store/records/profile-comparison.ts';
import { saveDetail } from '../store/saving/detail.ts';
import { createSaver } from '../store/saving/save.ts';
import { saveFeedPage } from '../store/saving/save-feed-page.ts';
import { resetFeedProgress } from '../store/syncs/progress.ts';
import { markStaleIfNewer } from '../store/syncs/to-fetch.ts';
import { transaction, tryTransaction } from '../store/transaction.ts';
import { say, wordPhrase } from '../words/speech.ts';
import { isSetValue } from './parameter.ts';
import type { Listing, RecordAnswer, Service } from './question.ts';

/** Returns a service page as a listing, with the service as its origin. */
export function createListing({ items, total, next, at }: ServicePage): Listing {
  return { items, total, nextCursor: next, origin: { from: 'service', as_of: at } };
}

/** Requests a page of a kind's list and saves its items; `listFields` may contain the list. */
export async function requestList(
  { client, mirror }: Service,
  kind: Kind,
  { query, listFields = [kind.plural] }: { query: QueryParameters; listFields?: string[] },
): Promise<Listing & { items: Document[] }> {
  const page = await getPage(client, { path: `/${kind.plural}`, query, names: listFields });
  tryTransaction(mirror, () => saveList(mirror, kind, page));
  return { ...createListing(page), items: page.items };
}

/** Saves list items without replacing dataset rows; marks profiles older than their list item as stale. */
function saveList(mirror: Mirror, kind: Kind, { items, at }: ServicePage): void {
  const saver = createSaver(mirror, kind, { at, isPartial: true });
  for (const item of items) saver.save(item);
  saver.finish();
  if (kind.name === 'politician') for (const item of items) markStaleIfNewer(mirror, item);
}

/** Saves a feed page in the mirror; new contents reset the progress of the feed's sync. */
export function saveFeed({ mirror }: Service, { items, at }: ServicePage): void {
  tryTransaction(mirror, () => {
    const { outcomes } = saveFeedPage(mirror, items, { at });
    // A sync stops at stored items, assuming that older ones are stored too, which does not hold after this page.
    if ((outcomes.get('content')?.added ?? 0) > 0) resetFeedProgress(mirror);
  });
}

/** Returns the slug for a filter, undefined if absent; looks a name up in the mirror, then in the service's list. */
export async function resolveSlugFilter(service: Service, kindName: NamedKind, input: string | undefined) {
  if (input === undefined || isSlug(input)) return input;
  const resolvedSlug = findSlugOrNull(service.mirror, kindName, input);
  if (resolvedSlug !== null) return resolvedSlug;
  const kind = kindOf(kindName);
  const query = kindName === 'politician' ? { q: input, limit: 100 } : {};
  const page = await getPage(service.client, { path: `/${kind.plural}`, query, names: [kind.plural] });
  // The lookup below needs the saved list.
  transaction(service.mirror, () => saveList(service.mirror, kind, page));
  return findSlug(service.mirror, kindName, input);
}

/** Throws a UsageError if one of the filters, which the service does not support, is set. */
export function refuseUnsupported(filters: Record<string, unknown>): void {
  const [name] = Object.entries(filters).find(([, value]) => isSetValue(value)) ?? [];
  if (name !== undefined) throw unsupportedByService(`--${name.replaceAll('_', '-')}`);
}

/** The error for a feature that the service does not support. */
export function unsupportedByService(feature: string): UsageError {
  const hint = say`only the mirror can answer this: remove --source`;
  return new UsageError(say`the service does not support ${feature}`, hint);
}

/** Requests and saves a profile by slug or name; a slug that the service lacks is tried as a one-word name. */
export async function getProfileByName(service: Service, kindName: NamedKind, input: string): Promise<RecordAnswer> {
  const slug = (await resolveSlugFilter(service, kindName, input))!;
  try {
    return await fetchProfile(service, kindOf(kindName), slug);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const resolvedSlug = findSlugOrNull(service.mirror, kindName, input);
    if (resolvedSlug === null || resolvedSlug === slug) throw error;
    return fetchProfile(service, kindOf(kindName), resolvedSlug);
  }
}

async function fetchProfile({ mirror, client }: Service, kind: Kind, slug: string): Promise<RecordAnswer> {
  const response = await getProfile(client, { kind, slug });
  if (response.state === 'absent' && response.movedTo) return fetchProfile({ mirror, client }, kind, response.movedTo);
  if (response.state !== 'received')
    throw new NotFoundError(say`the service has no ${wordPhrase(kind.name)} "${slug}"`);
  const { document: item, answer } = response;
  tryTransaction(mirror, () => {
    checkFetchedProfile(mirror, { kind, slug }, item);
    saveDetail(mirror, kind, item, { at: answer.at });
  });
  return { item, origin: { from: 'service', as_of: answer.at } };
}
