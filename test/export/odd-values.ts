import type { Document, Json } from '../../src/model/document.ts';
import { type Column, describedFields, type Kind, kinds } from '../../src/model/kinds.ts';

/** Values that trouble some program, by the type of the column where they stand; the last ones are of another type. */
const valuesOfType: Record<Column['type'], Json[]> = {
  text: [
    ...['', ' ', '0', '001', '-0', '9007199254740993', '1e5', '1,5', 'null', 'true', '2026-01-02', '=1+1', '-2', "'"],
    ...['a\tb', 'a\nb', 'a\r\nb', 'a;b,c|"d"', 'é', 'e\u0301', '\ufeffx', 'a\u0001b\u001f', '_x0001_', 'a\ufffeb'],
    ...['🎉', '[1, 2', '\\N', 'x\\ny', '%00', '<b>&amp;'],
    ...[7, true],
  ],
  integer: [0, -1, 12, 9007199254740991, 2 ** 53, '7', ...['001', '', '-0', '1.0', 2.5, 'few', true, [1], { n: 1 }]],
  number: [0, 0.1, -2.5, 1e-7, 1e300, 12, '0.5', ...['1,5', '007', '1.50', '', 'half', false, [0.5]]],
  boolean: [true, false, 'true', ...['oui', 1, 0, '', []]],
  date: [
    ...['2026-01-02', '1899-12-31', '1900-02-28', '0001-01-01', '9999-12-31'],
    ...['2026-02-30', '2026', '2026-01', '2026-01-02T00:00:00Z', '', 'hier', 20260102, {}],
  ],
  datetime: [
    ...['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.123Z', '1850-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
    ...['2026-01-02T03:04:05+02:00', '2026-01-02T03:04', '2026-01-02', '1899-12-31', '2026-02-30T00:00:00Z'],
    ...['2026-01-02T03:04:05.123456Z', '', 'hier', 1767322800, []],
  ],
  json: [[], {}, [null], [''], ['a', 'a'], [['a']], [1, 'e\u0301'], { '': null, a: { b: [] } }, 'a,b', '', 0, true],
};

/** Fields that no description has, each with values of its own. */
const undescribedFields: Record<string, Json[]> = {
  all_boolean: [true, false],
  all_integer: [0, 7, -1, 9007199254740991],
  all_number: [1, 0.5, 2 ** 60],
  all_digits: ['001', '7', '9007199254740993'],
  of_nothing: [null],
  of_anything: ['', '001', 7, true, false, 0.5, ['a'], { a: null }],
  'a "b"\t': [1, 2],
  constructor: ['x'],
};

function oddValue({ name, type, inside, isReference }: Column, kind: Kind, at: number): Json {
  if (name === 'politician' || name === 'party' || name === 'group' || name === 'party_slug')
    return [null, 'key-1', { slug: 'key-2', name: 'Two' }, 'key-3'][at % 4]!;
  if (inside && at % 2 === 0) {
    const part = (columns: Column[], n: number) =>
      Object.fromEntries(columns.map((column) => [column.name, oddValue(column, kind, n)]));
    if ('fields' in inside) return part(inside.fields, at);
    if (inside.list === 'ids') return at % 4 === 0 ? ['key-1', 'key-2'] : [];
    return [part(inside.list, at), part(inside.list, at + 1), part(inside.list, at + 6)];
  }
  const values = isReference ? ['', 'key-1', { slug: 'key-2' }, '001', null] : [...valuesOfType[type], null];
  return values[at % values.length]!;
}

/** Records of every kind with odd values in every column, described or not; the first of a kind may lack its key. */
export function oddRecords(count: number, { areKeysWhole }: { areKeysWhole: boolean }): Map<Kind, Document[]> {
  const recordOf = (kind: Kind, at: number): Document => ({
    ...Object.fromEntries(describedFields(kind).map((column) => [column.name, oddValue(column, kind, at)])),
    ...Object.fromEntries(Object.entries(undescribedFields).map(([name, all]) => [name, all[at % all.length]!])),
    [kind.keyField]: at === 0 && !areKeysWhole && kind.keyField === 'id' ? null : `key-${at}`,
    ...(kind.name === 'ballot' ? { chamber: at % 2 === 0 ? 'AN' : 'Senat' } : {}),
    ...(kind.name === 'ballot' ? { number: ['001', '12', '', '12 bis', '9007199254740993', null][at % 6]! } : {}),
    ...(kind.name === 'position' ? { ballot_id: `key-${at}` } : {}),
  });
  return new Map(kinds.map((kind) => [kind, Array.from({ length: count }, (_, at) => recordOf(kind, at))]));
}
