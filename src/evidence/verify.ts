import { isDocument } from '../model/document.ts';
import { say, saying } from '../words/speech.ts';
import { openBag, sha256, stampedName, timestampName } from './bag.ts';
import { factsName, maxFactBytes } from './facts.ts';
import { type Fault, readStoredZip } from './stored-zip.ts';
import { NoTimestampError, readTimestamp, type Timestamp } from './timestamp.ts';

/** So many faults are told; the others are counted. */
const mostTold = 100;

/** What was looked at in evidence, and what is wrong with it (nothing: every byte is as it was made). */
export type VerifiedEvidence = {
  faults: Fault[];
  /** How many faults there are beyond those. */
  more: number;
  files: { path: string; bytes: number; sha256: string }[];
  /** Told by `evidence.json`, where nothing is wrong: when and of what it was made. */
  madeAt: string | null;
  records: string[];
  timestamp: Timestamp | null;
};

/** Checks every byte of evidence, with nothing but the file itself. */
export function verifyEvidence(bytes: Uint8Array): VerifiedEvidence {
  const zip = readStoredZip(bytes);
  const bag = openBag(zip.entries);
  const stamp = timestampOf(bag.files);
  const [ofWhole, ofFiles] = [true, false].map((isWhole) =>
    zip.faults.filter(({ part }) => (part === 'ZIP') === isWhole),
  );
  const isZip = zip.entries.length > 0;
  const inside = isZip ? [...bag.faults, ...stamp.faults, ...ofFiles!] : [];
  const faults = dedupeFaults([...ofWhole!, ...inside]);
  const stated = faults.length === 0 ? statedIn(bag.files.get(factsName)) : nothingStated;
  return {
    faults: [...faults.slice(0, mostTold), ...stated.faults],
    more: Math.max(0, faults.length - mostTold) + (isZip ? bag.more : 0),
    files: [...bag.files].map(([path, file]) => ({ path, bytes: file.length, sha256: sha256(file) })),
    madeAt: stated.madeAt,
    records: stated.records,
    timestamp: stamp.timestamp,
  };
}

/** A changed file differs from its sum in the manifest and from that in the ZIP file: said once. */
function dedupeFaults(faults: Fault[]): Fault[] {
  const within = (part: string) => part.replace(/^evidence\//, '');
  const met = new Set<string>();
  return faults
    .map(({ part, reason }) => ({ part: within(part), reason }))
    .filter(({ part }) => {
      const isNew = !met.has(part);
      met.add(part);
      return isNew;
    });
}

function timestampOf(files: ReadonlyMap<string, Uint8Array>): {
  timestamp: Timestamp | null;
  faults: Fault[];
} {
  const [answer, stamped] = [files.get(timestampName), files.get(stampedName)];
  if (!answer || !stamped) return { timestamp: null, faults: [] };
  const fault = (reason: Fault['reason']) => ({ timestamp: null, faults: [{ part: timestampName, reason }] });
  try {
    const timestamp = readTimestamp(answer);
    if (timestamp.imprint !== sha256(stamped)) return fault(say`it is the time stamp of something else`);
    return { timestamp, faults: [] };
  } catch (error) {
    if (error instanceof NoTimestampError) return fault(error.reason);
    throw error;
  }
}

type StatedFacts = Pick<VerifiedEvidence, 'faults' | 'madeAt' | 'records'>;

const nothingStated: StatedFacts = { faults: [], madeAt: null, records: [] };

function statedIn(file: Uint8Array | undefined): StatedFacts {
  if (file && file.length > maxFactBytes) {
    const most = saying((speech) => speech.bytes(maxFactBytes));
    const reason = say`it is larger than ${most}, and was not read`;
    return { ...nothingStated, faults: [{ part: factsName, reason }] };
  }
  try {
    const facts = JSON.parse(Buffer.from(file!).toString('utf8'));
    const { format, made_at: madeAt, records } = facts;
    if (
      format === 'hemicycle-evidence/1' &&
      isMoment(madeAt) &&
      Array.isArray(records) &&
      records.every(isNamed)
    )
      return { faults: [], madeAt, records: records.map(({ kind, key }) => `${kind}:${key}`) };
  } catch {
    // The same as what is no evidence of this program.
  }
  return {
    ...nothingStated,
    faults: [{ part: factsName, reason: say`it is not one that this program reads` }],
  };
}

/** A moment as this program writes it. */
const isMoment = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value;

const isNamed = (record: unknown): record is { kind: string; key: string } =>
  isDocument(record) && typeof record.kind === 'string' && typeof record.key === 'string';
