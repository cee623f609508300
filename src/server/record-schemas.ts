import { type Column, describedFields, type Kind, type KindName, kindOf, kinds, schemaNameOf } from '../model/kinds.ts';
import { questions } from '../questions/table.ts';
import { feedTypes } from '../store/records/feed.ts';

/** A JSON Schema for documentation only: it neither validates nor converts. */
export type DocumentedSchema = { [keyword: string]: unknown };

/** Column types that are JSON types too; texts and times are strings. */
const jsonTypes = ['integer', 'number', 'boolean'];

/** Services number some records and name others. */
const idTypes = ['string', 'integer'];

/** A slug, or an object that has it: services write either. */
const reference: DocumentedSchema = {
  anyOf: [{ type: 'string' }, { type: 'object', properties: { slug: { type: 'string' } }, additionalProperties: true }],
};

/** Returns the schema of a list. */
export const listSchema = (description: string, items: DocumentedSchema): DocumentedSchema => ({
  type: 'array',
  description,
  items,
});

/** Returns a `$ref` to a named schema. */
export const schemaRef = (name: string): DocumentedSchema => ({ $ref: `${name}#` });

/** Returns the object schema of these fields; other fields are allowed. */
export function fieldsSchema(fields: readonly Column[]) {
  return {
    properties: Object.fromEntries(fields.map((field) => [field.name, valueSchema(field)])),
    required: fields.filter(({ isPresent, isNonNull }) => isPresent || isNonNull).map(({ name }) => name),
    additionalProperties: true,
  };
}

function valueSchema({ description, isNonNull, ...field }: Column): DocumentedSchema {
  const schema = columnSchema(field);
  return { ...(isNonNull ? schema : orNull(schema)), description };
}

function columnSchema({ name, type, inside, words, isReference }: Partial<Column>): DocumentedSchema {
  if (words) return { type: 'string', enum: words };
  if (isReference) return reference;
  if (name === 'id') return { type: idTypes };
  if (inside && 'fields' in inside) return { type: 'object', ...fieldsSchema(inside.fields) };
  if (inside?.list === 'ids') return { type: 'array', items: { type: idTypes } };
  if (inside) return { type: 'array', items: { type: 'object', ...fieldsSchema(inside.list) } };
  if (type === undefined || type === 'json') return {};
  return { type: jsonTypes.includes(type) ? type : 'string' };
}

/** The schema, nullable; one without a type allows null already. */
function orNull({ type, anyOf, enum: words, ...schema }: DocumentedSchema): DocumentedSchema {
  const nothing = { type: 'null' };
  if (anyOf) return { anyOf: [...(anyOf as object[]), nothing] };
  if (type === undefined) return schema;
  // Some client generators drop the other types of `type: [object, null]`.
  if (type === 'object') return { anyOf: [{ type, ...schema }, nothing] };
  return {
    type: [...[type].flat(), 'null'],
    ...(words ? { enum: [...(words as string[]), null] } : {}),
    ...schema,
  };
}

type Fields = { properties: Record<string, DocumentedSchema>; required: string[] };

function recordSchema(kind: Kind, $id = schemaNameOf(kind.name), more: Fields = { properties: {}, required: [] }) {
  const { properties, required, ...open } = fieldsSchema(describedFields(kind));
  return {
    ...{ $id, type: 'object', description: kind.description },
    properties: { ...properties, ...more.properties },
    required: [...required, ...more.required],
    ...open,
  };
}

const listOf = (name: KindName): DocumentedSchema =>
  listSchema(`${kindOf(name).description} One each.`, schemaRef(schemaNameOf(name)));

const composed = {
  type: 'boolean',
  description:
    'True if this mirror composed the profile from the datasets without requesting it from the service; ' +
    'otherwise absent.',
};

const profileSchemas = [
  recordSchema(kindOf('politician'), 'PoliticianProfile', {
    properties: {
      positions: listOf('position'),
      promises: listOf('promise'),
      quotes: listOf('quote'),
      sources: listOf('source'),
      composed,
    },
    required: ['bio', 'affiliations', 'positions', 'promises', 'quotes', 'sources'],
  }),
  recordSchema(kindOf('party'), 'PartyProfile', {
    properties: {
      members: listSchema('Members of the party or group, as records or as slugs only.', {
        anyOf: [schemaRef(schemaNameOf('politician')), { type: 'string' }],
      }),
      sources: listOf('source'),
      composed,
    },
    required: ['description', 'members', 'sources'],
  }),
];

const feedNames = feedTypes.map((type) => [type, `Feed${schemaNameOf(type)}`] as const);

/** Schemas of feed items: one per kind, with `type` as first property, and `FeedItem` for any of them. */
export const feedSchemas: DocumentedSchema[] = [
  ...feedNames.map(([type, name]) => {
    const { properties, required, ...record } = recordSchema(kindOf(type), name);
    const kind = { type: 'string', enum: [type], description: 'Kind of the fact.' };
    return { ...record, properties: { type: kind, ...properties }, required: ['type', ...required] };
  }),
  {
    $id: 'FeedItem',
    description: 'A sourced fact; `type` says which kind of record it is.',
    oneOf: feedNames.map(([, name]) => schemaRef(name)),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(feedNames.map(([type, name]) => [type, `#/components/schemas/${name}`])),
    },
  },
];

const questionSchemas = questions.flatMap((question): DocumentedSchema[] => {
  if (question.answers !== 'list' || !question.fields) return [];
  const description = `One item of the answer to \`${question.path}\`.`;
  return [{ $id: question.schema, type: 'object', description, ...fieldsSchema(question.fields) }];
});

/** Schemas of all kinds of record, of profiles, and of the items of questions. */
export const recordSchemas: DocumentedSchema[] = [
  ...kinds.map((kind) => recordSchema(kind)),
  ...profileSchemas,
  ...questionSchemas,
];
