import { changedFields, column, nonNull, present } from '../model/columns.ts';
import { kindOf } from '../model/kinds.ts';
import { recordHistory as historyOf } from '../store/history/history.ts';
import { say, wordPhrase } from '../words/speech.ts';
import { pathParameter } from './parameter-kinds.ts';
import { completePage, descriptionOf, listQuestion } from './question.ts';
import { kindNames, kindPlace } from './record.ts';

const { text, datetime, json } = column;

/** Every version of one record. */
export const history = listQuestion({
  ...descriptionOf('history'),
  parameters: {
    kind: kindPlace,
    key: pathParameter('slug, name, id, or CHAMBER:ID of a ballot', { example: 'oceane-bruyevre' }),
  },
  reads: () => [],
  fields: [
    text('part', 'row for what its dataset says of the record, detail for its full document.', {
      ...nonNull,
      words: ['row', 'detail'],
    }),
    datetime('seen_from', 'When this mirror first saw it say so, ISO 8601.', nonNull),
    datetime('seen_to', 'When this mirror saw it end, ISO 8601; null while it stands.', present),
    text('ended_by', 'edited or withdrawn; null while it stands.', {
      ...present,
      words: ['edited', 'withdrawn'],
    }),
    changedFields('changes', 'How it differs from the version before: field, old and new value of each.'),
    json('document', 'All that the record said.', { ...nonNull, inside: { fields: [] } }),
  ],
  beside: [
    text('kind', 'Kind of the record.', { ...nonNull, words: kindNames }),
    text('key', 'Key of the record, also where a name was requested.', nonNull),
    text('former_key', 'Key before a rename, under which the older versions are listed; null for none.', present),
  ],
  notes(mirror, { kind, key }) {
    const { key: currentKey, formerKey } = historyOf(mirror, kindOf(kind), key);
    return [
      say`${wordPhrase(kind)} ${currentKey}, as seen by this mirror`,
      ...(formerKey === null
        ? []
        : [say`listed as ${formerKey} before: hemicycle history ${kind} ${formerKey} tells its versions`]),
    ];
  },
  read(mirror, { kind, key: requestedKey }, { asOf }) {
    const { key, formerKey, versions } = historyOf(mirror, kindOf(kind), requestedKey, asOf);
    return { ...completePage(versions), extra: { kind, key, former_key: formerKey } };
  },
});
