import { type KindName, kindOf, kinds } from '../model/kinds.ts';
import { slugMeant } from '../names/lookup.ts';
import { wholeRecord } from '../store/records/profile.ts';
import { heldKey, nearRecords } from '../store/records/reference.ts';
import { say, wordPhrase } from '../words/speech.ts';
import { choice, kindWord, place } from './parameter-kinds.ts';
import { recordQuestion } from './question.ts';

/** The kinds of records, as people ask for them. */
export const kindNames = kinds.map(({ name }) => name).reverse() as [KindName, ...KindName[]];

/** A part of a path that names a kind of record, in the singular or the plural. */
export const kindPlace = {
  ...choice(kindNames, 'kind of record', {
    fallback: kindNames[0],
    meant: kindWord,
  }),
  isPlace: true,
  isRequired: true,
};

/** Any one record. */
export const record = recordQuestion({
  name: 'record',
  operationId: 'getRecord',
  summary: 'any one record of any kind, whole',
  path: '/records/{kind}/{key}',
  isInterface: false,
  examples: [
    { description: 'A source', command: 'show source src-0001' },
    { description: 'A ballot by its chamber and id', command: 'show AN:VAL1V4' },
  ],
  parameters: {
    kind: kindPlace,
    key: place('slug, id, or CHAMBER:ID of a ballot', { example: 'oceane-bruyevre' }),
  },
  reads: ({ kind }) => [kind],
  schema: 'AnyRecord',
  kind: ({ kind }) => kind,
  read(mirror, { kind: name, key }) {
    const kind = kindOf(name);
    const held = heldKey(mirror, kind, key);
    if (held !== null) return wholeRecord(mirror, kind, held);
    if (name !== 'politician' && name !== 'party') return undefined;
    const meant = slugMeant(mirror, name, key);
    return meant === null ? undefined : wholeRecord(mirror, kind, meant);
  },
  absent: (mirror, { kind, key }) => ({
    message: say`no ${wordPhrase(kind)} has the key "${key}" in the mirror`,
    hint: `\`hemicycle history ${kind} ${key}\` also finds what was withdrawn`,
    detail: `No ${kind} has that key.`,
    near: nearRecords(mirror, kindOf(kind), key),
    suggestion: ({ key, name }) => ({ kind, key, title: name }),
  }),
});
