import { kindOf, kinds } from '../model/kinds.ts';
import { requestUrl } from '../service/client.ts';
import { profilePath } from '../service/records.ts';
import { markRelatedStale } from '../store/saving/detail.ts';
import { type Doubt, listedKey, openDoubts, saveDoubt, toldByProfile } from '../store/saving/doubts.ts';
import { withdraw } from '../store/saving/unseen.ts';
import { holdsDetail, isKnownAbsent } from '../store/syncs/to-fetch.ts';
import { atOnce } from '../store/transaction.ts';
import { say } from '../words/speech.ts';
import type { ProfileKind } from './composing.ts';
import { addMissed, isoTime, type Planning, type Stage, type SyncContext, tallyOf } from './context.ts';
import { fetchDetail } from './details.ts';
import { askEach } from './each.ts';
import { isOfOneAddress } from './failures.ts';
import { includes } from './scope.ts';

/** Most addresses that one run asks about unseen records: a minute's requests. */
const maxAddresses = 60;

/** An address that held what a list lacked is asked again after this time. */
const askAgainMs = 20 * 3_600_000;

/** After this many addresses that all hold what a list lacked, the list is taken for incomplete. */
const maxThere = 12;

/** An address that should hold unseen records, and the doubts that it settles. */
type ProofAddress = { kind: ProfileKind; slug: string; doubts: Doubt[] };

/** An address that is not there, with the status that says so. */
type Absent = ProofAddress & { status: number };

/** The stage that asks whether records that a list lacked are gone, the oldest doubt first. */
export const proofStage: Stage = {
  name: 'withdrawals',
  kinds: kinds.filter(({ dataset }) => dataset).map(({ name }) => name),
  plan({ mirror, scope, now }) {
    const requests = addressesToAsk({ mirror, scope, now }).length;
    return requests === 0
      ? null
      : { requests, atLeast: true, what: 'addresses of records that a list lacked' };
  },
  run: proveAbsences,
};

function addressesToAsk({ mirror, scope, now }: Omit<Planning, 'origin'>): ProofAddress[] {
  const found = new Map<string, ProofAddress>();
  const doubts = mirror ? openDoubts(mirror, isoTime(now() - askAgainMs)) : [];
  for (const doubt of doubts) {
    if (!includes(scope, doubt.kind)) continue;
    const kind = doubt.kind === 'party' ? 'party' : 'politician';
    const address = found.get(`${kind} ${doubt.owner}`) ?? { kind, slug: doubt.owner, doubts: [] };
    address.doubts.push(doubt);
    found.set(`${kind} ${doubt.owner}`, address);
  }
  return [...found.values()].slice(0, maxAddresses);
}

/**
 * Withdraws unseen politicians and parties whose own address says 404 or 410, while that of a listed one answers, and facts
 * that the profile of their politician tells no more. What is there, or what nothing is told about, stays.
 */
async function proveAbsences(context: SyncContext): Promise<void> {
  const { mirror, client, progress } = context;
  const addresses = addressesToAsk(context);
  if (addresses.length === 0) return;
  const gone: Absent[] = [];
  let [there, left] = [0, 0];
  const answered = new Map<ProfileKind, boolean>();
  const items = {
    stage: 'withdrawals',
    items: addresses,
    address: ({ kind, slug }: ProofAddress) =>
      requestUrl(client.baseUrl, profilePath(kindOf(kind), slug), {}),
    isWanted: () => false,
    name: ({ slug }: ProofAddress) => slug,
  };
  await askEach(context, items, async (address, asking) => {
    const { kind, slug, doubts } = address;
    const status = await fetchDetail(asking, { kind: kindOf(kind), slug });
    if (status === null) {
      answered.set(kind, true);
      const proven = atOnce(mirror, () => doubts.filter((doubt) => isToldNoMore(context, doubt)).length);
      there = proven > 0 ? 0 : there + 1;
      left += doubts.length - proven;
      return there < maxThere ? 'answered' : 'enough';
    }
    there = 0;
    gone.push({ ...address, status });
    return 'answered';
  });
  for (const address of gone) {
    const isProof = await isGone(context, address, answered);
    atOnce(mirror, () => settleGone(context, address, isProof));
  }
  if (left > 0)
    progress.note(
      say`${left} records that a list lacked are at the service, or nothing is told of them: they stay, unseen`,
    );
}

/** Applies what an answered profile says of a doubt; true if the record was withdrawn. */
function isToldNoMore(context: SyncContext, doubt: Doubt): boolean {
  const told = doubt.key === doubt.owner ? 'there' : toldByProfile(context.mirror, doubt);
  const at = isoTime(context.now());
  if (told === 'gone') announce(context, doubt, at);
  else saveDoubt(context.mirror, doubt.id, { answer: told, at });
  return told === 'gone';
}

function announce(context: SyncContext, { id, kind }: Doubt, at: string): void {
  withdraw(context.mirror, id, at);
  const wasNoted = tallyOf(context, kind).unseen > 0;
  addMissed(context, kind, { withdrawn: 1, unseen: wasNoted ? -1 : 0, kept: 0 });
}

/** True if a missing profile proves something: a listed record of the kind has one. */
async function isGone(
  context: SyncContext,
  { kind, status }: Absent,
  answered: Map<ProfileKind, boolean>,
): Promise<boolean> {
  if (status !== 404 && status !== 410) return false;
  const known = answered.get(kind);
  if (known !== undefined) return known;
  const slug = listedKey(context.mirror, kind);
  const asked = { kind: kindOf(kind), slug: slug ?? '' };
  try {
    answered.set(kind, slug !== null && (await fetchDetail(context, asked)) === null);
  } catch (error) {
    if (!isOfOneAddress(error)) throw error;
    answered.set(kind, false);
  }
  return answered.get(kind)!;
}

/** Withdraws the record whose own address is gone; of others, a profile that is not there tells nothing. */
function settleGone(context: SyncContext, { kind, slug, doubts }: Absent, isProof: boolean): void {
  const { mirror, now } = context;
  const at = isoTime(now());
  for (const doubt of doubts) {
    const isOwn = doubt.kind === kind && doubt.key === slug;
    if (isOwn && isProof && (holdsDetail(mirror, kind, slug) || !isKnownAbsent(mirror, kind, slug))) {
      announce(context, doubt, at);
      markRelatedStale(mirror, kindOf(kind), at);
    } else if (!isOwn || isProof) saveDoubt(mirror, doubt.id, { answer: 'untold', at });
  }
}
