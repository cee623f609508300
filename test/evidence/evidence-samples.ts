import { createBag, createStoredZip } from '../../src/evidence/bag.ts';
import { createEvidence } from '../../src/evidence/evidence.ts';
import { type EvidenceRequest, gatherFacts } from '../../src/evidence/facts.ts';
import { attributionOf } from '../../src/model/attribution.ts';
import type { Document } from '../../src/model/document.ts';
import { type KindName, kindOf } from '../../src/model/kinds.ts';
import type { Capture } from '../../src/service/capture.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { transaction } from '../../src/store/transaction.ts';
import { speechOf } from '../../src/words/speech.ts';
import { withdrawMissing } from '../helpers/withdraw-missing.ts';

/** A day of the mirror's past. */
export const day = (n: number) => `2026-11-${String(n).padStart(2, '0')}T06:00:00.000Z`;

/** A promise that was edited and withdrawn, and came again; and the source that it names. */
export const promise = {
  id: 'prm-1',
  politician: 'anne-delmarais',
  title: 'Planter <b>mille</b> arbres',
  text: 'Mille arbres.',
  url: 'https://valombre.example/promesses/prm-1',
  source_ids: ['src-1', 'src-unknown'],
};
const source = {
  id: 'src-1',
  url: 'https://gazette.example/arbres',
  title: 'La Gazette',
  publisher: 'Gazette de Valombre',
  date: '2026-10-30',
};

/** Fills a mirror with a promise that has a past. */
export function fillWithPast(mirror: Mirror): void {
  const enumerate = (kind: KindName, documents: Document[], at: string) =>
    transaction(mirror, () => {
      const saver = createSaver(mirror, kindOf(kind), { at });
      for (const document of documents) saver.save(document);
      withdrawMissing(mirror, kindOf(kind), { seenNumbers: saver.seenNumbers, at });
      saver.finish();
    });
  enumerate('source', [source], day(1));
  enumerate('promise', [promise], day(1));
  enumerate('promise', [{ ...promise, text: 'Cent arbres.' }], day(2));
  enumerate('promise', [], day(3));
  enumerate('promise', [{ ...promise, text: 'Cent arbres.' }], day(4));
}

/** Evidence of what a mirror saw of that promise, and its bytes. */
export function evidenceOf(
  mirror: Mirror,
  request: Partial<EvidenceRequest> = {},
  language: 'en' | 'fr' = 'en',
  captures: Capture[] | null = null,
): ReturnType<typeof createEvidence> & { bytes: Buffer } {
  const gathered = gatherFacts(mirror, {
    references: [{ kind: 'promise', key: 'prm-1' }],
    asOf: null,
    madeAt: '2026-11-22T10:00:00.000Z',
    version: '1.2.3',
    attribution: attributionOf({ name: 'Service de Valombre', siteUrl: 'https://valombre.example' }),
    ...request,
  });
  const evidence = createEvidence(gathered, captures, speechOf(language));
  return { ...evidence, bytes: Buffer.from(createStoredZip(evidence.entries)) };
}

/** That evidence as whoever means ill makes it: its statement says something else, and every sum agrees. */
export function forgedEvidence(mirror: Mirror, changedFacts: object, captures: Capture[] | null = null): Buffer {
  const { entries, facts } = evidenceOf(mirror, {}, 'en', captures);
  const payload = entries
    .map(({ path, bytes }) => ({ path: path.slice('evidence/'.length), bytes }))
    .filter(({ path }) => path.startsWith('data/'))
    .map((entry) =>
      entry.path === 'data/evidence.json'
        ? { ...entry, bytes: Buffer.from(JSON.stringify({ ...facts, ...changedFacts })) }
        : entry,
    );
  return Buffer.from(createStoredZip(createBag(payload, { software: 'x', day: '2026-11-22' })));
}
