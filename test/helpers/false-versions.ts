import type { WarehouseTable } from '../../src/export/warehouse.ts';
import type { Document } from '../../src/model/document.ts';

/** A history with a false version beside every one, as if each sync had passed through one more state. */
export function withFalseVersions(history: WarehouseTable): WarehouseTable {
  const stageOf = (at: unknown) => new Date(Date.parse(String(at)) - 1).toISOString();
  function* rowsOf(): Generator<Document> {
    for (const row of history.rows()) {
      yield { ...row, valid_from: stageOf(row.valid_from), valid_to: row.valid_from! };
      yield row;
    }
  }
  return { ...history, state: () => `${history.state()} before`, rows: rowsOf, rowsOf };
}
