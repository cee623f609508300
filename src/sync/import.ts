import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { BadInputError, nearMissHint, UsageError } from '../errors.ts';
import type { InputRecord } from '../format/format.ts';
import { inputExtensions, readColumns, readRecords } from '../format/formats.ts';
import { readDeclaredHeader } from '../format/package-description.ts';
import { nearWords } from '../language/near-miss.ts';
import type { OmittedField } from '../model/bounds.ts';
import { type Document, isDocument, type Json } from '../model/document.ts';
import { keyInDocument } from '../model/facets.ts';
import { anonymousOmission } from '../model/identity-guard.ts';
import { findKind, type Kind, kinds, kindWords } from '../model/kinds.ts';
import { hasFieldOfKind, rawListIn } from '../service/shapes.ts';
import { withheldFields } from '../store/anonymous-log.ts';
import { saveKindState, storedColumns } from '../store/kind-state.ts';
import { type Mirror, saveMeta } from '../store/mirror.ts';
import { asMirrorError } from '../store/mirror-errors.ts';
import { saveContradictionCount } from '../store/records/contradictions.ts';
import { tidyTables } from '../store/records/tidy-tables.ts';
import { refreshBallotTables } from '../store/saving/ballot-tables.ts';
import { refreshIndexes } from '../store/saving/indexes.ts';
import { createSaver } from '../store/saving/save.ts';
import { createListIndexes, dropLargeIndexesIfEmpty, keepColumns } from '../store/schema.ts';
import { deleteResponses } from '../store/syncs/validators.ts';
import { asyncTransaction, transaction } from '../store/transaction.ts';
import { optimizeIndex, refreshIndex, setIndexMerging } from '../store/word-index/search-index.ts';
import { amount, type Phrase, say, saying } from '../words/speech.ts';

/** A file to import; symbolic links must not lead out of `folder`, the folder that the user named. */
export type ImportFile = { kind: Kind; path: string; format: string; folder?: string | null };

export type ImportOptions = {
  /** First-seen time of the records, ISO 8601. */
  at: string;
  /** Called when a file begins and as its records are saved. */
  progress?: (file: ImportFile, saved: number) => void;
  /** Receives notes about problems that lost no records. */
  note?: (text: Phrase) => void;
};

/** Returns the files to import in a folder, or the one file; throws a UsageError if there are none. */
export function findImportFiles(path: string): ImportFile[] {
  if (!existsSync(path))
    throw new UsageError(
      say`${path} does not exist`,
      say`name a folder of <plural kind>.ndjson, .csv or .parquet files; .gz and .zst may follow .ndjson and .csv`,
    );
  const isFolder = statSync(path).isDirectory();
  const folder = isFolder ? path : dirname(path);
  const names = isFolder ? readdirSync(path) : [basename(path)];
  const files = kinds.flatMap((kind) => {
    const format = inputExtensions.find((each) => names.includes(`${kind.plural}.${each}`));
    const filePath = join(folder, `${kind.plural}.${format}`);
    return format ? [{ kind, format, path: filePath, folder: isFolder ? folder : null }] : [];
  });
  if (files.length > 0) return files.reverse();
  throw new UsageError(
    say`${path} contains nothing to import`,
    say`files are named after the kinds: ${kinds.map(({ plural }) => plural).join(', ')}; with the ending ${inputExtensions.join(', ')}`,
  );
}

const dataFilePattern = /^[^.].*\.(csv|tsv|json|jsonl|ndjson|parquet|xlsx|ods|xml)(\.(gz|zst|zip|bz2|xz))?$/i;

/** Files of an export that repeat or describe its records. */
const isCompanion = (name: string) =>
  /^datapackage\.json$|\.meta\.json$/.test(name) || tidyTables.some((each) => name.startsWith(`${each.name}.`));

/** Names each data file of a folder that an import of `files` skips, with the reason; none for the path of a file. */
export function skippedFileNotes(path: string, files: readonly ImportFile[]): Phrase[] {
  if (!statSync(path).isDirectory()) return [];
  const isSkipped = (name: string) => !isCompanion(name) && files.every((file) => basename(file.path) !== name);
  const names = readdirSync(path).filter((name) => dataFilePattern.test(name) && isSkipped(name));
  return names.sort().map((name) => {
    const subject = say`${join(path, name)} was skipped`;
    const extension = inputExtensions.find((each) => name.endsWith(`.${each}`));
    if (!extension) return say`${subject}: an import reads files with the ending ${inputExtensions.join(', ')}`;
    const preferred = files.find(({ kind }) => name === `${kind.plural}.${extension}`);
    if (preferred) return say`${subject}: ${basename(preferred.path)} is read for the same kind`;
    return say`${subject}: its name is not that of a kind, such as ${kinds.at(-1)!.plural}.${extension}`;
  });
}

/** If an import adds at least this many records, it merges the word index: many segments slow every search. */
const minToMerge = 100_000;

/** Imports files, each in a transaction; returns a result for each, with the error of a file that was rejected. */
export async function importFiles(mirror: Mirror, files: ImportFile[], options: ImportOptions) {
  try {
    dropLargeIndexesIfEmpty(mirror);
    // The write-ahead log stays as small as the largest transaction.
    mirror.database.pragma('wal_autocheckpoint = 500');
    setIndexMerging(mirror, 16, 8);
    const results = await Array.fromAsync(files, (file) => importOrReject(mirror, file, options));
    const cacheSize = mirror.database.pragma('cache_size', { simple: true });
    // SQLite sorts in runs of `cache_size`: 4 MB fits the processor cache and takes a third less time.
    mirror.database.pragma('cache_size = -4096');
    createListIndexes(mirror);
    setIndexMerging(mirror, 4);
    if (results.reduce((sum, { outcomes }) => sum + (outcomes?.added ?? 0), 0) >= minToMerge) optimizeIndex(mirror);
    transaction(mirror, () => {
      refreshIndexes(mirror);
      const contradictionNote = saveContradictionCount(mirror);
      if (contradictionNote) options.note?.(contradictionNote);
    });
    mirror.database.pragma('wal_checkpoint(TRUNCATE)');
    mirror.database.pragma('wal_autocheckpoint = 1000');
    mirror.database.pragma(`cache_size = ${cacheSize}`);
    return results;
  } catch (error) {
    throw asMirrorError(mirror.path, error);
  }
}

/** Imports a file; returns its outcomes, or the error that rejected it. */
async function importOrReject(mirror: Mirror, file: ImportFile, options: ImportOptions) {
  try {
    return { file, ...(await importFile(mirror, file, options)), error: null };
  } catch (error) {
    if (!(error instanceof BadInputError)) throw error;
    return { file, outcomes: null, omittedCounts: new Map<string, number>(), error };
  }
}

/** Saves the records of a file; `omittedCounts`: moderation fields omitted because they may identify a person. */
async function importFile(mirror: Mirror, file: ImportFile, { at, note, progress }: ImportOptions) {
  const { kind, path } = file;
  const unread = { count: 0, first: '' };
  const recordsIn = (record: InputRecord) => recordsOrItems(kind, record, unread);
  const input = { ...file, header: await readDeclaredHeader(path, file.format), recordsIn };
  return asyncTransaction(mirror, async () => {
    refreshIndex(mirror);
    const formerColumns = storedColumns(mirror, kind);
    const columns = await readColumns(input);
    if (columns) saveKindState(mirror, kind, { columns });
    const saver = createSaver(mirror, kind, { at, once: true });
    let firstConflict = '';
    const excess: OmittedField[] = [];
    let savedCount = 0;
    progress?.(file, savedCount);
    for await (const batch of readRecords(input, kind, excess)) {
      for (const { document, text, location } of batch) {
        saver.save(document, text);
        if (saver.repeats().conflicts > 0) firstConflict ||= location;
      }
      savedCount += batch.length;
      progress?.(file, savedCount);
    }
    saver.finish();
    if (columns) keepColumns(mirror, kind, formerColumns);
    if (kind.name === 'ballot') refreshBallotTables(mirror);
    // The mirror no longer matches the service's last responses.
    deleteResponses(mirror);
    saveKindState(mirror, kind, { origin: path, retrievedAt: at, rowCount: savedCount });
    saveMeta(mirror, 'synced_at', at);
    const omissions = kind.name === 'audit' ? excess.map(anonymousOmission) : excess;
    const { conflicts } = saver.repeats();
    saveMeta(mirror, `repeated_${kind.name}`, String(conflicts));
    const repeats = say`${amount(conflicts, 'row')} with a repeated key (first: ${locationPhrase(firstConflict)})`;
    if (firstConflict)
      note?.(say`${path}: ignored ${repeats}; the stored row is kept, otherwise the first of that key`);
    const unreadText = say`${amount(unread.count, 'record')} not read, without any field of the kind`;
    if (unread.count > 0) note?.(say`${path}: ${unreadText} (first: ${locationPhrase(unread.first)})`);
    for (const { record, field, reason } of omissions)
      note?.(say`${path}: ${record} was saved without "${field}", which is ${reason}`);
    const withheld = kind.name === 'audit' ? withheldFields(mirror) : [];
    return { outcomes: saver.outcomes, omittedCounts: new Map(withheld.map(({ field, entries }) => [field, entries])) };
  });
}

/** Returns a record, or the items of an envelope; omits and counts what has no field of the kind. */
function recordsOrItems(kind: Kind, record: InputRecord, unread: { count: number; first: string }): InputRecord[] {
  const { document, location } = record;
  const isRecord = (each: Json): each is Document =>
    isDocument(each) && (keyInDocument(kind, each) !== null || hasFieldOfKind(kind, each));
  if (isRecord(document)) return [record];
  return (rawListIn(document, []) ?? [document]).flatMap((item) => {
    if (isRecord(item)) return { document: item, text: JSON.stringify(item), location };
    unread.first ||= location;
    unread.count += 1;
    return [];
  });
}

/** `line 3`, with its word in the language of the user. */
const locationPhrase = (location: string) => saying((speech) => location.replace(/^\w+/, (unit) => speech.word(unit)));

/** Returns the kind that a word names; throws a UsageError that lists the kinds. */
export function parseKind(word: string): Kind {
  const kind = findKind(word);
  if (kind) return kind;
  const nearKinds = new Set(nearWords(word, kindWords).map((each) => findKind(each)!.name));
  const hint = nearMissHint([...nearKinds]) ?? say`kinds: ${kinds.map(({ name }) => name).join(', ')}`;
  throw new UsageError(say`"${word}" is not a kind of record`, hint);
}
