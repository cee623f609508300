import { kindOf, kinds } from '../model/kinds.ts';
import { requestUrl } from '../service/client.ts';
import { profilePath } from '../service/records.ts';
import { markRelatedStale } from '../store/saving/detail.ts';
import { withdraw } from '../store/saving/missing-records.ts';
import {
  listedKey,
  profileAnswer,
  saveVerification,
  type UnverifiedRecord,
  unverifiedRows,
} from '../store/saving/verification.ts';
import { holdsDetail, isMarkedAbsent } from '../store/syncs/to-fetch.ts';
import { transaction } from '../store/transaction.ts';
import { say } from '../words/speech.ts';
import type { ProfileKind } from './composing.ts';
import { addMissing, isoTime, type Planning, type Stage, type SyncContext, tallyOf } from './context.ts';
import { fetchDetail } from './details.ts';
import { askEach } from './each.ts';
import { isOfOneAddress } from './failures.ts';
import { includes } from './scope.ts';

/** Maximum of requests of one run about unseen records: those of a minute. */
const maxAddresses = 60;

/** A URL that still had a record is requested again after this time. */
const askAgainMs = 20 * 3_600_000;

/** After this many URLs in a row that still have their records, the list is treated as incomplete. */
const maxThere = 12;

/** A URL that should have unseen records, and the records that it verifies. */
type VerificationAddress = { kind: ProfileKind; slug: string; unverifiedRecords: UnverifiedRecord[] };

type Absent = VerificationAddress & { status: number };

/** The stage that checks whether unseen records are withdrawn, the oldest first. */
export const withdrawalStage: Stage = {
  name: 'withdrawals',
  kinds: kinds.filter(({ dataset }) => dataset).map(({ name }) => name),
  plan({ mirror, scope, now }) {
    const requests = addressesToAsk({ mirror, scope, now }).length;
    return requests === 0 ? null : { requests, atLeast: true, what: 'addresses of records that a list lacked' };
  },
  run: proveAbsences,
};

function addressesToAsk({ mirror, scope, now }: Omit<Planning, 'origin'>): VerificationAddress[] {
  const addressesByOwner = new Map<string, VerificationAddress>();
  const unverifiedRecords = mirror ? unverifiedRows(mirror, isoTime(now() - askAgainMs)) : [];
  for (const unverified of unverifiedRecords) {
    if (!includes(scope, unverified.kind)) continue;
    const kind = unverified.kind === 'party' ? 'party' : 'politician';
    const address = addressesByOwner.get(`${kind} ${unverified.owner}`) ?? {
      kind,
      slug: unverified.owner,
      unverifiedRecords: [],
    };
    address.unverifiedRecords.push(unverified);
    addressesByOwner.set(`${kind} ${unverified.owner}`, address);
  }
  return [...addressesByOwner.values()].slice(0, maxAddresses);
}

/** Withdraws politicians and parties whose URL is missing (404, 410), and facts missing from a politician's profile. */
async function proveAbsences(context: SyncContext): Promise<void> {
  const { mirror, client, progress } = context;
  const addresses = addressesToAsk(context);
  if (addresses.length === 0) return;
  const absences: Absent[] = [];
  let there = 0;
  let remainingCount = 0;
  const answered = new Map<ProfileKind, boolean>();
  const items = {
    stage: 'withdrawals',
    items: addresses,
    address: ({ kind, slug }: VerificationAddress) => requestUrl(client.baseUrl, profilePath(kindOf(kind), slug), {}),
    isWanted: () => false,
    name: ({ slug }: VerificationAddress) => slug,
  };
  await askEach(context, items, async (address, asking) => {
    const { kind, slug, unverifiedRecords } = address;
    const status = await fetchDetail(asking, { kind: kindOf(kind), slug });
    if (status === null) {
      answered.set(kind, true);
      const proven = transaction(
        mirror,
        () => unverifiedRecords.filter((unverified) => applyProfileAnswer(context, unverified)).length,
      );
      there = proven > 0 ? 0 : there + 1;
      remainingCount += unverifiedRecords.length - proven;
      return there < maxThere ? 'answered' : 'enough';
    }
    there = 0;
    absences.push({ ...address, status });
    return 'answered';
  });
  for (const address of absences) {
    const isConclusive = await isAbsenceConclusive(context, address, answered);
    transaction(mirror, () => settleAbsence(context, address, isConclusive));
  }
  if (remainingCount > 0)
    progress.note(
      say`${remainingCount} records missing from a list still exist at the service, or could not be verified: they are kept`,
    );
}

/** Applies an answered profile to an unseen record; true if the record was withdrawn. */
function applyProfileAnswer(context: SyncContext, unverified: UnverifiedRecord): boolean {
  const answer = unverified.key === unverified.owner ? 'there' : profileAnswer(context.mirror, unverified);
  const at = isoTime(context.now());
  if (answer === 'gone') announce(context, unverified, at);
  else saveVerification(context.mirror, unverified.id, { answer: answer, at });
  return answer === 'gone';
}

function announce(context: SyncContext, { id, kind }: UnverifiedRecord, at: string): void {
  withdraw(context.mirror, id, at);
  const wasNoted = tallyOf(context, kind).unseen > 0;
  addMissing(context, kind, { withdrawn: 1, marked: wasNoted ? -1 : 0, guarded: 0 });
}

/** True if a missing profile is evidence: a listed record of the kind has a profile. */
async function isAbsenceConclusive(
  context: SyncContext,
  { kind, status }: Absent,
  answered: Map<ProfileKind, boolean>,
): Promise<boolean> {
  if (status !== 404 && status !== 410) return false;
  const cached = answered.get(kind);
  if (cached !== undefined) return cached;
  const slug = listedKey(context.mirror, kind);
  const request = { kind: kindOf(kind), slug: slug ?? '' };
  try {
    answered.set(kind, slug !== null && (await fetchDetail(context, request)) === null);
  } catch (error) {
    if (!isOfOneAddress(error)) throw error;
    answered.set(kind, false);
  }
  return answered.get(kind)!;
}

/** Withdraws the record whose own URL is missing; a missing owner's profile is no evidence about its facts. */
function settleAbsence(context: SyncContext, { kind, slug, unverifiedRecords }: Absent, isConclusive: boolean): void {
  const { mirror, now } = context;
  const at = isoTime(now());
  for (const unverified of unverifiedRecords) {
    const isOwn = unverified.kind === kind && unverified.key === slug;
    if (isOwn && isConclusive && (holdsDetail(mirror, kind, slug) || !isMarkedAbsent(mirror, kind, slug))) {
      announce(context, unverified, at);
      markRelatedStale(mirror, kindOf(kind), at);
    } else if (!isOwn || isConclusive) saveVerification(mirror, unverified.id, { answer: 'untold', at });
  }
}
