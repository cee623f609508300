import type { Column, KindDescription } from './kind.ts';
import described from './kinds.json' with { type: 'json' };

/** A row of `kinds.json`, the only place where a kind is described; a column that several kinds have is named there. */
type Row = Partial<Omit<KindDescription, 'name' | 'columns'>> &
  Pick<KindDescription, 'number' | 'description' | 'listColumns'> & { columns: (Column | string)[] };

export type KindName = keyof typeof described.kinds;

/** One kind of record. */
export type Kind = KindDescription & { name: KindName };

const shared = described.columns as Record<string, Omit<Column, 'name'>>;

/** A kind with defaults for what its row omits. */
const kindIn = ([name, { columns, ...row }]: [string, Row]): Kind => ({
  name: name as KindName,
  plural: `${name}s`,
  keyField: 'id',
  dataset: false,
  searched: false,
  search: { name: [], title: [], body: [], about: [] },
  sets: ['source_ids'],
  list: { path: `/records/${name}` },
  page: '/records/{kind}/{key}',
  columns: columns.map((each) => (typeof each === 'string' ? { name: each, ...shared[each]! } : each)),
  ...row,
});

/** Every kind of record. */
export const kinds: readonly Kind[] = Object.entries(described.kinds as Record<string, Row>).map(kindIn);
