import { attributionOf } from '../../model/attribution.ts';
import { type Document, documentsIn, isDocument, type Json } from '../../model/document.ts';
import { ballots } from '../../questions/ballots.ts';
import { resolveNames } from '../../questions/names.ts';
import { meantBy, readValues } from '../../questions/parameter.ts';
import { partiesTaken, takenIn } from '../../questions/parties-taken.ts';
import type { ListQuestion, Question } from '../../questions/question.ts';
import { referredTo } from '../../questions/references.ts';
import type { Mirror } from '../../store/mirror.ts';
import { lastFilled } from '../../store/records/contents.ts';
import type { Caller } from '../observed.ts';
import { badParameters, RefusedRequestError } from '../problem.ts';
import { askedMoment, readingOf, type SearchSettings } from '../question-routes.ts';
import type { Serving } from '../serving.ts';
import { beginning, type Cut, cutSentences, fitted } from './fit.ts';
import { namedSources, nullCounts, nullNotes, rowStated, withSources } from './stated.ts';
import type { Tool } from './tools.ts';

/** What tools read from. */
export type World = Pick<Serving, 'mirror' | 'reader' | 'clock'> & {
  settings: SearchSettings;
  /** Whose turn the reads take. */
  caller: Pick<Caller, 'key'>;
};

/** Longest tool result in characters, some 6,000 tokens. */
export const mostChars = 20_000;

/** Shares of `mostChars`; the rest is for attribution and notes. */
const mostOf = { records: 14_000, item: 2500, beside: 1500 };

/** Default page size; small because a model pays for what it reads. */
const usualLimit = 10;

type ToolValues = Record<string, unknown>;

type ToolCall = { tool: Tool; values: ToolValues; asOf: string | null };

/** The result of a tool call as JSON text of at most `mostChars`; `refusalOf` maps what it throws. */
export async function answerTool(tool: Tool, given: unknown, world: World): Promise<string> {
  const mirror = world.mirror.current();
  const { as_of, field, from, ...values } = argumentsOf(tool, withReference(mirror, tool, given));
  const asOf = askedMoment(as_of as string | undefined, world.clock());
  const { parameters } = tool.question;
  const asked = { tool, values: resolveNames(mirror, parameters, values), asOf };
  const taken = partiesTaken(mirror, parameters, values);
  const body = await read(asked, world);
  const parts =
    tool.question.answers === 'list'
      ? await listParts(body, asked, world)
      : recordParts(body, { field: field as string | undefined, from: (from as number | undefined) ?? 0 });
  return told({ ...parts, fields: { ...parts.fields, ...takenIn(taken) } }, asked, world);
}

/** The arguments of a call with the kind and key that a reference names, where they state no kind. */
function withReference(mirror: Mirror, { parameters }: Tool, given: unknown): unknown {
  if (!('key' in parameters) || !isDocument(given) || given.kind || !given.key) return given;
  return { ...given, ...referredTo(mirror, String(given.key)) };
}

/** Parses the arguments of a call; throws one RefusedRequestError (422) that names each bad parameter. */
function argumentsOf({ name, parameters, question }: Tool, given: unknown = {}): ToolValues {
  if (!isDocument(given)) throw new RefusedRequestError(422, 'The arguments must be an object.');
  const names = Object.keys(parameters);
  const unknown = Object.keys(given).filter((each) => !names.includes(each));
  if (unknown.length > 0) throw new RefusedRequestError(422, unknownText(name, unknown, names));
  const texts = Object.entries(given).map(([each, value]) => [each, textsOf(each, value)] as const);
  const written = texts.map(([each, found]) => [each, found && meantBy(parameters[each]!, found)] as const);
  const { values, errors } = readValues(
    { ...question.parameters, ...parameters },
    Object.fromEntries(written),
  );
  if (errors.length > 0) throw badParameters(errors);
  return 'limit' in parameters && given.limit === undefined ? { ...values, limit: usualLimit } : values;
}

function unknownText(name: string, unknown: string[], names: string[]): string {
  const listed = unknown.slice(0, 5).map((each) => `"${beginning(each, 60)}"`);
  return `The tool ${name} takes no ${listed.join(', ')}. It takes ${names.join(', ')}. What sources do not state (an outcome, a motive, a judgement) cannot be asked for.`;
}

/** An argument as command-line texts; undefined for null. */
function textsOf(name: string, value: Json): string[] | undefined {
  if (value === null) return undefined;
  const values = [value].flat();
  if (values.length <= 50 && values.every((each) => ['string', 'number', 'boolean'].includes(typeof each)))
    return values.map(String);
  const message = 'must be a text, a number, true or false, or a list of at most 50 of these';
  throw badParameters([{ parameter: name, message }]);
}

type AskedQuestion = Omit<ToolCall, 'tool'> & { tool: { question: Question } };

async function read({ tool, values, asOf }: AskedQuestion, world: World): Promise<Document> {
  const asked = { question: tool.question.name, values, reading: readingOf(world.settings, asOf) };
  return JSON.parse((await world.reader.read(asked, world.caller)).text);
}

/** Fields of a result, and sentences on what was left out. */
type Parts = {
  fields: Document;
  leftOut: string[];
  nulls: Map<string, number>;
  notes?: string[];
  cites?: Json;
};

/** The sentences that apply. */
const stated = (...sentences: (string | false)[]) => sentences.filter((each) => each !== false);

async function listParts(body: Document, asked: ToolCall, world: World): Promise<Parts> {
  const { tool, values } = asked;
  const { items: whole, total, next_cursor, ...beside } = body;
  const rows = documentsIn(whole).map((item) => withSources(world.mirror.current(), item));
  const { leaves = [] } = tool;
  const left = leaves.filter((name) => rows.some((row) => Object.hasOwn(row, name)));
  const all = rows.map((row) => rowStated(row, left));
  const { items, cuts, of } = fittedItems(all);
  const isPaged = typeof values.limit === 'number' && 'cursor' in tool.parameters;
  // Read again with a smaller limit, so that the cursor continues after the last item shown.
  if (items.length < of && isPaged && items.length > 0) {
    const fewer = { ...asked, values: { ...values, limit: items.length } };
    return listParts(await read(fewer, world), fewer, world);
  }
  const counted = tool.countsBallots ? await ballotsCounted(asked, world) : null;
  const rest = fitted(beside, mostOf.beside);
  const isMore = typeof next_cursor === 'string';
  const count = typeof total === 'number' ? ` of ${total}` : '';
  return {
    fields: {
      ...(rest.value as Document | null),
      items,
      shown: items.length,
      total: total ?? null,
      next_cursor: next_cursor ?? null,
    },
    nulls: nullCounts(rows),
    notes: stated(items.length === 0 && (await elsewhere(asked, world))),
    ...(counted === null ? {} : { cites: counted.items! }),
    leftOut: stated(
      isMore && `shown ${items.length}${count}; go on with cursor = next_cursor and the same arguments`,
      items.length < of &&
        `${of - items.length} items more than an answer holds: ask ${tool.name} for less (since, until, fewer groups)`,
      ...cutSentences(cuts),
      cuts.length > 0 && 'the tool record gives any record whole, field by field',
      left.length > 0 && `${left.join(', ')}: the tool record has them`,
      counted !== null &&
        Number(counted.total) > ballotsCited &&
        `sources are those of the newest ${ballotsCited} of ${counted.total} ballots`,
      ...cutSentences(rest.cuts),
    ),
  };
}

const ballotsCited = 100;

/** The newest of the ballots that figures count. */
async function ballotsCounted({ tool, values, asOf }: ToolCall, world: World): Promise<Document> {
  const shared = Object.keys(tool.parameters).filter(
    (name) => name in ballots.parameters && name !== 'group',
  );
  const { values: usual } = readValues(ballots.parameters, {});
  const chosen = shared.flatMap((name) =>
    values[name] === undefined || name === 'sort' ? [] : [[name, values[name]]],
  );
  const asked = { ...usual, ...Object.fromEntries(chosen), limit: ballotsCited };
  return read({ tool: { question: ballots }, values: asked, asOf }, world);
}

/** Says how many records hold the word where none is filed under it as a topic. */
async function elsewhere(asked: ToolCall, world: World): Promise<string | false> {
  const { topic, q } = asked.values;
  if (topic === undefined || q !== undefined || !('q' in asked.tool.parameters)) return false;
  const values = { ...asked.values, topic: undefined, q: topic };
  const { items, total } = await read({ ...asked, values }, world);
  const count = Number(total ?? documentsIn(items).length);
  return (
    count > 0 &&
    `none of these is filed under the topic ${topic}, and ${count} hold the word: ask with q, without topic`
  );
}

/** The first items that fit, each truncated to its share. */
function fittedItems(all: Json[]): { items: Json[]; cuts: Cut[]; of: number } {
  const items: Json[] = [];
  const cuts: Cut[] = [];
  let length = 0;
  for (const [at, each] of all.entries()) {
    const item = fitted(each, mostOf.item);
    length += JSON.stringify(item.value).length + 1;
    if (length > mostOf.records) break;
    items.push(item.value);
    cuts.push(...item.cuts.map((cut) => ({ ...cut, path: `items.${at}.${cut.path}` })));
  }
  return { items, cuts, of: all.length };
}

/** A truncated record, or one of its fields from a position on. */
function recordParts(item: Document, { field, from }: { field: string | undefined; from: number }): Parts {
  if (field === undefined) {
    const { value, cuts } = fitted(item, mostOf.records);
    const goOn = cuts.map(({ path }) => path.split('.')[0]).find((name) => name !== '');
    return {
      fields: { item: value },
      nulls: nullCounts(item),
      leftOut: stated(
        ...cutSentences(cuts),
        goOn !== undefined && `read on with field, such as "${beginning(goOn, 60)}", and from`,
      ),
    };
  }
  if (!Object.hasOwn(item, field)) {
    const names = Object.keys(item).slice(0, 60).join(', ');
    throw new RefusedRequestError(422, `The record states no ${beginning(field, 60)}. It states ${names}.`);
  }
  const { value, shown, of, cuts } = sliceOf(item[field]!, from);
  const isMore = from + shown < of;
  return {
    fields: { field, from, shown, of, value },
    nulls: new Map(),
    leftOut: stated(isMore && `go on with from = ${from + shown}`, ...cutSentences(cuts)),
  };
}

function sliceOf(whole: Json, from: number): { value: Json; shown: number; of: number; cuts: Cut[] } {
  if (typeof whole === 'string') {
    // JSON escapes may take six characters for one.
    let value = beginning(whole.slice(from), mostOf.records);
    while (JSON.stringify(value).length > mostOf.records)
      value = beginning(value, Math.ceil(value.length / 2));
    return { value, shown: value.length, of: whole.length, cuts: [] };
  }
  if (Array.isArray(whole)) {
    const { items, cuts } = fittedItems(whole.slice(from));
    return { value: items, shown: items.length, of: whole.length, cuts };
  }
  return { ...fitted(whole, mostOf.records), shown: 1, of: 1 };
}

/** The result as JSON: fields, attribution, sources and notes. */
function told(
  { fields, leftOut, nulls, notes = [], cites = null }: Parts,
  { tool, values, asOf }: ToolCall,
  { mirror }: World,
): string {
  const current = mirror.current();
  const filledAt = lastFilled(current);
  const { sources, cuts } = namedSources(current, [fields, cites]);
  const answer = (documents: Json[], left: string[]) =>
    JSON.stringify({
      ...fields,
      origin: { from: 'mirror', as_of: asOf ?? filledAt },
      attribution: attributionOf(mirror.citation(), { retrievedAt: filledAt, asOf }),
      sources: documents,
      left_out: left,
      notes: [...notes, ...notesOf(current, tool, values), ...nullNotes(nulls)],
    });
  const whole = answer(sources, [...leftOut, ...cuts]);
  return whole.length <= mostChars
    ? whole
    : answer([], [...leftOut, 'sources: their ids are those of source_ids']);
}

function notesOf(mirror: Mirror, { question, note }: Tool, values: ToolValues): string[] {
  const { notes, description } = question as ListQuestion;
  const told = notes?.(mirror, values) ?? [];
  return stated(description ?? false, ...told.map(String), note ?? false).map((each) => beginning(each, 500));
}
