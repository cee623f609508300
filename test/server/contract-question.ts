import type { Random } from '../helpers/random.ts';
import type { Operation, Parameter, Promises } from './contract-document.ts';
import { hostileTexts, longTexts, pathTexts, valuesFor } from './contract-values.ts';

/** What is asked of an operation: each parameter as often as it is given, percent-encoded. */
export type Question = { operation: Operation; parameters: Record<string, string[]> };

/** What a mirror holds that a question may be about. */
export type Facts = {
  /** Keys of the records that a path with a parameter finds, in the words of `keyOf`. */
  keys: Map<string, Set<string>>;
  /** Cursors that lists gave, by `listOf`. */
  cursors: Map<string, string[]>;
  /** Values that records have, by parameter. */
  values: Record<string, string[]>;
};

/** How a question must be answered: one of these statuses, and with 422 which parameters are at fault. */
export type Expected = { statuses: number[]; faults: string[] | null };

/** The address of a question. */
export function addressOf({ operation, parameters }: Question): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name]?.[0] ?? '');
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap(({ name }) => (parameters[name] ?? []).map((value) => `${name}=${value}`));
  return query.length > 0 ? `${path}?${query.join('&')}` : path;
}

const longestAddress = 8192;

/** What the document and the facts say about a question, worked out apart from the server. */
export function expected(question: Question, promises: Promises, facts: Facts): Expected {
  const { operation } = question;
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  // An address that is wrong in two ways may be refused for either.
  const isTooLong = addressOf(question).length > longestAddress;
  const refusals = inPath.flatMap((each) => {
    const raw = question.parameters[each.name]![0]!;
    if (!isDecodable(raw)) return [400];
    // Two steps may be those of a longer address, which refuses them in its own way.
    if (raw.includes('/')) return isBeyond(operation) ? [404, 422] : [404];
    return decodeURIComponent(raw).length > (each.schema.maxLength ?? 500) ? [414] : [];
  });
  if (isTooLong) refusals.push(414, 431);
  if (refusals.length > 0) return { statuses: refusals, faults: refusals.includes(422) ? null : [] };
  const faults = operation.parameters
    .filter((parameter) => parameter.in === 'query' && !isOpen(parameter, question))
    .filter((parameter) => !isGood(parameter, question, promises, facts))
    .map(({ name }) => name);
  const isGuess = operation.parameters.some((parameter) => isOpen(parameter, question));
  // Where a name beyond the interface is unknown as well, either may be refused.
  const statuses = isGuess && isBeyond(operation) ? [404, 422] : [422];
  if (faults.length > 0) return { statuses, faults: isGuess ? null : faults };
  if (isGuess || isBeyond(operation)) return { statuses: [200, 404, 422], faults: null };
  const [key] = inPath;
  const isFound = !key || facts.keys.get(operation.path)!.has(keyOf(question, key));
  return { statuses: [isFound ? 200 : 404], faults: [] };
}

/** Beyond the interface names are looked up, and what they mean the document does not say. */
export function isBeyond({ tags }: Operation): boolean {
  return tags.includes('hemicycle');
}

/** Given, and read by more than its schema: moments, shares, the positions of groups, and names beyond the interface. */
function isOpen({ name }: Parameter, { operation, parameters }: Question): boolean {
  const open = ['as_of', 'since', 'until', 'voted', 'group', 'dissent', 'subject', 'place'];
  const names = isBeyond(operation) ? ['politician', 'party', 'topic', 'type', 'result', 'text'] : [];
  return parameters[name] !== undefined && [...open, ...names].includes(name);
}

function isGood(parameter: Parameter, question: Question, promises: Promises, facts: Facts): boolean {
  const values = givenTexts(parameter, question);
  if (values.length === 0) return !parameter.required;
  const isList = parameter.schema.type === 'array';
  const text = values.join(',');
  if ((values.length > 1 && !isList) || text.includes('\0')) return false;
  if (promises.faultOfParameter(parameter, meantBy(parameter, text)) !== null) return false;
  return parameter.name !== 'cursor' || (facts.cursors.get(listOf(question)) ?? []).includes(text);
}

/** The decoded texts of a parameter: an empty one, and the end of a list, mean that nothing was given. */
function givenTexts({ name, schema }: Parameter, { parameters }: Pick<Question, 'parameters'>): string[] {
  const texts = (parameters[name] ?? []).map(decoded);
  const ended = schema.type === 'array' ? texts.map((text) => text.replace(/[,\s]+$/, '')) : texts;
  return ended.filter((text) => text.trim() !== '');
}

/** What a text in an address stands for under the schema of its parameter. */
function meantBy({ schema }: Parameter, text: string): unknown {
  if (schema.type === 'array') return text.split(',').map((item) => item.trim());
  if (schema.type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return schema.type === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text;
}

/** The parameter that says how many items an answer may hold. */
export function countOf({ parameters }: Operation): Parameter | undefined {
  return parameters.find(({ name }) => name === 'limit' || name === 'k');
}

/** The most items that an answer may hold: what its only number says, or that number's default. */
export function mostItems({ operation, parameters }: Question): number {
  const count = countOf(operation);
  return count ? Number(givenTexts(count, { parameters })[0] ?? count.schema.default) : Infinity;
}

/** A list and its order: a cursor of one continues no other. */
export function listOf({ operation, parameters }: Question): string {
  const sort = operation.parameters.find(({ name }) => name === 'sort');
  return `${operation.path} ${parameters.sort?.[0] || (sort?.schema.default ?? '')}`;
}

/** The key that a path asks for; ballots are told apart by their chamber. */
function keyOf({ operation, parameters }: Question, inPath: Parameter): string {
  const key = decodeURIComponent(parameters[inPath.name]![0]!);
  const chamber = operation.parameters.find(({ name }) => name === 'chamber');
  return chamber && !/^(AN|Senat):/.test(key)
    ? `${givenTexts(chamber, { parameters })[0] ?? chamber.schema.default}:${key}`
    : key;
}

function decoded(raw: string): string {
  const text = raw.replaceAll('+', ' ');
  return isDecodable(text) ? decodeURIComponent(text) : text;
}

function isDecodable(raw: string): boolean {
  try {
    decodeURIComponent(raw);
    return true;
  } catch {
    return false;
  }
}

/** Values that are good for a parameter, as far as the facts tell. */
function goodValues(parameter: Parameter, { keys, values }: Facts, operation: Operation): string[] {
  const { schema, name } = parameter;
  if (schema.enum) return schema.enum;
  if (parameter.in === 'path')
    return [...(keys.get(operation.path) ?? keys.get('/api/v1/politicians/{slug}')!)].map((key) =>
      key.replace(/^\w+:/, ''),
    );
  if (schema.items?.enum) return [...schema.items.enum, schema.items.enum.join(',')];
  if (schema.type === 'boolean') return ['true', 'false'];
  if (schema.type === 'integer') return [schema.minimum!, 7, schema.maximum ?? 99].map(String);
  return values[name] ?? [];
}

/** One good value for each parameter that must be given. */
export function plainQuestion(operation: Operation, facts: Facts): Question {
  const parameters: Question['parameters'] = {};
  for (const parameter of operation.parameters)
    if (parameter.required)
      parameters[parameter.name] = [encodeURIComponent(goodValues(parameter, facts, operation)[0]!)];
  return { operation, parameters };
}

/** Each parameter of an operation missing, given twice, and with every value, the others being good. */
export function* everyQuestion(operation: Operation, facts: Facts): Generator<Question> {
  const plain = plainQuestion(operation, facts);
  yield plain;
  for (const parameter of operation.parameters) {
    const ask = (...values: string[]): Question => ({
      operation,
      parameters: { ...plain.parameters, [parameter.name]: values },
    });
    const good = goodValues(parameter, facts, operation).slice(0, 40).map(encodeURIComponent);
    const values = [...good, ...valuesFor(parameter), ...hostileTexts, ...longTexts];
    for (const value of parameter.in === 'path' ? [...values, ...pathTexts] : values) yield ask(value);
    if (parameter.in === 'path') continue;
    yield ask();
    yield ask(good[0] ?? 'a', good[0] ?? 'a');
    yield ask(good[0] ?? 'a', '');
    yield ask('a', 'b', 'c');
  }
}

/** A question with any of its parameters, most of them good so that several come together. */
export function questionByChance(operations: Operation[], facts: Facts, random: Random): Question {
  const operation = random.pick(operations);
  const parameters: Question['parameters'] = {};
  for (const parameter of operation.parameters) {
    const isGiven = parameter.required ? !random.isOneIn(20) : random.isOneIn(2);
    if (parameter.in === 'query' && !isGiven) continue;
    parameters[parameter.name] = [valueByChance(parameter, operation, facts, random)];
    if (parameter.in === 'query' && random.isOneIn(40))
      parameters[parameter.name]!.push(valueByChance(parameter, operation, facts, random));
  }
  const cursors = facts.cursors.get(listOf({ operation, parameters }));
  if (parameters.cursor && cursors && cursors.length > 0 && !random.isOneIn(4))
    parameters.cursor = [random.pick(cursors)];
  return { operation, parameters };
}

function valueByChance(parameter: Parameter, operation: Operation, facts: Facts, random: Random): string {
  const good = goodValues(parameter, facts, operation);
  if (good.length > 0 && !random.isOneIn(8)) return encodeURIComponent(random.pick(good));
  const from = [valuesFor(parameter), hostileTexts, hostileTexts, longTexts];
  if (parameter.in === 'path') from.push(pathTexts);
  const value = random.pick(random.pick(from.filter((values) => values.length > 0)));
  return random.isOneIn(3) ? value + random.pick(hostileTexts) : value;
}
