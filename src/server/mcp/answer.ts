import { truncateText } from '../../format/sanitise.ts';
import { attributionOf } from '../../model/attribution.ts';
import { type Document, documentsIn, isDocument, type Json } from '../../model/document.ts';
import { type Coverage, coveragePhrase } from '../../parliament/coverage.ts';
import { derivedOfRecord } from '../../parliament/group-rows.ts';
import { resolveNames } from '../../questions/names.ts';
import { normaliseInput, readValues } from '../../questions/parameter.ts';
import type { ListQuestion, ReadOptions } from '../../questions/question.ts';
import { resolveReference } from '../../questions/references.ts';
import { resolvedPartyFields, resolveParties } from '../../questions/resolved-parties.ts';
import type { Mirror } from '../../store/mirror.ts';
import { createNatureReader } from '../../store/records/ballots.ts';
import { lastFilledAt } from '../../store/records/contents.ts';
import { say } from '../../words/speech.ts';
import { badParametersError, RefusedRequestError } from '../problem.ts';
import { parseRequestedMoment, type ReadSettings, readOptionsOf } from '../question-routes.ts';
import type { Caller } from '../response-observers.ts';
import type { ServerContext } from '../serving.ts';
import { type Cut, truncateJson, truncationSentences } from './fit.ts';
import { citedSources, compactRow, nullCounts, nullNotes, withSources } from './provenance.ts';
import type { Tool } from './tools.ts';

/** Data sources, search settings and caller of the tools. */
export type ToolContext = Pick<ServerContext, 'mirror' | 'reader' | 'clock'> & {
  settings: ReadSettings;
  /** Caller in whose queue the worker pool puts the reads. */
  caller: Pick<Caller, 'key'>;
};

/** Length limit of a tool result in characters, about 6,000 tokens. */
export const maxChars = 20_000;

/** Shares of `maxChars`: all records, each of them, other fields; attribution and notes use the remainder. */
const maxLengths = { records: 14_000, item: 2500, otherFields: 1500 };

const defaultLimit = 10; // small, since a model pays for each token that it reads

type ToolValues = Record<string, unknown>;

type ToolCall = { tool: Tool; values: ToolValues; asOf: string | null };

/** Returns a tool call's result as JSON of at most `maxChars` characters; callers map thrown errors by `refusalOf`. */
export async function answerTool(tool: Tool, input: unknown, context: ToolContext): Promise<string> {
  const mirror = context.mirror.current();
  const { as_of, field, from, ...values } = parseArguments(tool, fillReference(mirror, tool, input));
  const asOf = parseRequestedMoment(as_of as string | undefined, context.clock());
  const { parameters } = tool.question;
  const call = { tool, values: resolveNames(mirror, parameters, values), asOf };
  const resolvedGroups = resolveParties(mirror, parameters, values);
  const body = await readAnswer(call, context);
  const parts =
    tool.question.answers === 'list'
      ? await listParts(body, call, context)
      : recordParts(body, { field: field as string | undefined, from: (from as number | undefined) ?? 0 });
  const isBallot = tool.question.answers === 'record' && call.values.kind === 'ballot' && field === undefined;
  const derived = isBallot && { derived: derivedOfRecord(body, createNatureReader(mirror)(body)) };
  const fields = { ...parts.fields, ...derived, ...resolvedPartyFields(resolvedGroups) };
  return resultText({ ...parts, fields }, call, context);
}

/** Returns the input with kind and key resolved from a reference in `key`, if the call has no kind. */
function fillReference(mirror: Mirror, { parameters }: Tool, input: unknown): unknown {
  if (!('key' in parameters) || !isDocument(input) || input.kind || !input.key) return input;
  return { ...input, ...resolveReference(mirror, String(input.key)) };
}

/** Parses the arguments of a call; throws one RefusedRequestError (422) that names each bad parameter. */
function parseArguments({ name, parameters, question, fixedValues }: Tool, input: unknown = {}): ToolValues {
  if (!isDocument(input)) throw new RefusedRequestError(422, say`The arguments must be an object.`);
  const names = Object.keys(parameters);
  const unknownNames = Object.keys(input).filter((each) => !names.includes(each));
  const unknownList = unknownNames.slice(0, 5).map((each) => `"${truncateText(each, 60)}"`);
  const unknownText = say`The tool ${name} takes no ${unknownList.join(', ')}. It takes ${names.join(', ')}. What sources do not state (an outcome, a motive, a judgement) has no parameter.`;
  if (unknownNames.length > 0) throw new RefusedRequestError(422, unknownText);
  const texts = Object.entries(input).flatMap(([each, value]) =>
    value === null ? [] : [[each, normaliseInput(parameters[each]!, textsOf(each, value))] as const],
  );
  const { values, errors } = readValues({ ...question.parameters, ...parameters }, Object.fromEntries(texts));
  if (errors.length > 0) throw badParametersError(errors);
  const limit = 'limit' in parameters && input.limit === undefined ? { limit: defaultLimit } : {};
  return { ...values, ...fixedValues, ...limit };
}

function textsOf(name: string, value: Json): string[] {
  const values = [value].flat();
  if (values.length <= 50 && values.every((each) => ['string', 'number', 'boolean'].includes(typeof each)))
    return values.map(String);
  const userText = 'must be a text, a number, true or false, or a list of at most 50 of these';
  throw badParametersError([{ parameter: name, userText }]);
}

async function readAnswer({ tool, values, asOf }: ToolCall, context: ToolContext): Promise<Document> {
  const readRequest = { question: tool.question.name, values, reading: readOptionsOf(context.settings, asOf) };
  return JSON.parse((await context.reader.read(readRequest, context.caller)).text);
}

/** Fields of a result, what they omit, how often each field is null, and notes for the model. */
type ResultParts = { fields: Document; omissions: string[]; nullsByField: Map<string, number>; notes?: string[] };

const applicableSentences = (...sentences: (string | false)[]) => sentences.filter((each) => each !== false);

async function listParts(body: Document, call: ToolCall, context: ToolContext): Promise<ResultParts> {
  const { tool, values } = call;
  // Suggestions are for people: a model would take them for results.
  const { items: bodyItems, total, next_cursor, near, ...otherFields } = body;
  const rows = documentsIn(bodyItems).map((item) => withSources(context.mirror.current(), item));
  const omittedFields = (tool.omittedFields ?? []).filter((name) => rows.some((row) => Object.hasOwn(row, name)));
  const { items, cuts } = truncateItems(rows.map((row) => compactRow(row, omittedFields)));
  const isPaged = typeof values.limit === 'number' && 'cursor' in tool.parameters;
  // Read again with a smaller limit, so that the cursor continues after the last item shown.
  if (items.length < rows.length && isPaged && items.length > 0) {
    const smallerCall = { ...call, values: { ...values, limit: items.length } };
    return listParts(await readAnswer(smallerCall, context), smallerCall, context);
  }
  const truncatedFields = truncateJson(otherFields, maxLengths.otherFields);
  const coverage = coveragePhrase(documentsIn(body.coverage) as Coverage[]);
  const hasMore = typeof next_cursor === 'string';
  const ofTotal = typeof total === 'number' ? ` of ${total}` : '';
  const pageFields = { shown: items.length, total: total ?? null, next_cursor: next_cursor ?? null };
  return {
    fields: { ...(truncatedFields.value as Document | null), items, ...pageFields },
    nullsByField: nullCounts(rows),
    notes: applicableSentences(
      coverage === null ? false : `${coverage}`,
      isDocument(near) && 'no record contains all of these words: ask with fewer or other words',
    ),
    omissions: applicableSentences(
      hasMore && `shown ${items.length}${ofTotal}; go on with cursor = next_cursor and the same arguments`,
      items.length < rows.length &&
        `${rows.length - items.length} items more than an answer holds: ask ${tool.name} for less (since, until, fewer groups)`,
      ...truncationSentences(cuts),
      cuts.length > 0 && 'the tool record gives any record whole, field by field',
      omittedFields.length > 0 && `${omittedFields.join(', ')}: the tool record has them`,
      ...truncationSentences(truncatedFields.cuts),
    ),
  };
}

/** Returns the first items that fit in `maxLengths.records`, each truncated to `maxLengths.item`. */
function truncateItems(allItems: Json[]): { items: Json[]; cuts: Cut[] } {
  const items: Json[] = [];
  const cuts: Cut[] = [];
  let length = 0;
  for (const [at, each] of allItems.entries()) {
    const item = truncateJson(each, maxLengths.item);
    length += JSON.stringify(item.value).length + 1;
    if (length > maxLengths.records) break;
    items.push(item.value);
    cuts.push(...item.cuts.map((cut) => ({ ...cut, path: `items.${at}.${cut.path}` })));
  }
  return { items, cuts };
}

function recordParts(item: Document, { field, from }: { field: string | undefined; from: number }): ResultParts {
  if (field === undefined) {
    const { value, cuts } = truncateJson(item, maxLengths.records);
    const cutField = cuts.map(({ path }) => path.split('.')[0]).find((name) => name !== '');
    return {
      fields: { item: value },
      nullsByField: nullCounts(item),
      omissions: applicableSentences(
        ...truncationSentences(cuts),
        cutField !== undefined && `read on with field, such as "${truncateText(cutField, 60)}", and from`,
      ),
    };
  }
  if (!Object.hasOwn(item, field)) {
    const names = Object.keys(item).slice(0, 60).join(', ');
    throw new RefusedRequestError(422, say`The record states no ${truncateText(field, 60)}. It states ${names}.`);
  }
  const { value, shown, of, cuts } = sliceOf(item[field]!, from);
  const hasMore = from + shown < of;
  return {
    fields: { field, from, shown, of, value },
    nullsByField: new Map(),
    omissions: applicableSentences(hasMore && `go on with from = ${from + shown}`, ...truncationSentences(cuts)),
  };
}

/** Returns the part of a text or list that starts at `from`; its length `shown` and the total length `of`. */
function sliceOf(fieldValue: Json, from: number): { value: Json; shown: number; of: number; cuts: Cut[] } {
  if (typeof fieldValue === 'string') {
    // JSON escapes can take six characters for one.
    let value = truncateText(fieldValue.slice(from), maxLengths.records);
    while (JSON.stringify(value).length > maxLengths.records) value = truncateText(value, Math.ceil(value.length / 2));
    return { value, shown: value.length, of: fieldValue.length, cuts: [] };
  }
  if (Array.isArray(fieldValue)) {
    const { items, cuts } = truncateItems(fieldValue.slice(from));
    return { value: items, shown: items.length, of: fieldValue.length, cuts };
  }
  return { ...truncateJson(fieldValue, maxLengths.records), shown: 1, of: 1 };
}

/** Returns the JSON text of a result; it omits the sources if it would exceed `maxChars`. */
function resultText(
  { fields, omissions, nullsByField, notes = [] }: ResultParts,
  { tool, values, asOf }: ToolCall,
  { mirror, settings }: ToolContext,
): string {
  const current = mirror.current();
  const filledAt = lastFilledAt(current);
  const { sources, notes: sourceNotes } = citedSources(current, fields);
  const resultWith = (documents: Json[], allOmissions: string[]) =>
    JSON.stringify({
      ...fields,
      origin: { from: 'mirror', as_of: asOf ?? filledAt },
      attribution: attributionOf(mirror.citation(), { retrievedAt: filledAt, asOf }),
      sources: documents,
      left_out: allOmissions,
      notes: [...notes, ...notesOf(current, tool, values, readOptionsOf(settings, asOf)), ...nullNotes(nullsByField)],
    });
  const completeResult = resultWith(sources, [...omissions, ...sourceNotes]);
  return completeResult.length <= maxChars
    ? completeResult
    : resultWith([], [...omissions, 'sources: their ids are those of source_ids']);
}

function notesOf(mirror: Mirror, { question, sourceNote }: Tool, values: ToolValues, reading: ReadOptions): string[] {
  const { notes, description } = question as ListQuestion;
  const questionNotes = notes?.(mirror, values, reading) ?? [];
  return applicableSentences(description ?? false, ...questionNotes.map(String), sourceNote ?? false).map((each) =>
    truncateText(each, 500),
  );
}
