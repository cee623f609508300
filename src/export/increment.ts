import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BadTargetError } from '../errors.ts';
import { writeAtomically } from '../format/atomic-file.ts';
import { readJsonFile } from '../format/package-description.ts';
import { plainCell } from '../format/rows.ts';
import type { Citation } from '../model/attribution.ts';
import { column } from '../model/columns.ts';
import { type Document, isDocument } from '../model/document.ts';
import { keyOf } from '../model/facets.ts';
import type { Column } from '../model/kinds.ts';
import { canonicalForm } from '../model/normal-form.ts';
import { readCached } from '../store/cached.ts';
import { listChangedKeys } from '../store/history/change-counts.ts';
import { openPast, readHistoryStart } from '../store/history/past.ts';
import { journalName } from '../store/journal.ts';
import type { Mirror } from '../store/mirror.ts';
import { readRenames } from '../store/renames.ts';
import { finalUntil } from '../store/syncs/runs.ts';
import { say } from '../words/speech.ts';
import type { ExportTable } from './table.ts';
import { exportTable, isTidyTable, kindOfTable, kindsOfTable, nameOfTable, type TableSource } from './tables.ts';

const operationColumns: Column[] = [
  column.text(
    'op',
    'Type of change: added, edited, withdrawn (no longer listed; the row has its last values), returned ' +
      '(withdrawn before) or renamed (new key).',
  ),
  column.text('op_key', 'Key of the row: the values of its key columns, joined by a colon.'),
  column.text('op_former_key', 'Previous key of a renamed row; otherwise empty.'),
];

/** Returns the start of a table's changes, ISO 8601; null to export every row. */
export type Since = (table: string) => string | null;

/** Tables of the rows that changed since a moment, with an operation for each; `close` closes the past mirrors. */
export function changedTables(
  mirror: Mirror,
  sources: TableSource[],
  { since, citation }: { since: Since; citation: Citation },
): { tables: ExportTable[]; close: () => void } {
  const pastMirrors = new Map<string, Mirror>();
  const openPastAt = (at: string) => readCached(pastMirrors, at, { compute: () => openPast(mirror.path, at) });
  const tables = sources.map((table) => {
    const at = since(nameOfTable(table));
    const historyStart = readHistoryStart(mirror, kindsOfTable(table));
    const pastMirror = at === null || historyStart === null || at < historyStart ? null : openPastAt(at);
    return changedTable(table, { mirror, pastMirror, at, citation });
  });
  return {
    tables,
    close() {
      for (const pastMirror of pastMirrors.values()) pastMirror.close();
    },
  };
}

/** The mirror now and at the moment `at` (`pastMirror`); if that is null, every row counts as added. */
type ChangePeriod = { mirror: Mirror; pastMirror: Mirror | null; at: string | null; citation: Citation };

type Content = Pick<ExportTable, 'columns' | 'rows'>;

function changedTable(table: TableSource, { mirror, pastMirror: past, at, citation }: ChangePeriod): ExportTable {
  const firstSeenByKey = new Map(past ? kindsOfTable(table).flatMap((kind) => listChangedKeys(mirror, kind, at!)) : []);
  const filter = past ? { keys: [...firstSeenByKey.keys()] } : {};
  const currentTable = exportTable(mirror, table, { citation, filter });
  const pastTable = past && exportTable(past, table, { citation, filter });
  const kind = kindOfTable(table);
  const isKindTable = !isTidyTable(table); // if false, rows are not records: their keys are joined columns
  const keyOfRow = (row: Document) => (isKindTable ? keyOf(kind, row) : joinKey(row, currentTable.key));
  const renames = past && isKindTable ? [...readRenames(mirror, null).byNewId.values()] : [];
  const renamesOfKind = renames.filter((rename) => rename.kind === kind.name);
  const formerKeys = new Map(renamesOfKind.map((rename) => [rename.key, rename.formerKey]));
  const existedBefore = (key: string) => isKindTable && firstSeenByKey.has(key) && firstSeenByKey.get(key)! <= at!;
  const comparableText = (row: Document) => JSON.stringify(isKindTable ? canonicalForm(kind, row) : row);

  /** Yields changed current rows in their order, then withdrawn ones; without `past`, all current rows as added. */
  function* changedRows(currentContent: Content, pastContent: Content | null): Generator<Document> {
    if (past && firstSeenByKey.size === 0) return;
    const formerTexts = new Map<string, string>();
    for (const row of pastContent?.rows() ?? []) formerTexts.set(keyOfRow(row), comparableText(row));
    const visitedKeys = new Set<string>();
    for (const row of currentContent.rows()) {
      const key = keyOfRow(row);
      const formerText = formerTexts.get(key);
      if (pastContent) visitedKeys.add(key);
      if (formerText === undefined) {
        const formerKey = formerKeys.get(key);
        const isRenamed = formerKey !== undefined && formerTexts.has(formerKey);
        if (isRenamed) visitedKeys.add(formerKey);
        const op = isRenamed ? 'renamed' : existedBefore(key) ? 'returned' : 'added';
        yield { op, op_key: key, op_former_key: isRenamed ? formerKey : null, ...row };
      } else if (formerText !== comparableText(row)) yield { op: 'edited', op_key: key, op_former_key: null, ...row };
    }
    for (const row of pastContent?.rows() ?? []) {
      const key = keyOfRow(row);
      if (!visitedKeys.has(key)) yield { op: 'withdrawn', op_key: key, op_former_key: null, ...row };
    }
  }
  const addOperations = (currentContent: Content, pastContent: Content | null = null) => ({
    columns: [...operationColumns, ...currentContent.columns],
    rows: () => changedRows(currentContent, pastContent),
  });
  const { originals, ...otherFields } = currentTable;
  return {
    ...otherFields,
    ...addOperations(currentTable, pastTable),
    ...(originals ? { originals: { ...originals, ...addOperations(originals, pastTable?.originals) } } : {}),
    description: `${currentTable.description} Only rows that are not what they were before, with what became of each.`,
    references: [],
    count: () => null,
  };
}

/** The values of the key columns, or of all columns if there is no key, joined by a colon. */
function joinKey(row: Document, columns: string[]): string {
  const keyColumns = columns.length > 0 ? columns : Object.keys(row);
  return keyColumns.map((name) => plainCell(row[name])).join(':');
}

/** The target of an export; `path` is `-` for stdout. */
export type ExportTarget = {
  to: 'stdout' | 'file' | 'folder' | 'sqlite' | 'workbook' | 'postgres' | 'lake';
  path: string;
};

/** Path of the file with the watermarks: for each table, the end of the last export of changes. */
const watermarkPath = ({ to, path }: ExportTarget) =>
  to === 'folder' ? join(path, '.hemicycle-mark.json') : `${path}.mark.json`;

/** Throws a BadTargetError if a full export would overwrite an incremental one. */
export function refuseIncrementalTarget(target: ExportTarget): void {
  if (target.to !== 'stdout' && existsSync(watermarkPath(target)))
    throw new BadTargetError(
      target.path,
      say`it contains exports of changes`,
      say`choose another location for a full export, or remove ${watermarkPath(target)}`,
    );
}

/** Reads the watermarks (end of the last export) of each table; throws a BadTargetError if a full export is there. */
export async function readWatermarks(target: ExportTarget, mirror: Mirror, requestedSince: string | 'last') {
  const path = watermarkPath(target);
  const storedMark = await readJsonFile(path);
  const files =
    target.to === 'folder'
      ? ['datapackage.json', 'releases.json'].map((file) => join(target.path, file))
      : [target.path];
  if (storedMark === null && target.to !== 'stdout' && files.some((file) => existsSync(file)))
    throw new BadTargetError(
      target.path,
      say`it contains a full export, which this export of changes would replace`,
      say`choose another location for changes, such as -o changes/`,
    );
  const mirrorId = journalName(mirror);
  const isSameMirror = storedMark !== null && storedMark.mirror === mirrorId;
  const storedWatermarks = isSameMirror && isDocument(storedMark.tables) ? storedMark.tables : {};
  const since: Since = (table) => {
    const watermark = storedWatermarks[table];
    if (requestedSince !== 'last') return requestedSince;
    return isDocument(watermark) && typeof watermark.until === 'string' ? watermark.until : null;
  };
  const exportedUntil = finalUntil(mirror);
  return {
    /** True if the target has no watermark, or one from another mirror. */
    isFirst: Object.keys(storedWatermarks).length === 0,
    since,
    /** Saves the watermark of these tables; call it once they are written. */
    async save(tables: string[]) {
      if (target.to === 'stdout' || exportedUntil === null) return;
      const entries = tables.map((table) => [table, { since: since(table), until: exportedUntil }]);
      const watermarks = { ...storedWatermarks, ...Object.fromEntries(entries) };
      const text = JSON.stringify({ mirror: mirrorId, tables: watermarks }, null, 2);
      await writeAtomically(path, (sink) => sink.write(`${text}\n`));
    },
  };
}
