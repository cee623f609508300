import { type RefusalStatus, refusalTable } from '../errors.ts';
import { feedTypes } from '../store/feed.ts';
import { type DocumentedSchema, named } from './record-schemas.ts';

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
      description: 'Records that may have been meant (404).',
      items: { type: 'object', additionalProperties: true },
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

/** One item of the feed: a record with its type in front. */
export const feedItemSchema: DocumentedSchema = {
  $id: 'FeedItem',
  type: 'object',
  description: 'A sourced fact; the other fields are those of its type.',
  properties: { type: { type: 'string', enum: [...feedTypes], description: 'Kind of the fact.' } },
  required: ['type'],
  additionalProperties: true,
};

/** One hit of a search. */
export const hitSchema: DocumentedSchema = {
  $id: 'SearchHit',
  type: 'object',
  properties: {
    type: text('Kind of the record.'),
    slug: text('Slug of a politician or party.'),
    id: text('Id of any other record.'),
    title: text('Name, title or short statement.'),
    snippet: text('Where the words stand.'),
    score: { type: 'number', description: 'Higher is better; comparable within one answer only.' },
    politician: maybeText('Slug of the politician whom the record is about.'),
    date: maybeText('Day of the fact, ISO 8601.'),
  },
  required: ['type', 'title', 'snippet', 'score'],
};

/** The answer of both searches. */
export const searchAnswerSchema: DocumentedSchema = {
  $id: 'SearchAnswer',
  type: 'object',
  properties: {
    query: text('What was searched for.'),
    mode: { type: 'string', enum: ['fulltext', 'semantic'], description: 'How it was searched.' },
    fallback: { type: 'boolean', description: 'True where full text stands in for semantic search.' },
    items: { type: 'array', items: named('SearchHit'), description: 'Best first.' },
    total: maybeCount('Number of matches; null where there are more than are counted.'),
    suggestions: {
      type: 'array',
      description: 'Politicians with a name like the query, where nothing matches.',
      items: {
        type: 'object',
        properties: { slug: text('Slug.'), full_name: text('Full name.') },
        required: ['slug', 'full_name'],
      },
    },
  },
  required: ['query', 'mode', 'fallback', 'items', 'total', 'suggestions'],
  examples: [
    {
      query: 'gardiens de phare',
      mode: 'fulltext',
      fallback: false,
      items: [
        {
          type: 'content',
          id: 'amendement-phares-12',
          title: 'Amendement n° 12, ARTICLE 2',
          snippet: '… la retraite des gardiens de phare est portée …',
          score: 7.25,
          politician: 'oceane-bruyevre',
          date: '2026-02-18',
        },
      ],
      total: 1,
      suggestions: [],
    },
  ],
};

/** A page of a list of named items. */
export function pageSchema(item: string): DocumentedSchema {
  return {
    type: 'object',
    description: 'A page of the list.',
    properties: {
      items: { type: 'array', items: named(item) },
      total: maybeCount('Number of all matches.'),
      next_cursor: maybeText('Continues the list; null at its end.'),
    },
    required: ['items', 'total', 'next_cursor'],
  };
}

/** The answer to who has it already. */
export const unchanged: DocumentedSchema = {
  type: 'null',
  description: 'Nothing changed since the answer that the caller has.',
};

/** The answers of an operation: what it answers when all is well, and the problems that it may answer. */
export function responsesOf(ok: DocumentedSchema, ...more: (404 | 422)[]): Record<number, DocumentedSchema> {
  const problems = ([...more, 401, 429, 503] as const).map((status) => [status, problemResponse(status)]);
  return {
    200: ok,
    304: unchanged,
    ...Object.fromEntries(problems),
  };
}

/** The problems that any request may be answered, before or beside its route; `isNamed` where hosts are checked. */
export function commonResponses(path: string, { isNamed }: { isNamed: boolean }) {
  const statuses: RefusalStatus[] = [414, 431];
  if (path.includes(':')) statuses.push(400);
  if (isNamed) statuses.push(421);
  return Object.fromEntries(statuses.map((status) => [status, problemResponse(status)]));
}

/** A documented problem of that status. */
export function problemResponse(status: RefusalStatus): DocumentedSchema {
  const retry = { 'Retry-After': { type: 'integer', description: 'Seconds to wait.' } };
  return {
    description: refusalTable[status],
    ...(status === 429 || status === 503 ? { headers: retry } : {}),
    content: { 'application/problem+json': { schema: named('Problem') } },
  };
}

/** An object whose fields need no description. */
export function objectSchema(description: string): DocumentedSchema {
  return { type: 'object', description, additionalProperties: true };
}
