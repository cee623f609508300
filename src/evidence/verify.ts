import { tooLarge } from '../format/foreign-file.ts';
import { isDocument } from '../model/document.ts';
import { say } from '../words/speech.ts';
import { openBag, sha256, stampedName, timestampName } from './bag.ts';
import { factsName, maxFactBytes } from './facts.ts';
import { type Fault, readStoredZip } from './stored-zip.ts';
import { NoTimestampError, readTimestamp, type Timestamp } from './timestamp.ts';

/** Faults listed; further ones are only counted. */
const maxListed = 100;

/** Result of a verification; without faults every byte is as it was created. */
export type VerifiedEvidence = {
  faults: Fault[];
  /** Number of faults that are not listed. */
  more: number;
  files: { path: string; bytes: number; sha256: string }[];
  /** Time and records stated in `evidence.json`, if there are no faults. */
  madeAt: string | null;
  records: string[];
  timestamp: Timestamp | null;
};

/** Verifies an evidence file by itself, byte by byte. */
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
    faults: [...faults.slice(0, maxListed), ...stated.faults],
    more: Math.max(0, faults.length - maxListed) + (isZip ? bag.more : 0),
    files: [...bag.files].map(([path, file]) => ({ path, bytes: file.length, sha256: sha256(file) })),
    madeAt: stated.madeAt,
    records: stated.records,
    timestamp: stamp.timestamp,
  };
}

/** Keeps one fault per file: a changed file fails both the manifest and the ZIP checksum. */
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
  if (file && file.length > maxFactBytes)
    return { ...nothingStated, faults: [{ part: factsName, reason: tooLarge(maxFactBytes) }] };
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
    // Invalid JSON: reported below.
  }
  return {
    ...nothingStated,
    faults: [{ part: factsName, reason: say`this program cannot read it` }],
  };
}

const isMoment = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value;

const isNamed = (record: unknown): record is { kind: string; key: string } =>
  isDocument(record) && typeof record.kind === 'string' && typeof record.key === 'string';
