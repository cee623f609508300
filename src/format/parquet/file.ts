import { setImmediate } from 'node:timers/promises';
import { type Document, inBatches } from '../../model/document.ts';
import type { RowSource, TableOptions } from '../format.ts';
import type { Sink } from '../sink.ts';
import { type ColumnFacts, createTally, mergedFacts } from '../tally.ts';
import { type TypedColumn, typedColumns } from './column-type.ts';
import { ByteWriter, ParquetWriter, type Writer } from './library.ts';
import { createdBy } from './read.ts';
import {
  type Batch,
  createGroupEncoder,
  type EncodedGroup,
  groupBatches,
  mostGroupText,
  movedTo,
} from './row-group.ts';
import { type GroupThread, startGroupThread } from './row-group-thread.ts';
import { schemaOf } from './schema.ts';

type TypedOptions = Omit<TableOptions, 'columns'> & { columns: TypedColumn[] };

/** Rows that are read in one go: few enough to be gone before the next are there. */
const batchSize = 100;

const rowGroupSize = groupBatches * batchSize;

/** Row groups under way at once: in the thread, waiting for it, and done but not yet in turn. */
const mostUnderWay = 3;

/**
 * Writes rows as one Parquet file (ZSTD, every column optional) whose types hold all values; the number of rows. A few
 * row groups are in memory at a time. Same rows, same bytes. A sink that can be rewound is written with the types of
 * the first row group, and once more where a later row tells otherwise; for others all rows are read for their types.
 */
export async function writeParquet(
  source: RowSource,
  { columns, ...options }: TableOptions,
  sink: Sink,
): Promise<number> {
  const typed = (rows: Iterable<Document>) => typedColumns(rows, columns);
  const first = sink.rewind ? Iterator.from(source.rows()).take(rowGroupSize) : source.rows();
  const written = await writeTyped(source, { ...options, columns: typed(first) }, sink);
  if (written !== null) return written;
  sink.rewind?.();
  const again = await writeTyped(source, { ...options, columns: typed(source.rows()) }, sink);
  if (again === null) throw new TypeError('the rows changed while they were read');
  return again;
}

/** The number of rows written, or null as soon as a value is not of its column's type. */
async function writeTyped(
  source: RowSource,
  { columns, metadata, isThreaded, noted }: TypedOptions,
  sink: Sink,
): Promise<number | null> {
  const file = openParquetFile(columns, { ...metadata, ...columnMetadata(columns) }, sink);
  const encode = createGroupEncoder(columns);
  const batches = batchesOf(source);
  const underWay: (EncodedGroup | Promise<EncodedGroup | null>)[] = [];
  let thread: GroupThread | null = null;
  let groups = 0;
  try {
    while (!batches.isEmpty()) {
      // A table of one group is written before a thread has begun.
      if (++groups === 2 && isThreaded && source.lists) thread = startGroupThread(columns);
      const whole = thread?.hasRoom() ? batches.group() : null;
      const group = whole ? thread!.encode(whole) : encode(batches.next);
      if (group === null) return null;
      underWay.push(group);
      // V8 gives the memory of encoded texts back between turns of the event loop, not within one.
      await setImmediate();
      while (underWay.length > (thread ? mostUnderWay : 0))
        if (!(await file.add(await underWay.shift()!))) return null;
      if (sink.closed) return file.rows;
    }
    for (const group of underWay) if (!(await file.add(await group))) return null;
    await file.finish();
    noted?.(columns.map((column, at) => ({ ...column, facts: file.facts()[at]! })));
    return file.rows;
  } finally {
    batches.close();
    await thread?.end();
  }
}

/** What a file says of its columns: what each means, and which hold what does not fit another. */
function columnMetadata(columns: TypedColumn[]): Record<string, string> {
  const described = columns.flatMap(({ name, description }) => (description ? [[name, description]] : []));
  const days = columns.flatMap(({ name, isDaily }) => (isDaily ? [name] : []));
  const raw = columns.flatMap(({ name, rawOf }) => (rawOf === undefined ? [] : [[name, rawOf]]));
  return {
    ...(described.length > 0 ? { columns: JSON.stringify(Object.fromEntries(described)) } : {}),
    ...(days.length > 0 ? { day_columns: JSON.stringify(days) } : {}),
    ...(raw.length > 0 ? { raw_columns: JSON.stringify(Object.fromEntries(raw)) } : {}),
  };
}

/** A file that takes encoded row groups in order; `add` is false for one that could not be encoded. */
function openParquetFile(columns: TypedColumn[], metadata: Record<string, string>, sink: Sink) {
  const bytes = new ByteWriter();
  const flush = async () => {
    const chunk = bytes.getBytes().slice();
    bytes.index = 0;
    await sink.write(chunk);
  };
  let facts: ColumnFacts[] | null = null;
  const writer: Writer = Object.assign(bytes, { flush, finish: flush });
  const file = new ParquetWriter({
    writer,
    schema: schemaOf(columns),
    createdBy,
    kvMetadata: Object.keys(metadata)
      .sort()
      .map((key) => ({ key, value: metadata[key]! })),
  });
  return {
    get rows() {
      return Number(file.num_rows);
    },
    facts: () => facts ?? columns.map((column) => createTally(column).facts()),
    async add(encoded: EncodedGroup | null): Promise<boolean> {
      if (!encoded) return false;
      if (bytes.index > 0) await flush();
      movedTo(bytes.offset, encoded);
      bytes.offset += encoded.bytes.byteLength;
      file.row_groups.push(encoded.group);
      file.pendingIndexes.push(...encoded.indexes);
      file.num_rows += BigInt(encoded.rows);
      facts = facts?.map((fact, at) => mergedFacts(fact, encoded.facts[at]!)) ?? encoded.facts;
      await sink.write(encoded.bytes);
      return true;
    },
    finish: async () => file.finish(),
  };
}

/** Rows in batches of so many each; what was looked at can be given back. */
function batchesOf({ rows, lists }: RowSource) {
  const source: Iterator<Batch> = (lists ? lists(batchSize) : inBatches(rows(), batchSize))[
    Symbol.iterator
  ]();
  const waiting: Batch[] = [];
  const peek = (): Batch | undefined => {
    if (waiting.length === 0) {
      const next = source.next();
      if (!next.done) waiting.push(next.value);
    }
    return waiting[0];
  };
  return {
    isEmpty: () => peek() === undefined,
    next(): Batch | undefined {
      peek();
      return waiting.shift();
    },
    /** A whole row group as bytes; null where it could be too large for one, which only its encoder can tell. */
    group(): Uint8Array<ArrayBuffer>[] | null {
      const group: Uint8Array<ArrayBuffer>[] = [];
      let bytes = 0;
      while (group.length < groupBatches && !this.isEmpty()) {
        const batch = this.next() as Uint8Array<ArrayBuffer>;
        group.push(batch);
        bytes += batch.byteLength;
        if (bytes < mostGroupText) continue;
        waiting.unshift(...group);
        return null;
      }
      return group;
    },
    close: () => void source.return?.(),
  };
}
