import { kindOf } from '../model/kinds.ts';
import { history as historyOf } from '../store/history.ts';
import { place } from './parameter-kinds.ts';
import { listQuestion } from './question.ts';
import { kindPlace } from './record.ts';

/** Every version of one record. */
export const history = listQuestion({
  name: 'history',
  operationId: 'getHistory',
  summary: 'every version of one record that this mirror has seen, the newest first',
  description: 'The moments are those at which this mirror saw a version; the service itself keeps none.',
  path: '/history/{kind}/{key}',
  isInterface: false,
  looksBack: true,
  isLong: true,
  examples: [
    { description: 'A politician, by slug or by name', command: 'history politician oceane-bruyevre' },
    { description: 'A ballot', command: 'history ballot AN:VAL1V4' },
    {
      description: 'A promise with every document in full',
      command: 'history promise promise-bruyevre-2025-001 --json',
    },
  ],
  parameters: {
    kind: kindPlace,
    key: place('slug, name, id, or CHAMBER:ID of a ballot', { example: 'oceane-bruyevre' }),
  },
  reads: () => [],
  schema: 'Version',
  fields: [
    {
      name: 'part',
      type: 'text',
      description: 'row for what its dataset says of the record, detail for its full document.',
    },
    { name: 'seen_from', type: 'datetime', description: 'When this mirror first saw it say so, ISO 8601.' },
    {
      name: 'seen_to',
      type: 'datetime',
      description: 'When this mirror saw it end, ISO 8601; null while it stands.',
    },
    { name: 'ended_by', type: 'text', description: 'edited or withdrawn; null while it stands.' },
    {
      name: 'changes',
      type: 'json',
      description: 'How it differs from the version before: field, old and new value of each.',
    },
    { name: 'document', type: 'json', description: 'All that the record said.' },
  ],
  columns: ['seen_from', 'seen_to', 'ended_by', 'part', 'changes'],
  allColumns: ['seen_from', 'seen_to', 'ended_by', 'part', 'changes', 'document'],
  notes(mirror, { kind, key }) {
    return [`${kind} ${historyOf(mirror, kindOf(kind), key).key}, as seen by this mirror`];
  },
  read(mirror, { kind, key: asked }, { asOf }) {
    const { key, versions } = historyOf(mirror, kindOf(kind), asked, asOf);
    return {
      items: versions.map((version) => JSON.stringify(version)),
      total: versions.length,
      nextCursor: null,
      extra: { kind, key },
    };
  },
});
