import { ServiceAnswerError } from '../errors.ts';
import { datasets, type Kind, kindOf } from '../model/kinds.ts';
import { profilePath } from '../service/records.ts';
import { markRelatedStale } from '../store/saving/detail.ts';
import { minDayIntervalMs } from '../store/saving/evidence.ts';
import { saveObservation } from '../store/saving/missing-records.ts';
import { findListedKey, listUnverified, profileFinding, type UnverifiedRecord } from '../store/saving/verification.ts';
import { withdrawMissing } from '../store/saving/withdrawals.ts';
import { hasFullDocument, isMarkedAbsent } from '../store/syncs/to-fetch.ts';
import { transaction } from '../store/transaction.ts';
import { amount, say } from '../words/speech.ts';
import { addMissing, coversKind, isoTime, type PlanInput, type Stage, type SyncContext } from './context.ts';
import { datasetUrl } from './dataset-download.ts';
import { fetchDetail } from './details.ts';
import { isAddressFailure } from './failures.ts';
import type { ProfileKind } from './profile-composition.ts';
import { maxShrinkOf } from './quarantine.ts';
import { requestEach } from './request-each.ts';

/** Maximum number of requests about missing records in one run: as many as a quarter of an hour allows. */
const maxAddresses = 1000;

/** After this many profiles in a row with their missing records, the lists must be incomplete: the stage ends. */
const maxPresentInARow = 12;

/** A profile to request about missing records: its politician or party, or records that the politician's would list. */
type VerificationAddress = { kind: ProfileKind; slug: string; unverifiedRecords: UnverifiedRecord[] };

/** True if the requested profile is that of the missing record: evidence by `address`, else by `profile`. */
const isOwnProfile = (record: UnverifiedRecord, { kind, slug }: VerificationAddress): boolean =>
  record.kind === kind && record.key === slug;

/** An address without a profile: the HTTP status, and the slug to which it moved, if any. */
type AbsentProfile = VerificationAddress & { status: number; movedTo: string | null };

/** The stage that requests the profiles of missing records, the longest unverified first, and withdraws proven ones. */
export const withdrawalStage: Stage = {
  name: 'withdrawals',
  kinds: datasets.map(({ name }) => name),
  plan({ mirror, scope, now }) {
    const requests = addressesToRequest({ mirror, scope, now }).length;
    return requests === 0 ? null : { requests, atLeast: true, what: 'addresses of records that a list lacked' };
  },
  async run(context) {
    await verifyMissing(context);
    for (const kind of datasets) if (coversKind(context.scope, kind.name)) judgeMissing(context, kind);
  },
};

function addressesToRequest({ mirror, scope, now }: Omit<PlanInput, 'origin'>): VerificationAddress[] {
  const unverifiedRecords = mirror ? listUnverified(mirror, isoTime(now() - minDayIntervalMs)) : [];
  const requestedRecords = unverifiedRecords.filter(({ kind }) => coversKind(scope, kind));
  const kindOfAddress = ({ kind }: UnverifiedRecord) => (kind === 'party' ? kind : 'politician');
  const byAddress = Map.groupBy(requestedRecords, (each) => `${kindOfAddress(each)} ${each.owner}`);
  return [...byAddress.values()].slice(0, maxAddresses).map((records) => ({
    kind: kindOfAddress(records[0]!),
    slug: records[0]!.owner,
    unverifiedRecords: records,
  }));
}

/** After the list of a kind is saved: withdraws records with sufficient evidence; none, with an error, if too many. */
export function judgeMissing(context: SyncContext, kind: Kind, url = datasetUrl(context, kind)): void {
  const { mirror } = context;
  const at = isoTime(context.now());
  transaction(mirror, () => {
    const tally = withdrawMissing(mirror, kind, { at, maxShrink: maxShrinkOf(context, kind) });
    if (tally.blocked > 0) {
      const sentence = say`${kind.plural}: ${amount(tally.blocked, 'record')} missing, too many within thirty days; none was marked as withdrawn`;
      const hint = say`if the service intends this: \`hemicycle sync --accept ${kind.plural}\``;
      const error = new ServiceAnswerError(url, sentence, { hint });
      context.tally.errors.push({ stage: kind.plural, error });
      context.progress.note(error.phrase);
    }
    if (tally.withdrawn === 0) return;
    if (kind.dataset) markRelatedStale(mirror, kind, at);
    addMissing(context, kind.name, tally);
  });
}

/** Requests the profiles of missing politicians and parties, and of owners of missing facts; saves the findings. */
async function verifyMissing(context: SyncContext): Promise<void> {
  const { mirror, client } = context;
  const addresses = addressesToRequest(context);
  if (addresses.length === 0) return;
  const absences: AbsentProfile[] = [];
  let presentInARow = 0;
  const servesProfiles = new Map<ProfileKind, boolean>();
  const items = {
    stage: 'withdrawals',
    items: addresses,
    address: ({ kind, slug }: VerificationAddress) => client.address(profilePath(kindOf(kind), slug)),
    name: ({ slug }: VerificationAddress) => slug,
  };
  await requestEach(context, items, async (address, itemContext) => {
    const { kind, slug, unverifiedRecords } = address;
    const { status, sentAt, movedTo = null } = await fetchDetail(itemContext, { kind: kindOf(kind), slug });
    if (status === null) {
      // The service has the profile; without `sentAt` it is stale or unconfirmed: no evidence.
      servesProfiles.set(kind, true);
      const findings = transaction(mirror, () =>
        (sentAt ? unverifiedRecords : []).map((unverified) => {
          const isOwn = isOwnProfile(unverified, address);
          const finding = isOwn ? 'present' : profileFinding(mirror, unverified);
          saveObservation(mirror, unverified.id, { route: isOwn ? 'address' : 'profile', finding, at: sentAt! });
          return finding;
        }),
      );
      if (findings.includes('absent')) presentInARow = 0;
      else if (findings.includes('present')) presentInARow += 1;
      return presentInARow < maxPresentInARow ? 'answered' : 'enough';
    }
    presentInARow = 0;
    absences.push({ ...address, status, movedTo });
    return 'answered';
  });
  for (const address of absences) {
    const isConclusive = address.movedTo !== null || (await isAbsenceConclusive(context, address, servesProfiles));
    transaction(mirror, () => saveAbsence(context, address, isConclusive));
  }
}

/** True if a missing profile proves anything: it is a 404 or 410, and the service has profiles of listed records. */
async function isAbsenceConclusive(
  context: SyncContext,
  { kind, status }: AbsentProfile,
  servesProfiles: Map<ProfileKind, boolean>,
): Promise<boolean> {
  if (status !== 404 && status !== 410) return false;
  const cachedAnswer = servesProfiles.get(kind);
  if (cachedAnswer !== undefined) return cachedAnswer;
  const slug = findListedKey(context.mirror, kind);
  const request = { kind: kindOf(kind), slug: slug ?? '' };
  try {
    servesProfiles.set(kind, slug !== null && (await fetchDetail(context, request)).status === null);
  } catch (error) {
    if (!isAddressFailure(error)) throw error;
    servesProfiles.set(kind, false);
  }
  return servesProfiles.get(kind)!;
}

/** Saves an absent profile as evidence about its own record, if conclusive; as undecided about the others. */
function saveAbsence(context: SyncContext, address: AbsentProfile, isConclusive: boolean): void {
  const { kind, slug, unverifiedRecords, movedTo } = address;
  const { mirror } = context;
  const at = isoTime(context.now());
  for (const unverified of unverifiedRecords) {
    const isOwn = isOwnProfile(unverified, address);
    if (isOwn && !isConclusive) continue;
    if (isOwn && movedTo !== null) saveObservation(mirror, unverified.id, { route: 'moved', finding: movedTo, at });
    // A profile that the service lacked before is no evidence: undecided.
    const hadProfile = isOwn && (hasFullDocument(mirror, kind, slug) || !isMarkedAbsent(mirror, kind, slug));
    const finding = hadProfile ? 'absent' : 'undecided';
    saveObservation(mirror, unverified.id, { route: isOwn ? 'address' : 'profile', finding, at });
  }
}
