import { orNull } from '../../errors.ts';
import { fold } from '../../language/fold.ts';
import { type Document, documentsIn, isDocument, type Json, textOf } from '../../model/document.ts';
import { namedKinds } from '../../names/database.ts';
import { type DeclaredFacts, matchName, type NameCandidate } from '../../names/match.ts';
import type { Mirror } from '../../store/mirror.ts';
import { completeNames } from '../name-completion.ts';
import { badParametersError } from '../problem.ts';
import { entityOf, idOf, matchingProperties, type PropertyValue, properties, typesOf } from './vocabulary.ts';

/** Limits of one request; `bytes` of its body, `characters` of a text. */
export const batchBounds = {
  bytes: 256 * 1024,
  queries: 50,
  ids: 200,
  properties: 30,
  cells: 3000,
  candidates: 25,
  characters: 500,
} as const;

const defaultCandidates = 5;

/** An unparsed batch (queries, extend) or query for suggestions, as plain data to send to a reader process. */
export type ReconcileBatch = { batch: keyof typeof answerFunctions; values: { json: string } };

const answerFunctions = { queries: answerQueries, extend: answerExtension, suggest: suggestEntities };

/** Returns the JSON response to a batch; throws a RefusedRequestError (422). Call inside one read transaction. */
export function batchText(mirror: Mirror, { batch, values: { json } }: ReconcileBatch): string {
  return JSON.stringify(answerFunctions[batch](mirror, json));
}

const maxSuggestions = 20;

/** Returns the entity with the id `prefix`; else, from two letters on, the entities that complete it as a name. */
function suggestEntities(mirror: Mirror, json: string): object {
  const { prefix, type, cursor }: ReconcileParameters = JSON.parse(json);
  const q = (firstValue(prefix) ?? '').trim().slice(0, batchBounds.characters);
  const kinds = namedKinds.filter((kind) => !firstValue(type) || firstValue(type) === kind);
  const exactEntity = entityOf(mirror, q);
  const completesNames = exactEntity === null && fold(q).length >= 2;
  const documents = completesNames ? completeNames(mirror, q, { kinds, limit: maxSuggestions }) : [];
  const entities = documents.map((document) =>
    entityOf(mirror, idOf('full_name' in document ? 'politician' : 'party', textOf(document, 'slug') ?? '')),
  );
  const result = [exactEntity, ...entities]
    .filter((entity) => entity !== null)
    .map(({ id, name, description, kind }) => ({ id, name, description, notable: typesOf(kind) }));
  return { result: result.slice(parseCount(firstValue(cursor))) };
}

/** Returns the candidates for each query of `{"q0":{"query":…}}` by its key, best first. */
function answerQueries(mirror: Mirror, json: string): object {
  const batch = parseObject('queries', json);
  const keys = Object.keys(batch);
  if (keys.length > batchBounds.queries) throw bad('queries', `must be at most ${batchBounds.queries} in one request`);
  const queries = keys.map((key) => [key, parseQuery(key, batch[key])] as const);
  return Object.fromEntries(
    queries.map(([key, { nameQuery, limit, propertyIds }]) => [
      key,
      { result: matchName(mirror, nameQuery, limit).map((each) => resultOf(each, propertyIds)) },
    ]),
  );
}

/** Returns a row of property values for each id of `{"ids":[…],"properties":[{"id":…}]}`. */
function answerExtension(mirror: Mirror, json: string): object {
  const { ids = [], properties: columns = [] } = parseObject('extend', json);
  if (!Array.isArray(ids) || !Array.isArray(columns)) throw bad('extend', 'must hold the lists ids and properties');
  if (ids.length > batchBounds.ids || columns.length > batchBounds.properties)
    throw bad('extend', `must ask for at most ${batchBounds.properties} properties of ${batchBounds.ids} ids at once`);
  // Rows are keyed by property id, so the last of duplicate properties wins.
  const requestedColumns = [...new Map(columns.map(parseColumn).map((column) => [column.id, column])).values()];
  const entityIds = new Set(ids);
  if (entityIds.size * requestedColumns.length > batchBounds.cells)
    throw bad('extend', `must ask for at most ${batchBounds.cells} cells (ids × properties) at once`);
  const rows = [...entityIds].map((id) => [String(id), cellsOf(mirror, id, requestedColumns)]);
  return { meta: requestedColumns.map(metaOf), rows: Object.fromEntries(rows) };
}

function cellsOf(mirror: Mirror, entityId: Json, requestedColumns: readonly Column[]): Record<string, PropertyValue[]> {
  const entity = typeof entityId === 'string' ? entityOf(mirror, entityId) : null;
  return Object.fromEntries(
    requestedColumns.map(({ id, limit, day }) => {
      const property = properties.find((each) => each.id === id && each.entityKind === entity?.kind);
      const values = property && entity ? property.values(mirror, entity.document, day) : [];
      return [id, values.slice(0, limit || values.length)];
    }),
  );
}

function resultOf({ kind, slug, name, score, match, agrees, differs }: NameCandidate, propertyIds: string[]) {
  // A fact is named by the property with which the query passed it.
  const idOfFact = (fact: string) =>
    matchingProperties.filter((each) => each.fact === fact).find(({ id }) => propertyIds.includes(id))?.id ?? fact;
  const facts = [...agrees, ...differs].map((fact) => ({ id: idOfFact(fact), value: agrees.includes(fact) }));
  const features = facts.length > 0 ? { features: facts } : {};
  return { id: idOf(kind, slug), name, type: typesOf(kind), score, match, ...features };
}

function parseQuery(key: string, json: Json | undefined) {
  const parameterPath = `queries.${key.slice(0, 50)}`;
  const query = typeof json === 'string' ? { query: json } : json;
  if (!isDocument(query)) throw bad(parameterPath, 'must be an object');
  const { query: text = '', type, limit = defaultCandidates, properties: declaredProperties = [] } = query;
  if (typeof text !== 'string' || text.length > batchBounds.characters)
    throw bad(parameterPath, `must have a query of at most ${batchBounds.characters} characters`);
  if (!Array.isArray(declaredProperties) || declaredProperties.length > batchBounds.properties)
    throw bad(parameterPath, `must have a list of at most ${batchBounds.properties} properties`);
  const typeIds = [type ?? []].flat().map((each) => (isDocument(each) ? each.id : each));
  const kinds = namedKinds.filter((kind) => typeIds.length === 0 || typeIds.includes(kind));
  const maxCandidates = Math.min(parseCount(limit) || defaultCandidates, batchBounds.candidates);
  const propertyIds = documentsIn(declaredProperties).flatMap(({ pid }) => (typeof pid === 'string' ? [pid] : []));
  return { nameQuery: { name: text, kinds, ...factsIn(declaredProperties) }, limit: maxCandidates, propertyIds };
}

function factsIn(declaredProperties: Json[]): DeclaredFacts {
  const facts: DeclaredFacts = {};
  for (const each of documentsIn(declaredProperties)) {
    const fact = matchingProperties.find(({ id }) => id === each.pid)?.fact;
    const text = textIn(each.v);
    if (fact && text !== '') facts[fact] ??= text;
  }
  return facts;
}

/** Matches midnight after a date, `T00:00:00`: the specification writes dates so. */
const midnight = /(?<=^\d{4}-\d\d-\d\d)T00:00:00\S*$/;

/** Returns the first value as text; it may be a text, a number or an entity. */
function textIn(value: Json | undefined): string {
  const [first] = [value ?? ''].flat();
  const text = isDocument(first) ? entityText(first) : first;
  const isText = ['string', 'number'].includes(typeof text);
  return isText ? String(text).slice(0, batchBounds.characters).replace(midnight, '') : '';
}

/** Returns the id of an entity, without the prefix of a party; or the date or name of an object without id. */
const entityText = ({ id, date, name }: Document): Json | undefined =>
  typeof id === 'string' ? id.replace(/^party:/, '') : (date ?? name);

/** Parameters of a request as texts. */
export type ReconcileParameters = Record<string, string | string[] | undefined>;

/** Returns the value of a parameter, or its first one. */
export const firstValue = (value: string | string[] | undefined): string | undefined => [value].flat()[0];

/** Parses a positive whole number; 0 for anything else. */
export function parseCount(json: unknown): number {
  const number = Math.floor(Number(json));
  return number > 0 ? number : 0;
}

/** A requested property: maximum of its values (0 for all), and the day on which they were valid. */
type Column = { id: string; limit: number; day: string | null };

function parseColumn(json: Json): Column {
  if (!isDocument(json) || typeof json.id !== 'string') throw bad('extend', 'must name each property by its id');
  const { limit = 0, date = '' } = isDocument(json.settings) ? json.settings : {};
  const day = typeof date === 'string' ? date.trim().replace(midnight, '') : '';
  if (day !== '' && !/^\d{4}-\d\d-\d\d$/.test(day)) throw bad('extend', 'must have days as 2026-11-22');
  return { id: json.id.slice(0, 100), limit: parseCount(limit), day: day || null };
}

function metaOf({ id }: Column): object {
  const property = properties.find((each) => each.id === id);
  const [type] = typesOf(property?.type ?? '');
  return { id, name: property?.name ?? id, ...(type ? { type } : {}) };
}

function parseObject(parameter: string, json: string): Document {
  const parsed = orNull(() => ({ value: JSON.parse(json) as Json }));
  if (parsed === null) throw bad(parameter, 'must be JSON');
  if (!isDocument(parsed.value)) throw bad(parameter, 'must be a JSON object');
  return parsed.value;
}

const bad = (parameter: string, userText: string) => badParametersError([{ parameter, userText }]);
