import { UsageError } from '../errors.ts';
import { escapeHidden } from '../format/sanitise.ts';
import type { Mirror } from '../store/mirror.ts';
import { type Speech, say } from '../words/speech.ts';
import { bagOf } from './bag.ts';
import { type EvidenceRequest, factsName, gatherFacts, maxFactBytes } from './facts.ts';
import { evidencePage } from './page.ts';
import { maxZipBytes, type ZipEntry } from './stored-zip.ts';

/** Creates evidence of records as a bag, the same for the same input; throws if a record is unknown or it is too large. */
export function createEvidence(mirror: Mirror, request: EvidenceRequest, speech: Speech) {
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
  return { facts, entries: bagOf(payload, info) };
}

function refuseLarger(most: number, bytes: number): void {
  if (bytes <= most) return;
  const hint = say`split it into several files`;
  throw new UsageError(say`evidence of these records exceeds ${most} bytes`, hint);
}
