import type { Chamber } from '../model/ballot.ts';
import { describedFields, type KindName, kindOf } from '../model/kinds.ts';
import type { Coverage } from '../parliament/coverage.ts';
import type { Mirror } from '../store/mirror.ts';
import { readCoverage, statesField } from '../store/records/coverage.ts';
import { isRecordName, type Parameters } from './parameter.ts';

type Covering = {
  parameters: Parameters;
  reads(values: Record<string, unknown>): readonly KindName[];
  covers?(mirror: Mirror, values: Record<string, unknown>): Coverage[];
};

const seatFields = new Set(['chamber', 'department']);

/** What the mirror holds of the kinds that a question reads for these values, and which filters none of them states. */
export function coverageOf(mirror: Mirror, question: Covering, values: Record<string, unknown>): Coverage[] {
  const { parameters, reads, covers } = question;
  const rows = covers?.(mirror, values) ?? readCoverage(mirror, reads(values), values.chamber as Chamber | undefined);
  const isOfOneKind = new Set(rows.map(({ kind }) => kind)).size === 1;
  const valueFilters = Object.entries(parameters).flatMap(([name, { names }]) =>
    values[name] === undefined || names === null || isRecordName(names) ? [] : name,
  );
  return rows.map((row) => {
    const fieldNames = describedFields(kindOf(row.kind)).map(({ name }) => name);
    const isUnstated = (field: string) =>
      (isOfOneKind || fieldNames.includes(field)) && row.records > 0 && !statesField(mirror, row.kind, field);
    // The seat is that of the politician whom a record is about.
    const ownFilters = valueFilters.filter((field) => !(seatFields.has(field) && fieldNames.includes('politician')));
    const unstatedFields = ownFilters.filter(isUnstated);
    return unstatedFields.length > 0 ? { ...row, unstated: unstatedFields } : row;
  });
}
