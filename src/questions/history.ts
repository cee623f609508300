import { changedFieldsColumn, column, nonNull, present } from '../model/columns.ts';
import { kindOf } from '../model/kinds.ts';
import { currentKey } from '../names/database.ts';
import { readHistory as historyOf } from '../store/history/history.ts';
import { say, wordPhrase } from '../words/speech.ts';
import { pathParameter } from './parameter-kinds.ts';
import { completePage, listQuestion } from './question.ts';
import { kindNames, kindParameter } from './record.ts';

const { text, datetime, json } = column;

/** Every version of one record. */
export const history = listQuestion('history', {
  parameters: {
    kind: kindParameter,
    key: pathParameter('slug, name, id, or CHAMBER:ID for a ballot', { example: 'oceane-bruyevre' }),
  },
  fields: [
    text('part', 'row: the record in its dataset. detail: its full document.', {
      ...nonNull,
      words: ['row', 'detail'],
    }),
    datetime('seen_from', 'When this mirror first received this version (ISO 8601).', nonNull),
    datetime(
      'seen_to',
      'When this mirror detected that the version was replaced or withdrawn (ISO 8601); null if it is current.',
      present,
    ),
    text('ended_by', 'edited or withdrawn; null for the current version.', {
      ...present,
      words: ['edited', 'withdrawn'],
    }),
    changedFieldsColumn('changes', 'Fields that differ from the previous version, each with its old and new value.'),
    json('document', 'The complete record in this version.', { ...nonNull, inside: { fields: [] } }),
  ],
  answerFields: [
    text('kind', 'Kind of record.', { ...nonNull, words: kindNames }),
    text('key', 'Key of the record, even if the request gave a name.', nonNull),
    text('former_key', 'Previous key of a renamed record, which lists its older versions; null if none.', present),
  ],
  notes(mirror, { kind, key: requestedKey }) {
    const { key, formerKey } = historyOf(mirror, kindOf(kind), requestedKey);
    const presentKey = currentKey(mirror, kind, key) ?? key;
    const notes = [say`${wordPhrase(kind)} ${key}, as received by this mirror`];
    if (presentKey !== key) notes.push(say`merged into ${presentKey}: hemicycle history ${kind} ${presentKey}`);
    if (formerKey !== null)
      notes.push(say`previously ${formerKey}: see its versions with hemicycle history ${kind} ${formerKey}`);
    return notes;
  },
  read(mirror, { kind, key: requestedKey }, { asOf }) {
    const { key, formerKey, versions } = historyOf(mirror, kindOf(kind), requestedKey, asOf);
    return { ...completePage(versions), extra: { kind, key, former_key: formerKey } };
  },
});
