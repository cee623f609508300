import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { BadInputError, meantHint, UsageError } from '../errors.ts';
import { inputEndings, readColumns, readRecords } from '../format/formats.ts';
import { headerBeside } from '../format/package-description.ts';
import { nearWords } from '../language/near-miss.ts';
import type { OmittedField } from '../model/bounds.ts';
import { isAllowedField } from '../model/identity-guard.ts';
import { findKind, type Kind, kinds, kindWords } from '../model/kinds.ts';
import { refreshNameIndex } from '../names/name-index.ts';
import { saveKindState } from '../store/kind-state.ts';
import { saveMeta, settle } from '../store/meta.ts';
import { asMirrorError, type Mirror } from '../store/mirror.ts';
import { countRows } from '../store/rows.ts';
import { refreshBallotIndex } from '../store/saving/ballot-index.ts';
import { createSaver, type Outcomes, type Saver } from '../store/saving/save.ts';
import { createListIndexes, dropListIndexesIfEmpty } from '../store/schema.ts';
import { forgetAnswers } from '../store/syncs/validators.ts';
import { atOnce, wholeOrNothing } from '../store/transaction.ts';
import { joinIndexParts, mergeIndexAt, refreshIndex } from '../store/word-index/search-index.ts';
import { say, type UserText } from '../words/speech.ts';
import { createPreparer, type PreparedInput, type Preparer } from './prepared-batches.ts';

/** One file that can be imported. */
export type ImportFile = { kind: Kind; path: string; format: string };

export type ImportOptions = {
  /** Moment that the records are counted from, ISO 8601. */
  at: string;
  /** Told of each file when it begins and as its records are saved. */
  progress?: (file: ImportFile, saved: number) => void;
  /** Told of what went another way than it should have, and lost nothing. */
  note?: (text: UserText) => void;
  /** Works out ahead what saving needs; without one, a thread does so once there are many records. */
  preparer?: Preparer;
};

/** What became of one file: how many records, or the error that kept all of it out. */
export type ImportResult = {
  file: ImportFile;
  outcomes: Outcomes | null;
  /** The fields of moderation entries that were left out because they may identify a person, and of how many. */
  leftOut: Map<string, number>;
  error: BadInputError | null;
};

/** The files of a folder (or the one file) that hold records, by kind; throws a UsageError if there are none. */
export function findImportFiles(path: string): ImportFile[] {
  if (!existsSync(path))
    throw new UsageError(
      say`${path} does not exist`,
      say`name a folder of <plural kind>.ndjson, .ndjson.gz, .csv or .parquet files`,
    );
  const isFolder = statSync(path).isDirectory();
  const folder = isFolder ? path : dirname(path);
  const names = isFolder ? readdirSync(path) : [basename(path)];
  const files = kinds.flatMap((kind) => {
    const format = inputEndings.find((each) => names.includes(`${kind.plural}.${each}`));
    return format ? [{ kind, format, path: join(folder, `${kind.plural}.${format}`) }] : [];
  });
  if (files.length > 0) return files.reverse();
  throw new UsageError(
    say`${path} holds nothing to import`,
    say`files are named after the kinds: ${kinds.map(({ plural }) => plural).join(', ')}; with the ending ${inputEndings.join(', ')}`,
  );
}

/** So many records leave parts of the index behind, each of which every search would have to look through. */
const leastToMerge = 100_000;

/** Imports files, each whole or not at all; a file that cannot be read leaves the others standing. */
export async function importFiles(
  mirror: Mirror,
  files: ImportFile[],
  options: ImportOptions,
): Promise<ImportResult[]> {
  try {
    dropListIndexesIfEmpty(mirror);
    // Pages that several files write are copied into the database once, at the end.
    mirror.database.pragma('wal_autocheckpoint = 0');
    mergeIndexAt(mirror, 16, 8);
    const results = await importEach(mirror, files, options);
    withLittleCache(mirror, () => createListIndexes(mirror));
    mergeIndexAt(mirror, 4);
    const added = results.reduce((sum, { outcomes }) => sum + (outcomes?.added ?? 0), 0);
    if (added >= leastToMerge) joinIndexParts(mirror);
    atOnce(mirror, () => {
      refreshBallotIndex(mirror);
      refreshNameIndex(mirror);
      if (results.some(({ outcomes }) => outcomes !== null)) settle(mirror, options.at);
    });
    mirror.database.pragma('wal_checkpoint(TRUNCATE)');
    mirror.database.pragma('wal_autocheckpoint = 1000');
    return results;
  } catch (error) {
    throw asMirrorError(mirror.path, error);
  }
}

/** Sorting the entries of an index takes as much memory again as the cache has: with less it takes no longer. */
const littleCacheKb = 8 * 1024;

function withLittleCache({ database }: Mirror, work: () => void): void {
  const before = database.pragma('cache_size', { simple: true });
  database.pragma(`cache_size = -${littleCacheKb}`);
  work();
  database.pragma(`cache_size = ${before}`);
}

/** So large is the part of the heap that values begin in where an import gains nothing by more of it. */
const maxYoungHeapBytes = 24 * 2 ** 20;

/**
 * Holds the part of the heap that values begin in at its size, once that is so much, until `end`: it would grow to 130 MB, since
 * records live on there until they are saved. V8 takes no size for it while it runs, only a factor to grow by.
 */
export function createYoungHeapCap(bytes = maxYoungHeapBytes): { look(): void; end(): void } {
  let isHeld = false;
  return {
    look() {
      if (isHeld) return;
      const nursery = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
      isHeld = nursery !== undefined && nursery.space_size >= bytes;
      if (isHeld) setFlagsFromString('--semi-space-growth-factor=1');
    },
    end() {
      if (isHeld) setFlagsFromString('--semi-space-growth-factor=2');
      isHeld = false;
    },
  };
}

async function importEach(
  mirror: Mirror,
  files: ImportFile[],
  options: ImportOptions,
): Promise<ImportResult[]> {
  const results: ImportResult[] = [];
  const { note, preparer = createPreparer({ note }) } = options;
  const nursery = createYoungHeapCap();
  try {
    for (const file of files) {
      try {
        const saved = await importFile(mirror, file, { ...options, preparer, batchSaved: nursery.look });
        results.push({ file, ...saved, error: null });
      } catch (error) {
        if (!(error instanceof BadInputError)) throw error;
        results.push({ file, outcomes: null, leftOut: new Map(), error });
      }
    }
  } finally {
    nursery.end();
    await preparer.end();
  }
  return results;
}

async function importFile(
  mirror: Mirror,
  file: ImportFile,
  {
    at,
    note,
    progress,
    preparer,
    batchSaved,
  }: ImportOptions & { preparer: Preparer; batchSaved: () => void },
): Promise<Pick<Saver, 'outcomes' | 'leftOut'>> {
  const { kind, path, format } = file;
  const input = { ...file, beside: format === 'csv' ? await headerBeside(path) : null };
  return wholeOrNothing(mirror, async () => {
    refreshIndex(mirror);
    const columns = await readColumns(input);
    if (columns)
      saveKindState(mirror, kind, {
        columns: kind.name === 'audit' ? columns.filter(isAllowedField) : columns,
      });
    const saver = createSaver(mirror, kind, { at });
    const excess: OmittedField[] = [];
    const isEmpty = countRows(mirror, kind) === 0;
    let saved = 0;
    progress?.(file, saved);
    const batches = readRecords(input, kind, excess);
    // Of what is held already most is the same, and needs none of that.
    for await (const batch of isEmpty ? preparer.ahead(batches, kind) : batches) {
      for (const { document, text, prepared } of batch as PreparedInput[])
        saver.save(document, text, prepared);
      saved += batch.length;
      batchSaved();
      progress?.(file, saved);
    }
    saver.finish();
    // What a service last answered is no longer what the mirror holds.
    forgetAnswers(mirror);
    saveKindState(mirror, kind, { origin: path, retrievedAt: at, rowCount: saved });
    saveMeta(mirror, 'synced_at', at);
    for (const { record, field, reason } of excess)
      note?.(say`${path}: ${record} was taken without "${field}", which is ${reason}`);
    return saver;
  });
}

/** The kind that a word means; throws a UsageError that lists them. */
export function kindNamed(word: string): Kind {
  const kind = findKind(word);
  if (!kind) {
    const near = new Set(nearWords(word, kindWords).map((each) => findKind(each)!.name));
    throw new UsageError(
      say`"${word}" is not a kind of record`,
      meantHint([...near]) ?? say`kinds: ${kinds.map(({ name }) => name).join(', ')}`,
    );
  }
  return kind;
}
