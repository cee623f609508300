import { chambers } from '../model/ballot.ts';
import { type Column, type ColumnType, type Kind, kindOf, kinds } from '../model/kinds.ts';
import { questions } from '../questions/table.ts';

/** A JSON Schema that describes an answer; it is documentation, nothing is cut or converted by it. */
export type DocumentedSchema = { [keyword: string]: unknown };

const jsonTypes: Record<ColumnType, string[]> = {
  text: ['string', 'null'],
  integer: ['integer', 'null'],
  boolean: ['boolean', 'null'],
  date: ['string', 'null'],
  datetime: ['string', 'null'],
  json: ['array', 'object', 'null'],
};

const references = new Set(['politician', 'party', 'topic']);

/** The name of a kind's schema, such as `Politician`. */
export function schemaName(kind: Kind): string {
  return kind.name[0]!.toUpperCase() + kind.name.slice(1);
}

/** A pointer to a named schema. */
export function named(name: string): DocumentedSchema {
  return { $ref: `${name}#` };
}

/** The schema of one kind of record, from the table of kinds; the service may add fields. */
export function recordSchema(kind: Kind): DocumentedSchema {
  const properties = Object.fromEntries(kind.columns.map((column) => [column.name, valueSchema(column)]));
  return {
    $id: schemaName(kind),
    type: 'object',
    description: kind.description,
    properties,
    required: kind.keyField === 'id' ? [] : [kind.keyField],
    additionalProperties: true,
  };
}

function valueSchema({ name, type, description }: Column): DocumentedSchema {
  if (name === 'id') return { type: ['string', 'integer', 'null'], description };
  return { type: references.has(name) ? ['string', 'object', 'null'] : jsonTypes[type], description };
}

/** A record with more fields than its row, under a name of its own. */
export function extendedSchema(
  name: string,
  kind: Kind,
  more: Record<string, DocumentedSchema>,
): DocumentedSchema {
  const base = recordSchema(kind);
  return { ...base, $id: name, properties: { ...(base.properties as object), ...more } };
}

function listOf(kind: Kind): DocumentedSchema {
  return { type: 'array', items: named(schemaName(kind)), description: `${kind.description} One each.` };
}

/** The full documents that are more than rows. */
export const profileSchemas = [
  extendedSchema('PoliticianProfile', kindOf('politician'), {
    positions: listOf(kindOf('position')),
    promises: listOf(kindOf('promise')),
    quotes: listOf(kindOf('quote')),
    sources: listOf(kindOf('source')),
  }),
  extendedSchema('PartyProfile', kindOf('party'), {
    members: {
      type: 'array',
      items: { type: ['object', 'string'], description: 'A politician, or only the slug.' },
      description: 'Politicians of the party or group.',
    },
    sources: listOf(kindOf('source')),
  }),
];

const count = (description: string): DocumentedSchema => ({ type: ['integer', 'null'], description });
const counts = {
  for: count('Votes for; null where none is published.'),
  against: count('Votes against; null where none is published.'),
  abstention: count('Abstentions; null where none are published.'),
  non_voting: count('Members who took no part; null where they are not counted.'),
};
const partyVotes: Record<string, DocumentedSchema> = {
  party: { type: ['string', 'null'], description: 'Slug of the party or group.' },
  party_name: { type: ['string', 'null'], description: 'Name of the party or group.' },
  ...counts,
  position: { type: ['string', 'null'], description: 'Position of the party, where the source states one.' },
};

/** A ballot as it is answered: its counts have one shape, however the source wrote them. */
const ballotSchema = extendedSchema('Ballot', kindOf('ballot'), {
  scrutin_id: { type: 'string', description: 'Identifier of the ballot within its chamber.' },
  chamber: { type: 'string', enum: [...chambers], description: 'Chamber of the ballot.' },
  totals: {
    type: ['object', 'null'],
    properties: counts,
    required: Object.keys(counts),
    description: 'Counts of the whole chamber; null where none are published.',
  },
  votes_by_party: {
    type: 'array',
    items: { type: 'object', properties: partyVotes, required: Object.keys(partyVotes) },
    description: 'Counts and position of each party or group; empty where none are published.',
  },
});
const ballotFields = [
  'scrutin_id',
  'chamber',
  'title',
  'date',
  'result',
  'required',
  'totals',
  'votes_by_party',
];

/** The schema of every kind of record. */
export const recordSchemas = kinds.map((kind) =>
  kind.name === 'ballot' ? { ...ballotSchema, required: ballotFields } : recordSchema(kind),
);

/** What one item of a question is that has columns of its own. */
export const questionSchemas: DocumentedSchema[] = questions.flatMap((question) =>
  question.answers === 'list' && question.fields
    ? [
        {
          $id: question.schema,
          type: 'object',
          description: `One item of the answer to \`${question.path}\`.`,
          properties: Object.fromEntries(question.fields.map((column) => [column.name, valueSchema(column)])),
          additionalProperties: true,
        },
      ]
    : [],
);

/** A record of any kind. */
export const anyRecordSchema: DocumentedSchema = {
  $id: 'Record',
  type: 'object',
  description: 'A record of the kind that was asked for, with every field that the mirror holds of it.',
  additionalProperties: true,
};
