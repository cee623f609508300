import { type RefusalStatus, refusalTable } from '../errors.ts';
import type { ListQuestion } from '../questions/question.ts';
import { questions } from '../questions/table.ts';
import { indexedKinds } from '../store/word-index/search-index.ts';
import { type DocumentedSchema, fieldsSchema, named } from './record-schemas.ts';

const text = (description: string): DocumentedSchema => ({ type: 'string', description });
const maybeText = (description: string): DocumentedSchema => ({ type: ['string', 'null'], description });
const maybeCount = (description: string): DocumentedSchema => ({ type: ['integer', 'null'], description });

/** The shape of every error (RFC 9457). */
export const problemSchema: DocumentedSchema = {
  $id: 'Problem',
  type: 'object',
  description: 'What went wrong, as RFC 9457 has it.',
  properties: {
    type: text('Kind of problem, a URI reference.'),
    title: text('The HTTP status in words.'),
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: text('One sentence about this request.'),
    instance: text('Path that was asked for.'),
    errors: {
      type: 'array',
      description: 'Each bad parameter (422).',
      items: {
        type: 'object',
        properties: { parameter: text('Name of the parameter.'), message: text('What is wrong with it.') },
        required: ['parameter', 'message'],
      },
    },
    suggestions: {
      type: 'array',
      description: 'What may have been meant (404, 422): each says how it is asked for.',
      items: { type: 'object', additionalProperties: { type: ['string', 'null'] } },
    },
  },
  required: ['type', 'title', 'status', 'detail'],
  examples: [
    {
      type: 'about:blank',
      title: 'Unprocessable Entity',
      status: 422,
      detail: 'The parameter limit must be at most 100.',
      instance: '/api/v1/politicians',
      errors: [{ parameter: 'limit', message: 'must be at most 100' }],
    },
  ],
};

/** Properties of a suggestion for a filter value that matches no record. */
const meant = {
  parameter: text('Name of the parameter.'),
  value: text('A value that names something.'),
  name: text('What it names.'),
};

/** Schema of one search hit. */
export const hitSchema: DocumentedSchema = {
  $id: 'SearchHit',
  type: 'object',
  description: 'A record that was found, and where.',
  properties: {
    type: {
      type: 'string',
      enum: [...indexedKinds].map(({ name }) => name),
      description: 'Kind of the record.',
    },
    slug: text('Slug of a politician or party.'),
    id: text('Id of any other record.'),
    title: text('Name, title or short statement.'),
    snippet: text('Where the words stand.'),
    offsets: {
      type: 'array',
      items: { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 },
      description: 'Where in the snippet each match begins and ends, in UTF-16 units.',
    },
    score: { type: 'number', description: 'Higher is better; comparable within one answer only.' },
    matched: text('How it was found: name, words, accents, family, corrected, any-word or meaning.'),
    copies: {
      type: 'integer',
      description: 'Number of other records with the same text, for which this one stands.',
    },
    why: text('Why it stands where it does, where that was asked for.'),
    politician: maybeText('Slug of the politician whom the record is about.'),
    date: maybeText('Day of the fact, ISO 8601.'),
  },
  required: ['type', 'title', 'snippet', 'score'],
};

/** Schema of a response of full-text or semantic search. */
export const searchAnswerSchema: DocumentedSchema = {
  $id: 'SearchAnswer',
  type: 'object',
  description: 'What was found, and how it was searched.',
  properties: {
    query: text('What was searched for.'),
    mode: { type: 'string', enum: ['fulltext', 'semantic'], description: 'How it was searched.' },
    method: {
      type: 'string',
      enum: ['words', 'lexical-expansion', 'embeddings'],
      description:
        'What it went by: the words of the query, or these with words of their families, synonyms, and the words of the texts that come out best; or the vectors of a model.',
    },
    fallback: { type: 'boolean', description: 'True where full text stands in for semantic search.' },
    items: { type: 'array', items: named('SearchHit'), description: 'Best first.' },
    total: maybeCount('Number of matches, copies among them; null where there are more than are counted.'),
    next_cursor: maybeText('Continues the list; null at its end.'),
    counts: {
      type: 'object',
      additionalProperties: { type: ['integer', 'null'] },
      description: 'Number of matches by kind; null where there are more than are counted.',
    },
    relaxed: maybeText('How the query was relaxed (`any-word`), because too little holds all of its words.'),
    corrected: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          from: text('A word that no record holds.'),
          to: text('The word that was looked for in its place.'),
        },
        required: ['from', 'to'],
      },
      description: 'What was looked for in another spelling.',
    },
    remarks: {
      type: 'array',
      items: { type: 'string' },
      description: 'What of the query was left out or read as words, in sentences.',
    },
    suggestions: {
      type: 'array',
      description:
        'Where little matches: politicians with a name like the query (slug, full_name), words like those of the query (word), or what a filter may have meant (parameter, value, name).',
      items: {
        type: 'object',
        properties: {
          slug: text('Slug of a politician.'),
          full_name: text('Full name of that politician.'),
          word: text('A word that many records hold.'),
          ...meant,
        },
      },
    },
  },
  required: ['query', 'mode', 'method', 'fallback', 'items', 'total', 'suggestions'],
  examples: [
    {
      query: 'gardiens de phare',
      mode: 'fulltext',
      method: 'words',
      fallback: false,
      items: [
        {
          type: 'content',
          id: 'amendement-phares-12',
          title: 'Amendement n° 12, ARTICLE 2',
          snippet: '… la retraite des gardiens de phare est portée …',
          offsets: [[19, 36]],
          score: 7.25,
          matched: 'words',
          copies: 0,
          politician: 'oceane-bruyevre',
          date: '2026-02-18',
        },
      ],
      total: 1,
      next_cursor: null,
      counts: { politician: 0, party: 0, content: 1, speech: 0 },
      relaxed: null,
      corrected: [],
      suggestions: [],
      remarks: [],
    },
  ],
};

/** Name of the response schema of a list question; both searches share `SearchAnswer`. */
export function pageName({ name, schema }: ListQuestion): string {
  return schema === 'SearchAnswer' ? schema : `${name[0]!.toUpperCase()}${name.slice(1)}Page`;
}

/** Schema of one page of a list question, with the question's further members. */
function pageSchema(question: ListQuestion): DocumentedSchema {
  const { schema, parameters, isInterface, beside = [] } = question;
  const isNaming = isInterface && Object.values(parameters).some(({ names }) => names !== null);
  const besides = fieldsSchema(beside);
  return {
    $id: pageName(question),
    type: 'object',
    description: `A page of the answer to \`${question.path}\`.`,
    properties: {
      items: { type: 'array', items: named(schema), description: 'The items of this page.' },
      total: maybeCount('Number of all matches; null where nobody counted them.'),
      next_cursor: maybeText('Continues the list; null at its end.'),
      ...besides.properties,
      ...(isNaming ? { suggestions } : {}),
    },
    required: ['items', 'total', 'next_cursor', ...besides.required],
  };
}

const suggestions: DocumentedSchema = {
  type: 'array',
  description: 'Only beside an empty list whose filter names nothing: what it may have meant.',
  items: { type: 'object', properties: meant, required: Object.keys(meant) },
};

/** Page schemas of all list questions but the searches. */
export const pageSchemas: DocumentedSchema[] = questions.flatMap((question) =>
  question.answers === 'list' && question.schema !== 'SearchAnswer' ? [pageSchema(question)] : [],
);

/** Schema of a 304 response. */
export const unchanged: DocumentedSchema = {
  type: 'null',
  description: 'Nothing changed since the answer that the caller has.',
};

/** Documented responses of an operation by status: 200, 304 and its problems. */
export function responsesOf(
  ok: DocumentedSchema,
  ...more: (404 | 409 | 422)[]
): Record<number, DocumentedSchema> {
  const problems = ([...more, 401, 429, 503] as const).map((status) => [status, problemResponse(status)]);
  return {
    200: ok,
    304: unchanged,
    ...Object.fromEntries(problems),
  };
}

/** Problems common to all routes, by status; `isNamed` adds 421 for servers that check the Host header. */
export function commonResponses({ isNamed }: { isNamed: boolean }) {
  const statuses: RefusalStatus[] = [400, 414, 431];
  if (isNamed) statuses.push(421);
  return Object.fromEntries(statuses.map((status) => [status, problemResponse(status)]));
}

/** The documented problem response of that status. */
export function problemResponse(status: RefusalStatus): DocumentedSchema {
  return {
    description: refusalTable[status],
    content: { 'application/problem+json': { schema: named('Problem') } },
  };
}

/** Schema of an object with undescribed fields. */
export function objectSchema(description: string): DocumentedSchema {
  return { type: 'object', description, additionalProperties: true };
}
