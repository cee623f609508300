import { affiliations } from '../../questions/affiliations.ts';
import { ballots } from '../../questions/ballots.ts';
import { changes } from '../../questions/changes.ts';
import { cohesion } from '../../questions/cohesion.ts';
import { compare } from '../../questions/compare.ts';
import { feedOfPeople } from '../../questions/feed.ts';
import { history } from '../../questions/history.ts';
import type { Parameter, Parameters, Schema } from '../../questions/parameter.ts';
import { filter, integer } from '../../questions/parameter-kinds.ts';
import { politicians } from '../../questions/politicians.ts';
import type { Question } from '../../questions/question.ts';
import { kindNames, record } from '../../questions/record.ts';
import { search } from '../../questions/search.ts';
import { topics } from '../../questions/topics.ts';
import { sentence } from '../operations.ts';
import { asOf } from '../question-routes.ts';

/** Parameters that continue a truncated text or list of a record. */
export const readingOn = {
  field: filter('one field, read on where an answer cut it: text, quotes, bio'),
  from: integer('position in it', { minimum: 0 }),
};

type Offer = {
  question: Question;
  /** Parameters not offered: their descriptions cost more tokens than they are worth. */
  without?: string[];
  /** Appended to the summary. */
  also?: string;
  more?: Parameters;
  /** Shorter descriptions of parameters, by name; an empty one is left out. */
  short?: Record<string, string>;
  /** Fields of list items that the tool `record` gives. */
  leaves?: readonly string[];
  /** True for figures whose sources are those of the ballots counted. */
  countsBallots?: true;
  /** Where to find the sources, if results do not name them. */
  note?: string;
};

/** An MCP tool: a question with its offered parameters, and those common to all tools. */
export type Tool = Offer & { name: string; description: string; parameters: Parameters };

const ofBallots = 'figures over ballots: the tool ballots lists those counted, by the same arguments';

const choiceWithout = ['type', 'topic', 'result', 'voted', 'text', 'ballots', 'author', 'by'];

/** How a record is named, as on the command line. */
const reference = 'slug, name, id, KIND:KEY, address, or CHAMBER:ID or number of a ballot';

const offers: readonly Offer[] = [
  {
    question: search,
    without: ['types', 'all_copies', 'explain', 'topic', 'politician', 'party', 'since', 'until'],
    also: 'Others with type.',
    note: 'hits are excerpts: the tool record gives each whole',
    short: {
      q: 'words, all found; "a phrase", -without, a beginning*',
      type: 'politician, party, content and speech by default',
    },
  },
  {
    question: record,
    also: 'Profiles with sources; ballots with votes by party.',
    more: readingOn,
    short: { key: reference },
  },
  { question: topics, also: 'They are what topic takes.' },
  {
    question: politicians,
    without: ['sort'],
    short: {
      q: 'beginnings of its words',
      party: 'or group',
      in_office: 'states a role',
      chamber: 'AN, Senat, PE',
      department: 'name',
      constituency: 'its number',
      group: '',
    },
    leaves: ['bio', 'affiliations', 'first_name', 'last_name'],
  },
  {
    question: feedOfPeople,
    short: { types: 'content, promise and position by default', q: 'words', party: '', politician: '' },
  },
  {
    question: ballots,
    without: ['type', 'topic', 'text', 'ballots', 'author'],
    also: 'Results and positions as stated.',
    short: {
      q: 'words of title or file',
      voted: 'GROUP:for, GROUP:against or GROUP:abstention; all must hold',
      group: 'groups whose counts and position to tell',
      result: 'as announced',
      margin: 'most votes that decided',
      dissent: 'some group split by that share (0.2)',
    },
  },
  {
    question: compare,
    without: choiceWithout,
    note: ofBallots,
    countsBallots: true,
    also: 'Says how alike, not why or who is right.',
    short: { q: 'words of title or file', group: 'groups, or majority' },
  },
  {
    question: cohesion,
    without: choiceWithout,
    note: ofBallots,
    countsBallots: true,
    also: 'Agreement Index; says nothing of merit.',
    short: { q: 'words of title or file', group: 'all by default' },
  },
  {
    question: affiliations,
    short: { party: '', politician: '', moved: 'only moves' },
    note: 'the sources of a day are those of the politician: the tool record',
  },
  {
    question: changes,
    without: ['until'],
    also: 'When it happened at the service is unknown.',
    short: {
      since: '7d, a day, or last: the last sync',
      q: 'words said',
      only: '',
      kind: 'promise, ballot…',
      politician: '',
      party: 'it and its members then',
    },
  },
  { question: history, short: { key: reference } },
];

/** All tools; questions of little use to a model are left out, since each costs tokens. */
export const tools: readonly Tool[] = offers.map((offer) => {
  const { question, without = [], also, more } = offer;
  const own = Object.entries(question.parameters).filter(([name]) => !without.includes(name));
  const summary = sentence(question.summary);
  return {
    ...offer,
    name: question.name,
    description: also === undefined ? summary : `${summary} ${also}`,
    parameters: { ...Object.fromEntries(own), ...more, as_of: asOf },
  };
});

/** Schema keywords that are listed; bounds are only checked, and named in the error. */
const toldKeywords = ['type', 'enum'];

/** Names of the kinds, which are told by their descriptions alone. */
const kindList = JSON.stringify(kindNames);

/** Parameters common to the tools, described once in the instructions. */
const toldOnce = new Set(['limit', 'cursor', 'as_of', 'since', 'until']);

/** The `tools/list` entry of a tool. */
export function listed({ name, description, parameters, short }: Tool) {
  // A reference says its kind.
  const entries = Object.entries(parameters).filter(([each]) => each !== 'kind' || !('key' in parameters));
  const required = entries.filter(([, { isRequired }]) => isRequired).map(([each]) => each);
  return {
    name,
    description,
    inputSchema: {
      type: 'object' as const,
      properties: Object.fromEntries(
        entries.map(([each, parameter]) => [each, schemaOf(each, parameter, short)]),
      ),
      ...(required.length > 0 ? { required } : {}),
    },
    outputSchema,
    annotations: { title: `Hemicycle: ${name}`, readOnlyHint: true, openWorldHint: false },
  };
}

/** What every answer holds, as structured content. */
const outputSchema = {
  type: 'object' as const,
  properties: {
    items: { type: 'array', items: {}, description: 'rows; a field that is absent is not stated' },
    item: { description: 'one record; null is not stated' },
    shown: { type: 'integer' },
    total: { type: ['integer', 'null'] },
    next_cursor: { type: ['string', 'null'] },
    origin: { type: 'object', description: 'as_of: the moment of the data' },
    attribution: { type: 'object', description: 'text: to be told with whatever is passed on' },
    sources: { type: 'array', items: {}, description: 'documents that source_ids name' },
    left_out: { type: 'array', items: { type: 'string' } },
    notes: { type: 'array', items: { type: 'string' } },
  },
  required: ['origin', 'attribution', 'sources', 'left_out', 'notes'],
};

function schemaOf(name: string, { schema, description }: Parameter, short: Tool['short'] = {}): Schema {
  const told = slim(schema);
  const said = short[name] ?? description;
  const isPlain = ((toldOnce.has(name) || isListed(told)) && !short[name]) || said === name || said === '';
  return isPlain ? told : { ...told, description: said };
}

/** True if the values that are allowed say it all. */
const isListed = ({ items, ...schema }: Schema) => 'enum' in ((items as Schema | undefined) ?? schema);

function slim(schema: Schema): Schema {
  const isKinds = JSON.stringify(schema.enum) === kindList;
  const keywords = isKinds ? ['type'] : toldKeywords;
  const kept = Object.entries(schema).filter(([keyword]) => keywords.includes(keyword));
  const { items } = schema as { items?: Schema };
  return { ...Object.fromEntries(kept), ...(items ? { items: slim(items) } : {}) };
}
