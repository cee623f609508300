import { type Column, describedFields, type Kind, type KindName, kindOf, kinds, schemaNameOf } from '../model/kinds.ts';
import { questions } from '../questions/table.ts';
import { feedTypes } from '../store/records/feed.ts';

/** A JSON Schema for documentation only: it neither validates nor converts. */
export type DocumentedSchema = { [keyword: string]: unknown };

/** Column types that are JSON types too; texts and times are strings. */
const jsonTypes = ['integer', 'number', 'boolean'];

/** Types of ids: the service gives some records numbers and others names. */
const idTypes = ['string', 'integer'];

/** A reference to a record: its slug, or an object with `slug`; services write either. */
const referenceSchema: DocumentedSchema = {
  anyOf: [{ type: 'string' }, { type: 'object', properties: { slug: { type: 'string' } }, additionalProperties: true }],
};

/** Returns the schema of a list. */
export const listSchema = (description: string, items: DocumentedSchema) => ({ type: 'array', description, items });

/** Returns a `$ref` to a named schema. */
export const schemaRef = (name: string): DocumentedSchema => ({ $ref: `${name}#` });

/** Returns the object schema of these fields; other fields are allowed. */
export function fieldsSchema(fields: readonly Column[]) {
  const properties = fields.map(({ description, isNonNull, ...field }): [string, DocumentedSchema] => {
    const schema = columnSchema(field);
    return [field.name, { ...(isNonNull ? schema : makeNullable(schema)), description }];
  });
  return {
    properties: Object.fromEntries(properties),
    required: fields.filter(({ isPresent, isNonNull }) => isPresent || isNonNull).map(({ name }) => name),
    additionalProperties: true,
  };
}

function columnSchema({ name, type, inside, words, isReference }: Partial<Column>): DocumentedSchema {
  if (words) return { type: 'string', enum: words };
  if (isReference) return referenceSchema;
  if (name === 'id') return { type: idTypes };
  if (inside && 'fields' in inside) return { type: 'object', ...fieldsSchema(inside.fields) };
  if (inside?.list === 'ids') return { type: 'array', items: { type: idTypes } };
  if (inside) return { type: 'array', items: { type: 'object', ...fieldsSchema(inside.list) } };
  if (type === undefined || type === 'json') return {};
  return { type: jsonTypes.includes(type) ? type : 'string' };
}

/** Returns the schema extended by null; a schema without type already allows null. */
function makeNullable({ type, anyOf, enum: words, ...schema }: DocumentedSchema): DocumentedSchema {
  const nullSchema = { type: 'null' };
  if (anyOf) return { anyOf: [...(anyOf as object[]), nullSchema] };
  if (type === undefined) return schema;
  // Some client generators drop the other types of `type: [object, null]`.
  if (type === 'object') return { anyOf: [{ type, ...schema }, nullSchema] };
  const nullableWords = words ? { enum: [...(words as string[]), null] } : {};
  return { type: [...[type].flat(), 'null'], ...nullableWords, ...schema };
}

const recordSchema = (kind: Kind, $id = schemaNameOf(kind.name)) => ({
  $id,
  type: 'object',
  description: kind.description,
  ...fieldsSchema(describedFields(kind)),
});

const listOf = (name: KindName): DocumentedSchema =>
  listSchema(`${kindOf(name).description} One each.`, schemaRef(schemaNameOf(name)));

const composedSchema = {
  type: 'boolean',
  description:
    'True if this mirror composed the profile from the datasets without requesting it from the service; ' +
    'otherwise absent.',
};

/** Returns the schema of a profile; `derivedLists` are optional, since only this program adds them. */
function profileSchema(
  name: 'politician' | 'party',
  lists: Record<string, DocumentedSchema>,
  { requiredFields, derivedLists = {} }: { requiredFields: string[]; derivedLists?: typeof lists },
) {
  const schema = recordSchema(kindOf(name), schemaNameOf(name).replace(/Record$/, 'Profile'));
  const addedProperties = { ...lists, ...derivedLists, sources: listOf('source'), composed: composedSchema };
  return {
    ...schema,
    properties: { ...schema.properties, ...addedProperties },
    required: [...schema.required, ...requiredFields, ...Object.keys(lists), 'sources'],
  };
}

const politicianLists = {
  positions: listOf('position'),
  promises: listOf('promise'),
  quotes: listOf('quote'),
};
const memberSchema = { anyOf: [schemaRef(schemaNameOf('politician')), { type: 'string' }] };
const partyLists = {
  members: listSchema(
    'Members today, as records or slugs; in the format of the service, all politicians linked to the party.',
    memberSchema,
  ),
};
const derivedPartyLists = {
  financially_attached: listSchema('Politicians financially attached today, which is not membership.', memberSchema),
  no_lasting_affiliation: listSchema('Other linked politicians: neither members nor attached today.', memberSchema),
};

const feedSchemaNames = feedTypes.map((type) => [type, `Feed${schemaNameOf(type)}`] as const);

/** Schemas of feed items: one per kind, with `type` as first property, and `FeedItem` for any of them. */
export const feedSchemas: DocumentedSchema[] = [
  ...feedSchemaNames.map(([type, name]) => {
    const { properties, required, ...record } = recordSchema(kindOf(type), name);
    const typeSchema = { type: 'string', enum: [type], description: 'Kind of the fact.' };
    return { ...record, properties: { type: typeSchema, ...properties }, required: ['type', ...required] };
  }),
  {
    $id: 'FeedItem',
    description: 'A sourced fact; `type` says which kind of record it is.',
    oneOf: feedSchemaNames.map(([, name]) => schemaRef(name)),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(feedSchemaNames.map(([type, name]) => [type, `#/components/schemas/${name}`])),
    },
  },
];

/** Schemas of all kinds of record, of profiles, and of the items of questions. */
export const recordSchemas: DocumentedSchema[] = [
  ...kinds.map((kind) => recordSchema(kind)),
  profileSchema('politician', politicianLists, { requiredFields: ['bio', 'affiliations'] }),
  profileSchema('party', partyLists, { requiredFields: ['description'], derivedLists: derivedPartyLists }),
  ...questions.flatMap((question): DocumentedSchema[] => {
    if (question.answers !== 'list' || !question.fields) return [];
    const description = `One item of the answer to \`${question.path}\`.`;
    return [{ $id: question.schema, type: 'object', description, ...fieldsSchema(question.fields) }];
  }),
];
