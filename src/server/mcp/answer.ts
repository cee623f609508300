import { attributionOf } from '../../model/attribution.ts';
import { type Document, documentsIn, isDocument, type Json } from '../../model/document.ts';
import { type Coverage, coveragePhrase } from '../../parliament/coverage.ts';
import { ballots } from '../../questions/ballots.ts';
import { resolveNames } from '../../questions/names.ts';
import { normaliseWritten, readValues } from '../../questions/parameter.ts';
import type { ListQuestion, Question } from '../../questions/question.ts';
import { referredTo } from '../../questions/references.ts';
import { resolvedPartyFields, resolveParties } from '../../questions/resolved-parties.ts';
import type { Mirror } from '../../store/mirror.ts';
import { lastFilled } from '../../store/records/contents.ts';
import type { Caller } from '../observed.ts';
import { badParameters, RefusedRequestError } from '../problem.ts';
import { parseRequestedMoment, readingOf, type SearchSettings } from '../question-routes.ts';
import type { Serving } from '../serving.ts';
import { beginning, type Cut, cutSentences, fitted } from './fit.ts';
import { citedSources, compactRow, nullCounts, nullNotes, withSources } from './stated.ts';
import type { Tool } from './tools.ts';

/** Data sources, search settings and caller of the tools. */
export type World = Pick<Serving, 'mirror' | 'reader' | 'clock'> & {
  settings: SearchSettings;
  /** Caller in whose queue the worker pool puts the reads. */
  caller: Pick<Caller, 'key'>;
};

/** Length limit of a tool result in characters, about 6,000 tokens. */
export const mostChars = 20_000;

/** Shares of `mostChars`; attribution and notes use the remainder. */
const mostOf = { records: 14_000, item: 2500, beside: 1500 };

/** Default page size; small because a model pays for each token read. */
const usualLimit = 10;

type ToolValues = Record<string, unknown>;

type ToolCall = { tool: Tool; values: ToolValues; asOf: string | null };

/** Returns a tool call's result as JSON of at most `mostChars` characters; `refusalOf` maps thrown errors. */
export async function answerTool(tool: Tool, input: unknown, world: World): Promise<string> {
  const mirror = world.mirror.current();
  const { as_of, field, from, ...values } = argumentsOf(tool, withReference(mirror, tool, input));
  const asOf = parseRequestedMoment(as_of as string | undefined, world.clock());
  const { parameters } = tool.question;
  const call = { tool, values: resolveNames(mirror, parameters, values), asOf };
  const resolvedGroups = resolveParties(mirror, parameters, values);
  const body = await read(call, world);
  const parts =
    tool.question.answers === 'list'
      ? await listParts(body, call, world)
      : recordParts(body, { field: field as string | undefined, from: (from as number | undefined) ?? 0 });
  return resultText({ ...parts, fields: { ...parts.fields, ...resolvedPartyFields(resolvedGroups) } }, call, world);
}

/** Fills in kind and key from a reference in `key` if the call has no kind. */
function withReference(mirror: Mirror, { parameters }: Tool, input: unknown): unknown {
  if (!('key' in parameters) || !isDocument(input) || input.kind || !input.key) return input;
  return { ...input, ...referredTo(mirror, String(input.key)) };
}

/** Throws one RefusedRequestError (422) that names each bad parameter. */
function argumentsOf({ name, parameters, question, preset }: Tool, input: unknown = {}): ToolValues {
  if (!isDocument(input)) throw new RefusedRequestError(422, 'The arguments must be an object.');
  const names = Object.keys(parameters);
  const unknown = Object.keys(input).filter((each) => !names.includes(each));
  if (unknown.length > 0) throw new RefusedRequestError(422, unknownText(name, unknown, names));
  const texts = Object.entries(input).map(([each, value]) => [each, textsOf(each, value)] as const);
  const written = texts.map(
    ([each, textValues]) => [each, textValues && normaliseWritten(parameters[each]!, textValues)] as const,
  );
  const { values, errors } = readValues({ ...question.parameters, ...parameters }, Object.fromEntries(written));
  if (errors.length > 0) throw badParameters(errors);
  const limit = 'limit' in parameters && input.limit === undefined ? { limit: usualLimit } : {};
  return { ...values, ...preset, ...limit };
}

function unknownText(name: string, unknown: string[], names: string[]): string {
  const listed = unknown.slice(0, 5).map((each) => `"${beginning(each, 60)}"`);
  return `The tool ${name} takes no ${listed.join(', ')}. It takes ${names.join(', ')}. What sources do not state (an outcome, a motive, a judgement) cannot be asked for.`;
}

function textsOf(name: string, value: Json): string[] | undefined {
  if (value === null) return undefined;
  const values = [value].flat();
  if (values.length <= 50 && values.every((each) => ['string', 'number', 'boolean'].includes(typeof each)))
    return values.map(String);
  const message = 'must be a text, a number, true or false, or a list of at most 50 of these';
  throw badParameters([{ parameter: name, message }]);
}

type QuestionCall = Omit<ToolCall, 'tool'> & { tool: { question: Question } };

async function read({ tool, values, asOf }: QuestionCall, world: World): Promise<Document> {
  const reading = readingOf(world.settings, asOf);
  const readRequest = { question: tool.question.name, values, reading, isBeyondInterface: true };
  return JSON.parse((await world.reader.read(readRequest, world.caller)).text);
}

type Parts = {
  fields: Document;
  leftOut: string[];
  nulls: Map<string, number>;
  notes?: string[];
  cites?: Json;
};

const applicableSentences = (...sentences: (string | false)[]) => sentences.filter((each) => each !== false);

async function listParts(body: Document, call: ToolCall, world: World): Promise<Parts> {
  const { tool, values } = call;
  // Suggestions are for people: a model would take them for results.
  const { items: whole, total, next_cursor, near, ...beside } = body;
  const rows = documentsIn(whole).map((item) => withSources(world.mirror.current(), item));
  const { leaves = [] } = tool;
  const omittedFields = leaves.filter((name) => rows.some((row) => Object.hasOwn(row, name)));
  const all = rows.map((row) => compactRow(row, omittedFields));
  const { items, cuts, of } = fittedItems(all);
  const isPaged = typeof values.limit === 'number' && 'cursor' in tool.parameters;
  // Read again with a smaller limit, so that the cursor continues after the last item shown.
  if (items.length < of && isPaged && items.length > 0) {
    const fewer = { ...call, values: { ...values, limit: items.length } };
    return listParts(await read(fewer, world), fewer, world);
  }
  const counted = tool.countsBallots ? await ballotsCounted(call, world) : null;
  const otherFields = fitted(beside, mostOf.beside);
  const coverage = coveragePhrase(documentsIn(body.coverage) as Coverage[]);
  const isMore = typeof next_cursor === 'string';
  const count = typeof total === 'number' ? ` of ${total}` : '';
  return {
    fields: {
      ...(otherFields.value as Document | null),
      items,
      shown: items.length,
      total: total ?? null,
      next_cursor: next_cursor ?? null,
    },
    nulls: nullCounts(rows),
    notes: applicableSentences(
      coverage === null ? false : `${coverage}`,
      items.length === 0 && (await elsewhere(call, world)),
      isDocument(near) && 'no record contains all of these words: ask with fewer or other words',
    ),
    ...(counted === null ? {} : { cites: counted.items! }),
    leftOut: applicableSentences(
      isMore && `shown ${items.length}${count}; go on with cursor = next_cursor and the same arguments`,
      items.length < of &&
        `${of - items.length} items more than an answer holds: ask ${tool.name} for less (since, until, fewer groups)`,
      ...cutSentences(cuts),
      cuts.length > 0 && 'the tool record gives any record whole, field by field',
      omittedFields.length > 0 && `${omittedFields.join(', ')}: the tool record has them`,
      counted !== null &&
        Number(counted.total) > ballotsCited &&
        `sources are those of the newest ${ballotsCited} of ${counted.total} ballots`,
      ...cutSentences(otherFields.cuts),
    ),
  };
}

const ballotsCited = 100;

/** Reads the newest ballots behind the figures of a tool. */
async function ballotsCounted({ tool, values, asOf }: ToolCall, world: World): Promise<Document> {
  const shared = Object.keys(tool.parameters).filter((name) => name in ballots.parameters && name !== 'group');
  const { values: usual } = readValues(ballots.parameters, {});
  const chosen = shared.flatMap((name) =>
    values[name] === undefined || name === 'sort' ? [] : [[name, values[name]]],
  );
  const ballotValues = { ...usual, ...Object.fromEntries(chosen), limit: ballotsCited };
  return read({ tool: { question: ballots }, values: ballotValues, asOf }, world);
}

/** Returns a hint if no record has the topic but full text matches the word. */
async function elsewhere(call: ToolCall, world: World): Promise<string | false> {
  const { topic, q } = call.values;
  if (topic === undefined || q !== undefined || !('q' in call.tool.parameters)) return false;
  const values = { ...call.values, topic: undefined, q: topic };
  const { items, total } = await read({ ...call, values }, world);
  const count = Number(total ?? documentsIn(items).length);
  return (
    count > 0 &&
    `none of these is filed under the topic ${topic}, and ${count} hold the word: ask with q, without topic`
  );
}

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

function recordParts(item: Document, { field, from }: { field: string | undefined; from: number }): Parts {
  if (field === undefined) {
    const { value, cuts } = fitted(item, mostOf.records);
    const goOn = cuts.map(({ path }) => path.split('.')[0]).find((name) => name !== '');
    return {
      fields: { item: value },
      nulls: nullCounts(item),
      leftOut: applicableSentences(
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
    leftOut: applicableSentences(isMore && `go on with from = ${from + shown}`, ...cutSentences(cuts)),
  };
}

function sliceOf(whole: Json, from: number): { value: Json; shown: number; of: number; cuts: Cut[] } {
  if (typeof whole === 'string') {
    // JSON escapes can take six characters for one.
    let value = beginning(whole.slice(from), mostOf.records);
    while (JSON.stringify(value).length > mostOf.records) value = beginning(value, Math.ceil(value.length / 2));
    return { value, shown: value.length, of: whole.length, cuts: [] };
  }
  if (Array.isArray(whole)) {
    const { items, cuts } = fittedItems(whole.slice(from));
    return { value: items, shown: items.length, of: whole.length, cuts };
  }
  return { ...fitted(whole, mostOf.records), shown: 1, of: 1 };
}

function resultText(
  { fields, leftOut, nulls, notes = [], cites = null }: Parts,
  { tool, values, asOf }: ToolCall,
  { mirror }: World,
): string {
  const current = mirror.current();
  const filledAt = lastFilled(current);
  const { sources, cuts } = citedSources(current, [fields, cites]);
  const answer = (documents: Json[], omissions: string[]) =>
    JSON.stringify({
      ...fields,
      origin: { from: 'mirror', as_of: asOf ?? filledAt },
      attribution: attributionOf(mirror.citation(), { retrievedAt: filledAt, asOf }),
      sources: documents,
      left_out: omissions,
      notes: [...notes, ...notesOf(current, tool, values), ...nullNotes(nulls)],
    });
  const whole = answer(sources, [...leftOut, ...cuts]);
  return whole.length <= mostChars ? whole : answer([], [...leftOut, 'sources: their ids are those of source_ids']);
}

function notesOf(mirror: Mirror, { question, note }: Tool, values: ToolValues): string[] {
  const { notes, description } = question as ListQuestion;
  const questionNotes = notes?.(mirror, values) ?? [];
  return applicableSentences(description ?? false, ...questionNotes.map(String), note ?? false).map((each) =>
    beginning(each, 500),
  );
}
