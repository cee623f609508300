import type { Document } from '../../model/document.ts';
import type { Kind } from '../../model/kinds.ts';
import { contentHash } from '../../model/normal-form.ts';
import { type IndexEntry, indexEntryOf } from '../search/index-entry.ts';

/** What saving a new record needs and takes longest to work out. */
export type Prepared = { hash: string; entry: IndexEntry };

/** Works that out from the record's document alone: pure, so that any thread can. */
export function prepareRecord(kind: Kind, document: Document): Prepared {
  return { hash: contentHash(kind, document), entry: indexEntryOf(kind, document) };
}

/** A batch of them, column by column: one list of texts costs less to hand over than as many objects. */
export type PreparedBatch = {
  hashes: string[];
  entries: { [Column in keyof IndexEntry]: IndexEntry[Column][] };
};

/** The batch by columns. */
export function packPrepared(batch: Prepared[]): PreparedBatch {
  return {
    hashes: batch.map(({ hash }) => hash),
    entries: {
      name: batch.map(({ entry }) => entry.name),
      title: batch.map(({ entry }) => entry.title),
      body: batch.map(({ entry }) => entry.body),
      about: batch.map(({ entry }) => entry.about),
      acronyms: batch.map(({ entry }) => entry.acronyms),
    },
  };
}

/** The record at that place of a batch. */
export function preparedAt({ hashes, entries }: PreparedBatch, at: number): Prepared {
  const { name, title, body, about, acronyms } = entries;
  return {
    hash: hashes[at]!,
    entry: {
      name: name[at]!,
      title: title[at]!,
      body: body[at]!,
      about: about[at]!,
      acronyms: acronyms[at]!,
    },
  };
}
