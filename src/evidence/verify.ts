import { orNull } from '../errors.ts';
import { tooLargeReason } from '../format/foreign-file.ts';
import { isDocument } from '../model/document.ts';
import { isMoment } from '../model/moment.ts';
import { say } from '../words/speech.ts';
import { createStoredZip, type Fault, readBag, readStoredZip, recreateBag, sha256, timestampName } from './bag.ts';
import { factsName, maxFactBytes } from './facts.ts';
import { captureFaults, warcName } from './warc.ts';

const maxFaults = 100; // Maximum number of faults returned; further faults are only counted.

/** Verifies an evidence file: without faults it agrees with its checksums. `more` counts faults beyond `maxFaults`. */
export function verifyEvidence(bytes: Uint8Array) {
  const entries = readStoredZip(bytes);
  const { files, faults } = readBag(entries);
  const fileFaults = entries.length === 0 ? [notEvidence] : faults.length > 0 ? faults : compareBytes(bytes, files);
  const declaredFacts = fileFaults.length === 0 ? parseFacts(files) : emptyFacts;
  return {
    ...declaredFacts,
    faults: [...fileFaults.slice(0, maxFaults), ...declaredFacts.faults],
    more: Math.max(0, fileFaults.length - maxFaults),
    files: [...files].map(([path, file]) => ({ path, bytes: file.length, sha256: sha256(file) })),
    /** True if the file contains a time stamp, which only openssl can check. */
    isStamped: files.has(timestampName),
  };
}

const notEvidence = { part: 'ZIP', reason: say`it is not an evidence file` };

/** One fault at the first byte that differs from a file created anew from the same files; empty if both are equal. */
function compareBytes(bytes: Uint8Array, files: ReadonlyMap<string, Uint8Array>): Fault[] {
  const expectedArchive = createStoredZip(recreateBag(files));
  if (Buffer.compare(bytes, expectedArchive) === 0) return [];
  const firstDifference = expectedArchive.findIndex((byte, at) => byte !== bytes[at]);
  const offset = firstDifference < 0 ? expectedArchive.length : firstDifference;
  return [{ part: 'ZIP', reason: say`byte ${offset} differs` }];
}

const emptyFacts = { faults: [] as Fault[], madeAt: null as string | null, records: [] as string[] };

/** Declared time and records, and faults of the captures; only a fault if the facts are too large or unreadable. */
function parseFacts(files: ReadonlyMap<string, Uint8Array>): typeof emptyFacts {
  const file = files.get(factsName);
  const factsWithFault = (reason: Fault['reason']) => ({ ...emptyFacts, faults: [{ part: factsName, reason }] });
  if (file && file.length > maxFactBytes) return factsWithFault(tooLargeReason(maxFactBytes));
  const facts = orNull(() => {
    const { format, made_at: madeAt, records, captures } = JSON.parse(Buffer.from(file!).toString('utf8'));
    const isSupportedFormat = format === 'hemicycle-evidence/1' && isMoment(madeAt) && Array.isArray(records);
    if (!isSupportedFormat || !records.every(isRecordReference)) return null;
    const faults = captureFaults(captures, files.get(warcName));
    return { faults, madeAt, records: records.map(({ kind, key }) => `${kind}:${key}`) };
  });
  return facts ?? factsWithFault(say`this program cannot read it`);
}

const isRecordReference = (record: unknown): record is { kind: string; key: string } =>
  isDocument(record) && typeof record.kind === 'string' && typeof record.key === 'string';
