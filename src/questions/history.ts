import { changedFields, column, present, stated } from '../model/columns.ts';
import { kindOf } from '../model/kinds.ts';
import { recordHistory as historyOf } from '../store/history/history.ts';
import { say, wordPhrase } from '../words/speech.ts';
import { place } from './parameter-kinds.ts';
import { completePage, listQuestion } from './question.ts';
import { kindNames, kindPlace } from './record.ts';

const { text, datetime, json } = column;

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
    text('part', 'row for what its dataset says of the record, detail for its full document.', {
      ...stated,
      words: ['row', 'detail'],
    }),
    datetime('seen_from', 'When this mirror first saw it say so, ISO 8601.', stated),
    datetime('seen_to', 'When this mirror saw it end, ISO 8601; null while it stands.', present),
    text('ended_by', 'edited or withdrawn; null while it stands.', {
      ...present,
      words: ['edited', 'withdrawn'],
    }),
    changedFields('changes', 'How it differs from the version before: field, old and new value of each.'),
    json('document', 'All that the record said.', { ...stated, inside: { fields: [] } }),
  ],
  beside: [
    text('kind', 'Kind of the record.', { ...stated, words: kindNames }),
    text('key', 'Key of the record, also where a name was requested.', stated),
    text(
      'former_key',
      'Key before a rename, under which the older versions are listed; null for none.',
      present,
    ),
  ],
  columns: ['seen_from', 'seen_to', 'ended_by', 'part', 'changes'],
  allColumns: ['seen_from', 'seen_to', 'ended_by', 'part', 'changes', 'document'],
  notes(mirror, { kind, key }) {
    const { key: found, formerKey } = historyOf(mirror, kindOf(kind), key);
    return [
      say`${wordPhrase(kind)} ${found}, as seen by this mirror`,
      ...(formerKey === null
        ? []
        : [say`listed as ${formerKey} before: hemicycle history ${kind} ${formerKey} tells its versions`]),
    ];
  },
  read(mirror, { kind, key: asked }, { asOf }) {
    const { key, formerKey, versions } = historyOf(mirror, kindOf(kind), asked, asOf);
    return { ...completePage(versions), extra: { kind, key, former_key: formerKey } };
  },
});
