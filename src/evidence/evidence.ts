import { ServiceAnswerError, UsageError } from '../errors.ts';
import { escapeHidden } from '../format/sanitise.ts';
import { askTimestamp, notStamped, type TimestampingOptions } from '../service/timestamping.ts';
import type { Mirror } from '../store/mirror.ts';
import { type Speech, say } from '../words/speech.ts';
import { bagOf, sha256, timestampEntry } from './bag.ts';
import { type EvidenceFacts, type EvidenceRequest, factsName, gatherFacts, maxFactBytes } from './facts.ts';
import { evidencePage } from './page.ts';
import { maxZipBytes, type ZipEntry } from './stored-zip.ts';
import { NoTimestampError, readTimestamp, type Timestamp, timestampRequest } from './timestamp.ts';

/** Evidence in memory: facts, and the files of the archive. */
export type Evidence = {
  facts: EvidenceFacts;
  entries: ZipEntry[];
  /** Bytes whose hash is time-stamped. */
  stamped: Uint8Array;
};

/** Creates evidence of records as a bag, the same for the same input; throws if a record is unknown or it is too large. */
export function createEvidence(mirror: Mirror, request: EvidenceRequest, speech: Speech): Evidence {
  const { facts, files } = gatherFacts(mirror, request);
  const stated = Buffer.from(`${escapeHidden(JSON.stringify(facts, null, 2))}\n`);
  refuseLarger(maxFactBytes, stated.length);
  const payload: ZipEntry[] = [
    ...files,
    { path: factsName, bytes: stated },
    { path: 'data/index.html', bytes: Buffer.from(evidencePage(facts, speech).text) },
  ];
  refuseLarger(
    maxZipBytes / 2,
    payload.reduce((sum, { bytes }) => sum + bytes.length, 0),
  );
  const info = { software: `Hemicycle/${request.version}`, day: request.madeAt.slice(0, 10) };
  return { facts, ...bagOf(payload, info) };
}

function refuseLarger(most: number, bytes: number): void {
  if (bytes <= most) return;
  throw new UsageError(
    say`evidence of these records exceeds ${most} bytes`,
    say`split it into several files`,
  );
}

/** Adds a time stamp; throws a ServiceAnswerError if the authority's response is not a stamp of this evidence. */
export async function stampEvidence(
  evidence: Evidence,
  options: TimestampingOptions,
): Promise<{ entries: ZipEntry[]; timestamp: Timestamp }> {
  const sum = sha256(evidence.stamped);
  const request = timestampRequest(sum);
  const answer = await askTimestamp(request.bytes, options);
  const refused = (reason: ConstructorParameters<typeof ServiceAnswerError>[1]) =>
    new ServiceAnswerError(options.url, reason, { hint: notStamped });
  try {
    const timestamp = readTimestamp(answer);
    if (timestamp.imprint !== sum) throw refused(say`it stamped another hash than the one sent`);
    if (timestamp.nonce !== request.nonce)
      throw refused(say`its time stamp answers another request (the nonce differs)`);
    return { entries: [...evidence.entries, timestampEntry(answer)], timestamp };
  } catch (error) {
    throw error instanceof NoTimestampError ? refused(error.reason) : error;
  }
}
