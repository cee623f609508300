import { getBallot, getPolitician, listBallots, listFeed, listPoliticians, search } from './client.ts';

type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;

/** Gives a value back whose type is that one and no other: where a client says less (`any`), this does not compile. */
const exactly =
  <Type>() =>
  <Given>(value: Given & (Same<Given, Type> extends true ? unknown : never)) =>
    value as Type;

const text = exactly<string>();
const maybeText = exactly<string | null | undefined>();

/** What one client was answered, told in the same words by all of them. */
export async function told() {
  const first = await listPoliticians({ limit: 3 });
  const next = await listPoliticians({ limit: 3, cursor: exactly<string | null>()(first.next_cursor)! });
  const slug = text(first.items[0]!.slug);
  const profile = await getPolitician(slug);
  const feed = await listFeed({
    types: ['promise', 'position'],
    politician: 'oceane-bruyevre',
    limit: 50,
  });
  const found = await search({ q: 'port', type: ['content', 'speech'] });
  const ballots = await listBallots({ voted: ['ADR:for', 'UDC:against'], limit: 5 });
  const missing = await getBallot('none', { chamber: 'Senat' });
  return {
    slugs: [...first.items, ...next.items].map((each) => text(each.slug)),
    total: exactly<number | null>()(first.total),
    name: maybeText(profile.full_name),
    born: maybeText(profile.birth_date),
    roles: (profile.affiliations ?? []).map(({ role }) => maybeText(role)),
    facts: feed.items.map((item) => {
      const type = exactly<'content' | 'promise' | 'position'>()(item.type);
      if (item.type === 'promise') return { type, says: maybeText(item.election) };
      if (item.type === 'position') return { type, says: maybeText(item.stance) };
      return { type, says: maybeText(item.outcome) };
    }),
    hits: found.items.map(({ type, title }) => `${type}: ${text(title)}`),
    ballots: ballots.items.map(({ scrutin_id, totals }) => ({
      id: text(scrutin_id),
      against: exactly<number | null | undefined>()(totals?.against),
    })),
    missing: { status: missing.status, detail: text(missing.problem.detail) },
  };
}

console.log(JSON.stringify(await told()));
