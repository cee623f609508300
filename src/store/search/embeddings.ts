import { createHash } from 'node:crypto';
import { type Document, documentOf, type RecordTexts, stringsOf } from '../../model/document.ts';
import { idBounds, type Kind, recordRange } from '../../model/kinds.ts';
import { currentPosition, recordIdsSince } from '../journal.ts';
import { deleteMeta, type Mirror, readMeta, saveMeta } from '../mirror.ts';
import { kindOfRecord } from '../record.ts';
import { transaction } from '../transaction.ts';
import { indexedKinds } from '../word-index/search-index.ts';
import { packSigns } from './sign-bits.ts';

const embeddedKinds: readonly Kind[] = [...indexedKinds];

/** The model of the vectors, and by name of kind the journal position up to which every record has one. */
type EmbeddingState = { model: string; dimensions: number; positions: Record<string, string> };

/** Characters sent to a model: about 500 tokens. */
const maxCharacters = 2000;

/** In `embedded`, the vector number of a record without text. */
const noVectorNumber = 0;

/** Vectors per row of `embedding_signs`. */
const chunkSize = 4096;

/** Creates the vector tables; a mirror without vectors has none of them. */
function createTables(mirror: Mirror): void {
  mirror.database.exec(`
    CREATE TABLE IF NOT EXISTS embedding (
      number INTEGER PRIMARY KEY, model TEXT NOT NULL, hash TEXT NOT NULL, vector BLOB NOT NULL, UNIQUE (model, hash)
    ) STRICT;
    CREATE TABLE IF NOT EXISTS embedded (
      record INTEGER PRIMARY KEY, content TEXT NOT NULL, embedding INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS embedded_embedding ON embedded(embedding);
    CREATE TABLE IF NOT EXISTS embedding_signs (
      kind TEXT NOT NULL, chunk INTEGER NOT NULL, numbers BLOB NOT NULL, signs BLOB NOT NULL, PRIMARY KEY (kind, chunk)
    ) STRICT, WITHOUT ROWID;`);
}

/** Identifies the content from which a vector was computed. */
const contentSql = "coalesce(record.hash, '') || ' ' || coalesce(record.detail_hash, '')";

/** Starts embedding with a model: deletes the records' vectors of another model, keeps vectors cached by text. */
export function beginEmbedding(mirror: Mirror, model: string): void {
  transaction(mirror, () => {
    createTables(mirror);
    if (readMeta(mirror, 'embedding_model') === model) return;
    mirror.database.exec('DELETE FROM embedded; DELETE FROM embedding_signs');
    deleteMeta(mirror, 'embedded');
    saveMeta(mirror, 'embedding_model', model);
  });
}

/** Number of records without a vector of their current content. */
export function countUnembedded(mirror: Mirror): number {
  const count = mirror.column<number>(`SELECT count(*) ${unembeddedSql}`);
  return embeddedKinds.reduce((sum, kind) => sum + count.get(...idBounds(kind))!, 0);
}

const unembeddedSql = `FROM record LEFT JOIN embedded ON embedded.record = record.id
  WHERE record.id BETWEEN ? AND ? AND record.withdrawn IS NULL
  AND (embedded.record IS NULL OR embedded.content <> ${contentSql})`;

type UnembeddedRecord = RecordTexts & { id: number; content: string };

/** Assigns cached vectors to the next 500 records that lack one; returns the other texts, and the last id or null. */
export function nextTextsToEmbed(mirror: Mirror, { model, after }: { model: string; after: number }) {
  return transaction(mirror, () => {
    for (const { first, last } of embeddedKinds.map(recordRange).sort((a, b) => a.first - b.first)) {
      if (last <= after) continue;
      const sql = `SELECT record.id, row, detail, ${contentSql} AS content ${unembeddedSql}
        ORDER BY record.id LIMIT 500`;
      const records = mirror.sql<UnembeddedRecord>(sql).all(Math.max(first, after + 1), last);
      if (records.length > 0) return assignCachedVectors(mirror, model, records);
    }
    return { texts: [], last: null, assignedCount: 0 };
  });
}

/** Assigns cached vectors (`assignedCount` records); returns the texts without one, and the last record's id. */
function assignCachedVectors(mirror: Mirror, model: string, records: UnembeddedRecord[]) {
  const numberOf = mirror.column<number>('SELECT number FROM embedding WHERE model = ? AND hash = ?');
  const assign = mirror.sql(`INSERT INTO embedded (record, content, embedding) VALUES (?, ?, ?)
    ON CONFLICT (record) DO UPDATE SET content = excluded.content, embedding = excluded.embedding`);
  const texts = new Map<string, string>();
  let assignedCount = 0;
  for (const { id, content, ...stored } of records) {
    const text = textToEmbed(kindOfRecord(id), documentOf(stored));
    const hash = createHash('sha256').update(text).digest('base64url');
    const number = text === '' ? noVectorNumber : numberOf.get(model, hash);
    if (number === undefined) texts.set(hash, text);
    else {
      assign.run(id, content, number);
      assignedCount += 1;
    }
  }
  return { texts: [...texts].map(([hash, text]) => ({ hash, text })), last: records.at(-1)!.id, assignedCount };
}

/** Saves the vectors of texts, scaled to length 1; the next pass over their records assigns them. */
export function saveVectors(mirror: Mirror, model: string, vectors: { hash: string; vector: number[] }[]): void {
  transaction(mirror, () => {
    for (const { hash, vector } of vectors) {
      const bytes = Buffer.from(unitVector(vector).buffer);
      mirror.sql('INSERT OR IGNORE INTO embedding (model, hash, vector) VALUES (?, ?, ?)').run(model, hash, bytes);
    }
  });
}

/** Dimensions of the saved vectors of a model; null if there are none. */
export function vectorLength(mirror: Mirror, model: string): number | null {
  const bytes = mirror.column<number>('SELECT length(vector) FROM embedding WHERE model = ? LIMIT 1').get(model);
  return bytes === undefined ? null : bytes / 4;
}

/** The vector scaled to length 1, as 32-bit floats. */
export function unitVector(vector: ArrayLike<number>): Float32Array {
  const unit = Float32Array.from(vector);
  const length = Math.sqrt(unit.reduce((sum, each) => sum + each * each, 0)) || 1;
  return unit.map((each) => each / length);
}

/** Deletes unused vectors and packs the signs of the others for candidate search; false if records lack vectors. */
export function finishEmbedding(mirror: Mirror, model: string): boolean {
  return transaction(mirror, () => {
    if (countUnembedded(mirror) > 0) return false;
    mirror.database.exec(`
      DELETE FROM embedded WHERE record IN (SELECT id FROM record WHERE withdrawn IS NOT NULL);
      DELETE FROM embedding WHERE number NOT IN (SELECT embedding FROM embedded);
      DELETE FROM embedding_signs;`);
    const dimensions = Math.max(...embeddedKinds.map((kind) => packKind(mirror, kind)));
    const positions = Object.fromEntries(embeddedKinds.map((kind) => [kind.name, currentPosition(mirror, kind)]));
    const state: EmbeddingState = { model, dimensions, positions };
    saveMeta(mirror, 'embedded', JSON.stringify(state));
    // Invalidates cached answers computed without these vectors.
    saveMeta(mirror, 'embedded_as', mirror.column<string>('SELECT lower(hex(randomblob(6)))').get()!);
    return true;
  });
}

/** Saves the packed signs of a kind's vectors in chunks; returns their number of dimensions, 0 without vectors. */
function packKind(mirror: Mirror, kind: Kind): number {
  const sql = `SELECT DISTINCT embedding FROM embedded WHERE record BETWEEN ? AND ? AND embedding <> ${noVectorNumber}
    ORDER BY 1`;
  const numbers = mirror.column<number>(sql).all(...idBounds(kind));
  const vectorOf = mirror.column<Buffer>('SELECT vector FROM embedding WHERE number = ?');
  let dimensions = 0;
  for (let from = 0; from < numbers.length; from += chunkSize) {
    const chunk = numbers.slice(from, from + chunkSize);
    const vectors = chunk.map((number) => floatsOf(vectorOf.get(number)!));
    dimensions = vectors[0]!.length;
    const insert = mirror.sql('INSERT INTO embedding_signs (kind, chunk, numbers, signs) VALUES (?, ?, ?, ?)');
    insert.run(kind.name, from / chunkSize, Buffer.from(Int32Array.from(chunk).buffer), packSigns(vectors));
  }
  return dimensions;
}

/** The floats in a BLOB. */
export function floatsOf(bytes: Buffer): Float32Array {
  // Copied because floats must be aligned to four bytes.
  return new Float32Array(new Uint8Array(bytes).buffer);
}

/** The state of the vectors; null until a first run has finished. */
export function readEmbeddingState(mirror: Mirror): EmbeddingState | null {
  return JSON.parse(readMeta(mirror, 'embedded') ?? 'null');
}

/** User-facing reason why a past state cannot be searched by vectors. */
export const noPastVectorsReason = 'the vectors of a mirror are of what it says now';

/** User-facing reason why records of these kinds cannot be compared by a model's vectors; null if they can. */
export function vectorProblem(mirror: Mirror, model: string, requestedKinds: readonly Kind[]): string | null {
  if (mirror.asOf !== null) return noPastVectorsReason;
  if (readMeta(mirror, 'embedding_model') === null)
    return 'this mirror has no vectors yet: `hemicycle sync --embed only` makes them';
  const state = readEmbeddingState(mirror);
  if (state?.model !== model && readMeta(mirror, 'embedding_model') !== model)
    return `the vectors of this mirror are of another model than ${model}: \`hemicycle sync --embed only\` makes new ones`;
  if (state !== null && requestedKinds.every((kind) => isFullyEmbedded(mirror, kind, state))) return null;
  return 'not all records have their vector yet: `hemicycle sync --embed only` goes on';
}

function isFullyEmbedded(mirror: Mirror, kind: Kind, { positions }: EmbeddingState): boolean {
  const unembedded = mirror.sql(`SELECT 1 ${unembeddedSql}`);
  for (const id of recordIdsSince(mirror, kind, positions[kind.name] ?? null))
    if (unembedded.get(id, id) !== undefined) return false;
  return true;
}

/** The text of a record for a model: its name, and its text or else its title. */
function textToEmbed(kind: Kind, document: Document): string {
  const { name, title, body } = kind.search;
  const textOfFields = (fields: string[]) =>
    stringsOf(document, fields)
      .filter((each) => each.trim() !== '')
      .join('\n');
  const text = textOfFields(body) || textOfFields(title);
  return [textOfFields(name), text].filter(Boolean).join('\n').normalize('NFC').slice(0, maxCharacters).toWellFormed();
}
