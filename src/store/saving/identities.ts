import type { Document } from '../../model/document.ts';
import { contentKey, facetsOf, keyInDocument } from '../../model/facets.ts';
import { type Kind, recordRange } from '../../model/kinds.ts';
import { likenessOf, matchRecords } from '../../model/matching.ts';
import { assignedKeyField, contentHash, daySpellings, uniformDocument } from '../../model/normal-form.ts';
import type { Mirror } from '../mirror.ts';
import { hashKeySql } from '../schema.ts';
import { createNumberSet, type NumberSet } from '../word-index/number-set.ts';

type Candidate = { id: number; key: string; isCurrent: 0 | 1 };
type StoredText = Candidate & { text: string };
type ReceivedRecord = { document: Document; text: string };

export type Identities = ReturnType<typeof createIdentities>;

export type IdentityOptions = {
  /** Numbers of records received so far, shared with other savers of the kind; by default the saver's own. */
  seenNumbers?: NumberSet;
  /** The first `newCount` records are new, even if an equal record without an id is stored. */
  newCount?: number;
  /** True for a page of a feed, which may show only a part of its first and last day. */
  isPage?: boolean;
};

/** Gives keys to records without an id: of an equal stored record; else in `settle` of a similar one, or a new key. */
export function createIdentities(
  mirror: Mirror,
  kind: Kind,
  { seenNumbers: sharedNumbers, newCount = 0, isPage = false }: IdentityOptions,
) {
  const { first } = recordRange(kind);
  const seenNumbers = sharedNumbers ?? createNumberSet();
  // Pages of one walk may overlap, so a stored record matches once per page; otherwise once.
  const usedNumbers: Pick<NumberSet, 'add' | 'has'> = sharedNumbers ? new Set<number>() : seenNumbers;
  const hasStoredRecords = mirror.column('SELECT 1 FROM record WHERE kind = ? LIMIT 1').get(kind.name) === 1;
  const undecidedRecords: ReceivedRecord[] = [];
  const pageDocuments: Document[] = [];
  const dayOf = (document: Document) => facetsOf(kind, uniformDocument(document)).date.slice(0, 10);
  let receivedCount = 0;
  // Unused stored records by content hash, only for content that several records have.
  const unusedByHash = new Map<string, Candidate[]>();
  const isUnused = ({ id }: { id: number }) => !usedNumbers.has(id - first);
  const isPending = ({ id, isCurrent }: Candidate) => isCurrent === 1 && !seenNumbers.has(id - first); // not received

  /** The next unused stored record with that content hash, preferably one not yet received; or undefined. */
  function takeEqualRecord(hash: string): Candidate | undefined {
    const previous = unusedByHash.get(hash);
    if (previous) return previous.shift();
    const equal = mirror.sql<Candidate>(equalRecordsSql).all(kind.name, hash);
    const unused = equal.filter(isUnused).sort((one, other) => Number(isPending(other)) - Number(isPending(one)));
    if (equal.length > 1 || unused.length < equal.length) unusedByHash.set(hash, unused);
    return unused.shift();
  }

  function withKey({ document, text }: ReceivedRecord, key = newKey(document)): ReceivedRecord {
    if (key === contentKey(kind, document)) return { document, text };
    const keyedDocument = { ...document, [assignedKeyField]: key };
    return { document: keyedDocument, text: JSON.stringify(keyedDocument) };
  }

  function newKey(document: Document): string {
    const baseKey = contentKey(kind, document);
    const lastCopyNumber = mirror.column<number | null>(lastCopyNumberSql).get({ kind: kind.name, base: baseKey })!;
    return lastCopyNumber === null ? baseKey : `${baseKey}~${Math.max(lastCopyNumber, 1) + 1}`;
  }

  return {
    seenNumbers,
    hasStoredRecords,
    /** Marks a stored record as received, so that no further record gets its key. */
    markReceived(id: number): void {
      usedNumbers.add(id - first);
      seenNumbers.add(id - first);
    },
    /** The record with its key; null if `settle` will decide it. */
    identify(document: Document, text: string): ReceivedRecord | null {
      const isNew = receivedCount < newCount;
      receivedCount += 1;
      if (isPage) pageDocuments.push(document);
      if (keyInDocument(kind, document) !== null) return { document, text };
      const match = isNew ? undefined : takeEqualRecord(contentHash(kind, document));
      // Moderation entries are events, which nobody edits.
      if (match || isNew || !hasStoredRecords || kind.name === 'audit') return withKey({ document, text }, match?.key);
      undecidedRecords.push({ document, text });
      return null;
    },
    /** Yields the undecided records with their keys; save each before the next. */
    *settle(): Generator<ReceivedRecord> {
      const received = undecidedRecords.splice(0);
      if (received.length === 0) return;
      const days = new Set(received.map(({ document }) => dayOf(document)));
      const uniformHash = (document: Document) => contentHash(kind, uniformDocument(document));
      const hashes = new Set(received.map(({ document }) => uniformHash(document)));
      // A withdrawn record, or one of another page, matches equal content only, whatever its notation.
      const isCandidate = (each: StoredText) => isPending(each) || hashes.has(uniformHash(JSON.parse(each.text)));
      const stored = [...days]
        .flatMap(daySpellings)
        .flatMap((day) => mirror.sql<StoredText>(recordsOfDaySql).all({ kind: kind.name, day }))
        .filter((each) => isUnused(each) && isCandidate(each));
      const storedTexts = stored.map(({ text }) => likenessOf(kind, JSON.parse(text)));
      const texts = received.map(({ document }) => likenessOf(kind, document));
      // On the first and last day of a page only equal texts match: similar ones may stand on pages that were not read.
      const uncertainDays = firstAndLast(pageDocuments.map(dayOf));
      for (const [at, match] of matchRecords(storedTexts, texts).entries()) {
        const candidate = match === null ? undefined : stored[match];
        const needsEqual = !candidate?.isCurrent || uncertainDays.includes(dayOf(received[at]!.document));
        const areEqual = () => [...texts[at]!.words].join() === [...storedTexts[match!]!.words].join();
        yield withKey(received[at]!, candidate && (!needsEqual || areEqual()) ? candidate.key : undefined);
      }
    },
  };
}

const firstAndLast = (days: string[]) => [days.sort().at(0), days.at(-1)];

// Without statistics, SQLite would use the index of keys, which contains every record.
const equalRecordsSql = `SELECT id, key, withdrawn IS NULL AS isCurrent FROM record INDEXED BY record_content
  WHERE kind = ? AND hash = ? AND ${hashKeySql} ORDER BY withdrawn IS NOT NULL, id`;

const recordsOfDaySql = `SELECT id, key, withdrawn IS NULL AS isCurrent, coalesce(row, detail) AS text FROM record
  WHERE kind = $kind AND date >= $day AND date < $day || '~' AND substr(date, 1, 10) = $day ORDER BY isCurrent DESC, id`;

/** The highest number among the records with a key of that content, 0 for the first; null if there is none. */
const lastCopyNumberSql = `SELECT max(CAST(substr(key, length($base) + 2) AS INTEGER)) FROM record
  WHERE kind = $kind AND key >= $base AND key < $base || '~~'`;
