import { NotFoundError } from '../errors.ts';
import type { Document } from '../model/document.ts';
import { listAudit } from '../store/audit.ts';
import { lastFilled } from '../store/contents.ts';
import { type FeedFilter, listFeed } from '../store/feed.ts';
import type { Mirror } from '../store/mirror.ts';
import { findFilterSlug, findSlug, similarBallots } from '../store/name-lookup.ts';
import type { Page } from '../store/page.ts';
import { listParties } from '../store/parties.ts';
import { listPoliticians } from '../store/politicians.ts';
import { partyProfile, politicianProfile } from '../store/profile.ts';
import { readBallotOf } from '../store/record.ts';
import { type SearchWay, searchBy } from '../store/search.ts';
import type { Found, Listing, Origin, Source } from './source.ts';

/** Answers from the mirror; makes no network call, ever. `searchesByMeaning` is the setting of that name. */
export function mirrorSource(mirror: Mirror, { searchesByMeaning = false } = {}): Source {
  const origin: Origin = { from: 'mirror', as_of: lastFilled(mirror) };
  const listing = ({ items, total, nextCursor }: Page): Listing => ({
    items: documents(items),
    total,
    nextCursor,
    origin,
  });
  const found = (item: Document | undefined, what: string): Found => {
    if (!item) throw new NotFoundError(`${what} is not in the mirror`);
    return { item, origin };
  };
  const slugIn = (kind: 'politician' | 'party', name: string | undefined) =>
    name === undefined ? undefined : findFilterSlug(mirror, kind, name);
  return {
    politicians: async (filter) =>
      listing(listPoliticians(mirror, { ...filter, party: slugIn('party', filter.party) })),
    politician: async (name) => found(politicianProfile(mirror, findSlug(mirror, 'politician', name)), name),
    parties: async () => listing(listParties(mirror)),
    party: async (name) => found(partyProfile(mirror, findSlug(mirror, 'party', name)), name),
    async feed(filter) {
      const { politician, party } = filter;
      const named = {
        ...filter,
        politician: slugIn('politician', politician),
        party: slugIn('party', party),
      };
      return filter.all ? wholeFeed(mirror, named, origin) : listing(listFeed(mirror, named));
    },
    audit: async (filter) => listing(listAudit(mirror, filter)),
    async search({ query, types, limit, semantic, topic }) {
      const by: SearchWay = !semantic ? 'fulltext' : searchesByMeaning ? 'semantic' : 'fallback';
      const { items, total, ...extra } = searchBy(mirror, by, { query, types, limit, topic });
      return { items: items as unknown as Document[], total, nextCursor: null, origin, extra };
    },
    async ballot(chamber, scrutinId) {
      const ballot = readBallotOf(mirror, chamber, scrutinId);
      if (ballot) return { item: ballot, origin };
      const near = similarBallots(mirror, chamber, scrutinId);
      throw new NotFoundError(
        `no ballot ${scrutinId} of the chamber ${chamber} is in the mirror`,
        near,
        'the other chamber is asked with --chamber; `hemicycle sync --ballots` fetches ballots by id',
      );
    },
  };
}

function* documents(texts: Iterable<string>): Generator<Document> {
  for (const text of texts) yield JSON.parse(text);
}

/** The feed from a cursor to its end, a page at a time. */
function wholeFeed(mirror: Mirror, filter: FeedFilter, origin: Origin): Listing {
  const first = listFeed(mirror, filter);
  function* items(): Generator<Document> {
    for (let page: Page | null = first; page; ) {
      yield* documents(page.items);
      page = page.nextCursor === null ? null : listFeed(mirror, { ...filter, cursor: page.nextCursor });
    }
  }
  return { items: items(), total: first.total, nextCursor: null, origin };
}
