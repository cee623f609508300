import { type RefusalStatus, refusalTable } from '../errors.ts';
import type { ListQuestion } from '../questions/question.ts';
import { questions } from '../questions/table.ts';
import { indexedKinds } from '../store/word-index/search-index.ts';
import {
  type DocumentedSchema,
  fieldsSchema,
  listSchema as list,
  named,
  objectOf,
  textSchema as text,
} from './record-schemas.ts';

const maybeText = (description: string): DocumentedSchema => ({ type: ['string', 'null'], description });
const maybeCount = (description: string): DocumentedSchema => ({ type: ['integer', 'null'], description });
const oneOf = (words: string[], description: string): DocumentedSchema => ({
  ...text(description),
  enum: words,
});

/** The shape of every error (RFC 9457). */
const problemSchema: DocumentedSchema = {
  $id: 'Problem',
  ...objectOf(
    'A problem document (RFC 9457).',
    {
      type: text('Kind of problem, a URI reference.'),
      title: text('The HTTP status in words.'),
      status: { type: 'integer', description: 'The HTTP status.' },
      detail: text('One sentence about this request.'),
      instance: text('Path of the request.'),
      errors: list('Each bad parameter (422).', {
        type: 'object',
        properties: { parameter: text('Name of the parameter.'), message: text('What is wrong with it.') },
        required: ['parameter', 'message'],
      }),
      suggestions: list('Likely corrections (404, 422), each with the fields to ask for it.', {
        type: 'object',
        additionalProperties: { type: ['string', 'null'] },
      }),
    },
    ['type', 'title', 'status', 'detail'],
  ),
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
  value: text('A value that matches a record.'),
  name: text('Name of that record.'),
};

/** Schema of one search hit. */
const hitSchema: DocumentedSchema = {
  $id: 'SearchHit',
  ...objectOf(
    'A record that matches a search, with an excerpt.',
    {
      type: oneOf(
        [...indexedKinds].map(({ name }) => name),
        'Kind of the record.',
      ),
      slug: text('Slug of a politician or party.'),
      id: text('Id of any other record.'),
      title: text('Name, title or short statement.'),
      snippet: text('Excerpt with the matches.'),
      offsets: list('Begin and end of each match in the snippet, in UTF-16 units.', {
        type: 'array',
        items: { type: 'integer' },
        minItems: 2,
        maxItems: 2,
      }),
      score: { type: 'number', description: 'Higher is better; comparable within one answer only.' },
      matched: text('How it was found: name, words, accents, family, corrected, any-word or meaning.'),
      copies: {
        type: 'integer',
        description: 'Number of other records with the same text, which are not listed.',
      },
      why: text('Explanation of its rank, with `explain`.'),
      politician: maybeText('Slug of the politician whom the record is about.'),
      date: maybeText('Day of the fact, ISO 8601.'),
    },
    ['type', 'title', 'snippet', 'score'],
  ),
};

/** Schema of a response of full-text or semantic search. */
const searchAnswerSchema: DocumentedSchema = {
  $id: 'SearchAnswer',
  ...objectOf(
    'Search hits, and how they were found.',
    {
      query: text('The query as it was sent.'),
      mode: oneOf(['fulltext', 'semantic'], 'How it was searched.'),
      method: oneOf(
        ['words', 'lexical-expansion', 'embeddings'],
        'words: the words of the query. lexical-expansion: also their word families, synonyms, and words of the best texts. embeddings: the vectors of a model.',
      ),
      fallback: { type: 'boolean', description: 'True if full text stands in for semantic search.' },
      items: list('Best first.', named('SearchHit')),
      total: maybeCount('Number of matches, copies included; null where there are too many to count.'),
      next_cursor: maybeText('Continues the list; null at its end.'),
      counts: {
        type: 'object',
        additionalProperties: { type: ['integer', 'null'] },
        description: 'Number of matches by kind; null where there are too many to count.',
      },
      relaxed: maybeText('How the query was relaxed (`any-word`): too few records contain every word.'),
      corrected: list(
        'Words of the query that were corrected.',
        objectOf('A correction.', {
          from: text('A word that no record contains.'),
          to: text('The word that was searched instead.'),
        }),
      ),
      remarks: list('Sentences on parts of the query that were left out or read as words.', {
        type: 'string',
      }),
      suggestions: list(
        'For few matches: politicians with a similar name (slug, full_name), similar words (word), or corrected filter values (parameter, value, name).',
        {
          type: 'object',
          properties: {
            slug: text('Slug of a politician.'),
            full_name: text('Full name of that politician.'),
            word: text('A word that many records contain.'),
            ...meant,
          },
        },
      ),
    },
    ['query', 'mode', 'method', 'fallback', 'items', 'total', 'suggestions'],
  ),
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
    ...objectOf(
      `A page of the answer to \`${question.path}\`.`,
      {
        items: list('The items of this page.', named(schema)),
        total: maybeCount('Number of all matches; null if unknown.'),
        next_cursor: maybeText('Continues the list; null at its end.'),
        ...besides.properties,
        ...(isNaming ? { suggestions } : {}),
      },
      ['items', 'total', 'next_cursor', ...besides.required],
    ),
  };
}

const suggestions = list('Likely corrections; only with an empty list whose filter matches no record.', {
  type: 'object',
  properties: meant,
  required: Object.keys(meant),
});

/** Page schemas of all list questions but the searches. */
export const pageSchemas: DocumentedSchema[] = questions.flatMap((question) =>
  question.answers === 'list' && question.schema !== 'SearchAnswer' ? [pageSchema(question)] : [],
);

/** Schema of a 304 response. */
export const unchanged: DocumentedSchema = {
  type: 'null',
  description: 'The response that the caller has is still current.',
};

/** Documented responses of an operation by status: 200, 304 and its problems. */
export function responsesOf(
  ok: DocumentedSchema,
  ...more: (404 | 409 | 422)[]
): Record<number, DocumentedSchema> {
  return { 200: ok, 304: unchanged, ...problemResponses(...more, 401, 429, 503) };
}

/** Documented problem responses, by status. */
export function problemResponses(...statuses: RefusalStatus[]): Record<number, DocumentedSchema> {
  const content = { 'application/problem+json': { schema: named('Problem') } };
  return Object.fromEntries(
    statuses.map((status) => [status, { description: refusalTable[status], content }]),
  );
}

/** Schema of an object with undescribed fields. */
export function objectSchema(description: string): DocumentedSchema {
  return { type: 'object', description, additionalProperties: true };
}

/** Schemas of any record, of searches and of problems. */
export const answerSchemas: DocumentedSchema[] = [
  {
    $id: 'AnyRecord',
    ...objectSchema('A record of the kind that was asked for, with every field that the mirror holds of it.'),
  },
  hitSchema,
  searchAnswerSchema,
  problemSchema,
];
