import type { Document } from '../model/document.ts';

/** A record read from a file: the document, its JSON text, and where it stands (`line 12`, `row 3`). */
export type InputRecord = { document: Document; text: string; place: string };

/** Records of one file in batches, so that a million of them do not cost a million awaits. */
export type InputBatches = AsyncGenerator<InputRecord[]>;

export const batchSize = 1000;
