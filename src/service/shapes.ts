import { ServiceAnswerError } from '../errors.ts';
import { isBallot } from '../model/ballot.ts';
import { type OmittedField, receiveRecord } from '../model/bounds.ts';
import { type Document, documentsIn, isDocument, type Json } from '../model/document.ts';
import type { Kind } from '../model/kinds.ts';
import type { Envelope } from '../model/shape.ts';
import { say, wordPhrase } from '../words/speech.ts';

const listNames = ['items', 'data', 'results', 'records', 'entries'];
const nextNames = ['next_cursor', 'nextCursor', 'next'];
/** `cursor` may be the next or the current cursor, so it is the last fallback. */
const cursorNames = [...nextNames, 'cursor'];
/** Fields of a response that may contain the cursor. */
const cursorParents = ['meta', 'pagination', 'paging', 'links', '_links', 'page_info'];

/** A response; `omittedFields` receives the fields omitted from its records. */
type ResponseBody = { url: string; body: Json; omittedFields?: OmittedField[] };

/** Parses a list in any known envelope, or in `extraListNames`; `next` is a cursor or URL, null at the end. */
export function readList(answer: ResponseBody & { link: string | null }, extraListNames: string[]) {
  const { url, body, link, omittedFields = [] } = answer;
  const items = itemsOf(body, [...listNames, ...extraListNames]);
  if (items === null)
    throw new ServiceAnswerError(
      url,
      say`the answer holds no list: neither an array nor one under items, data or results`,
    );
  const nonRecords = items.filter((item) => !isDocument(item));
  if (nonRecords.length > 0)
    throw new ServiceAnswerError(
      url,
      say`the list holds ${Array.isArray(nonRecords[0]) ? say`a list` : JSON.stringify(nonRecords[0]).slice(0, 40)}, which is not a record`,
    );
  const records = (items as Document[]).map((item) => receiveRecord(item, omittedFields));
  // A next field, even an empty one, means that `cursor` is the position of this page.
  const hasNext = isDocument(body) && cursorObjectsIn(body).some((part) => nextNames.some((name) => name in part));
  const next = cursorIn(body, nextNames) ?? nextLink(link) ?? (hasNext ? null : cursorIn(body, ['cursor']));
  const total = totalOf(body);
  // If pages follow, a total equal to this page's length is the page size.
  return { items: records, next, total: next !== null && total === records.length ? null : total };
}

/** Fields beside a record in an envelope; they do not belong to the record. */
const envelopeFields = new Set(['meta', 'links', '_links', 'status', 'success', 'origin', 'attribution']);

/** Fields that identify a bare record. */
const identityFields = ['slug', 'id', 'scrutin_id', 'full_name', 'name', 'title'];

/** Parses a record: bare, or under `data`, `item`, `result` or its kind; throws a ServiceAnswerError for no record. */
export function readOne(answer: ResponseBody, kind: Kind): Document {
  const { url, body, omittedFields = [] } = answer;
  if (!isDocument(body)) throw new ServiceAnswerError(url, say`the answer is not a record`);
  const record = receiveRecord(unwrapRecord(body, kind), omittedFields);
  if (!hasFieldOfKind(kind, record))
    throw new ServiceAnswerError(
      url,
      say`the answer has no field of a ${wordPhrase(kind.name)}: ${JSON.stringify(record).slice(0, 80)}`,
    );
  return record;
}

function unwrapRecord(body: Document, kind: Kind): Document {
  // A bare record may itself have a field of such a name.
  if (identityFields.some((field) => body[field] !== undefined)) return body;
  for (const name of ['data', 'item', 'result']) {
    const inner = body[name];
    // An envelope has few fields; among more, `inner` is a field of a bare record.
    if (isDocument(inner) && Object.keys(body).length <= 4) return unwrapRecord(inner, kind);
  }
  for (const name of kind.name === 'ballot' ? ['ballot', 'vote', 'scrutin'] : [kind.name, 'profile']) {
    const { [name]: inner, ...outerFields } = body;
    if (!isDocument(inner) || !hasFieldOfKind(kind, inner)) continue;
    const recordFields = Object.entries(outerFields).filter(([field]) => !envelopeFields.has(field));
    return { ...Object.fromEntries(recordFields), ...inner };
  }
  return body;
}

function itemsOf(body: Json, names: string[], depth = 0): Json[] | null {
  if (Array.isArray(body)) return body;
  // A list is nested at most twice, as in `data.items`; deeper ones belong to a record.
  if (!isDocument(body) || depth > 1) return null;
  const inner = names.map((name) => body[name] ?? null);
  // An array in any field comes before one that is nested deeper.
  return inner.find(Array.isArray) ?? inner.map((each) => itemsOf(each, names, depth + 1)).find(Boolean) ?? null;
}

const cursorObjectsIn = (body: Document) =>
  [body, ...cursorParents.map((name) => body[name]), body.data].filter(isDocument);

function cursorIn(body: Json, names: string[]): string | null {
  if (!isDocument(body)) return null;
  const values = cursorObjectsIn(body).flatMap((part) => names.map((name) => part[name]));
  const cursors = values.map((each) => (isDocument(each) ? (each.href ?? each.cursor) : each));
  const next = cursors.find((each) => typeof each === 'number' || (typeof each === 'string' && each !== ''));
  return next === undefined ? null : String(next);
}

/** The address of `rel="next"` in a Link header (RFC 8288). */
function nextLink(link: string | null): string | null {
  const nextEntry = link?.split(/,(?=\s*<)/).find((part) => /;\s*rel="?([^";]*\s)?next\b/i.test(part));
  return nextEntry ? (/<([^>]*)>/.exec(nextEntry)?.[1] ?? null) : null;
}

function totalOf(body: Json): number | null {
  if (!isDocument(body)) return null;
  const parts = documentsIn([body, body.meta, body.pagination]);
  const totals = parts.map(({ total, count, total_count }) => total ?? count ?? total_count);
  return (totals.find(Number.isInteger) as number | undefined) ?? null;
}

/** Paths (such as `data.items`) of `content`, a value in `body`, and of total and cursor; null for a missing one. */
export function envelopeOf(body: Json, content: Json | null): Envelope {
  const fieldsOf = (parent: Json, prefix = '') =>
    isDocument(parent) ? Object.entries(parent).map(([name, value]) => ({ path: prefix + name, value })) : [];
  const paths = fieldsOf(body).flatMap((field) => [field, ...fieldsOf(field.value, `${field.path}.`)]);
  const valuePaths = paths.filter(({ value }) => typeof value !== 'boolean').map(({ path }) => path);
  const pathOf = (names: string[]) => valuePaths.find((path) => names.includes(path.split('.').at(-1)!)) ?? null;
  const next = cursorIn(body, cursorNames);
  return {
    body: content === null ? null : (paths.find(({ value }) => value === content)?.path ?? '(bare)'),
    total: totalOf(body) === null ? null : pathOf(['total', 'count', 'total_count']),
    cursor: next === null ? null : pathOf(cursorNames),
  };
}

/** The unparsed list in a response; null if there is none. */
export const rawListIn = (body: Json, extraListNames: string[]) => itemsOf(body, [...listNames, ...extraListNames]);

/** Profile fields without a column. */
const profileFields = ['name', 'positions', 'promises', 'quotes', 'members', 'sources'];

/** True if a document has any field of that kind; false for an error sent with status 200. */
export function hasFieldOfKind(kind: Kind, document: Document): boolean {
  if (kind.name === 'ballot') return isBallot(document);
  return [...kind.columns.map(({ name }) => name), ...profileFields].some((field) => field in document);
}
