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
import { record } from '../../questions/record.ts';
import { search } from '../../questions/search.ts';
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
  /** Shorter descriptions of parameters, by name. */
  short?: Record<string, string>;
  /** Where to find the sources, if results do not name them. */
  note?: string;
};

/** An MCP tool: a question with its offered parameters, and those common to all tools. */
export type Tool = Offer & { name: string; description: string; parameters: Parameters };

const ofBallots =
  'figures over ballots: the tool ballots lists those counted, by the same arguments, with sources';

const choiceWithout = ['type', 'topic', 'result', 'voted', 'text', 'ballots', 'author', 'by'];

const offers: readonly Offer[] = [
  {
    question: search,
    without: ['types', 'all_copies', 'explain', 'topic', 'politician', 'party', 'since', 'until'],
    also: 'Also promises, positions, quotes and ballots, with type.',
    note: 'hits are excerpts: the tool record gives each whole, with its sources',
    short: {
      q: 'words, all found; "a phrase", -without, a beginning*',
      type: 'politician, party, content and speech by default',
    },
  },
  { question: record, also: 'Profiles with sources; ballots with votes by party.', more: readingOn },
  {
    question: politicians,
    without: ['sort'],
    short: {
      q: 'beginnings of its words',
      in_office: 'states a role',
      chamber: 'AN, Senat, PE',
      department: 'department',
      constituency: 'its number',
      group: 'slug',
    },
  },
  {
    question: feedOfPeople,
    short: { types: 'content, promise and position by default', q: 'words', party: 'slugs' },
  },
  {
    question: ballots,
    without: ['type', 'topic', 'text', 'ballots', 'author'],
    also: 'Results and positions as stated; null where none is: no outcome is computed.',
    short: { voted: 'GROUP:for, GROUP:against or GROUP:abstention; all must hold' },
  },
  {
    question: compare,
    without: choiceWithout,
    note: ofBallots,
    also: 'Says how alike, not why or who is right.',
  },
  {
    question: cohesion,
    without: choiceWithout,
    note: ofBallots,
    also: 'Agreement Index; says nothing of merit.',
  },
  {
    question: affiliations,
    short: { party: 'slugs', moved: 'only moves' },
    note: 'the sources of a day are those of the politician: the tool record',
  },
  {
    question: changes,
    without: ['until'],
    also: 'When it happened at the service is unknown.',
    short: {
      since: '7d, a day, or last: the last sync',
      q: 'words said',
      only: 'sorts',
      kind: 'kinds of record',
      politician: 'slug',
      party: 'slug: it and its members then',
    },
  },
  { question: history },
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

/** Parameters common to the tools, described once in the instructions. */
const toldOnce = new Set(['limit', 'cursor', 'as_of', 'since', 'until']);

/** The `tools/list` entry of a tool. */
export function listed({ name, description, parameters, short }: Tool) {
  const entries = Object.entries(parameters);
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
    annotations: { title: `Hemicycle: ${name}`, readOnlyHint: true, openWorldHint: false },
  };
}

function schemaOf(name: string, { schema, description }: Parameter, short: Tool['short'] = {}): Schema {
  const told = slim(schema);
  const said = short[name] ?? description;
  const isPlain = (toldOnce.has(name) && !short[name]) || 'enum' in told || said === name;
  return isPlain ? told : { ...told, description: said };
}

function slim(schema: Schema): Schema {
  const kept = Object.entries(schema).filter(([keyword]) => toldKeywords.includes(keyword));
  const { items } = schema as { items?: Schema };
  return { ...Object.fromEntries(kept), ...(items ? { items: slim(items) } : {}) };
}
