import { ServiceAnswerError } from '../errors.ts';
import { isBallot } from '../model/ballot.ts';
import { type OmittedField, omitOversizeFields } from '../model/bounds.ts';
import { type Document, isDocument, type Json } from '../model/document.ts';
import type { Kind } from '../model/kinds.ts';
import type { Envelope } from '../model/shape.ts';
import { say, wordPhrase } from '../words/speech.ts';

/** One page as any known dialect answers it; `next` is a cursor or an address, null at the end. */
export type ParsedList = { items: Document[]; next: string | null; total: number | null };

const listNames = ['items', 'data', 'results', 'records', 'entries'];
const nextNames = ['next_cursor', 'nextCursor', 'next'];
/** Some name what comes next so, others what was asked for: it counts where nothing else is said. */
const cursorNames = [...nextNames, 'cursor'];
const cursorHolders = ['meta', 'pagination', 'paging', 'links', '_links', 'page_info'];

/** The items and next cursor of a list answer; `names` are further fields that may hold the items. */
export function readList(
  answer: { url: string; body: Json; link: string | null; excess?: OmittedField[] },
  names: string[],
): ParsedList {
  const { url, body, link, excess = [] } = answer;
  const items = itemsOf(body, [...listNames, ...names]);
  if (items === null)
    throw new ServiceAnswerError(
      url,
      say`the answer holds no list: neither an array nor one under items, data or results`,
    );
  const strangers = items.filter((item) => !isDocument(item));
  if (strangers.length > 0)
    throw new ServiceAnswerError(
      url,
      say`the list holds ${Array.isArray(strangers[0]) ? say`a list` : JSON.stringify(strangers[0]).slice(0, 40)}, which is not a record`,
    );
  const records = (items as Document[]).map((item) => omitOversizeFields(item, excess));
  const next =
    nextOf(body, nextNames) ?? nextLink(link) ?? (isNextStated(body) ? null : nextOf(body, ['cursor']));
  const total = totalOf(body);
  // Where more is to come, a count of just these is one of the page.
  return { items: records, next, total: next !== null && total === records.length ? null : total };
}

/** Fields beside a record that speak of the answer and not of the record. */
const envelopeFields = new Set(['meta', 'links', '_links', 'status', 'success', 'origin', 'attribution']);

/** Fields that only a record itself has. */
const identities = ['slug', 'id', 'scrutin_id', 'full_name', 'name', 'title'];

/**
 * The record of a single-record answer: bare, under `data`, `item` or `result`, or under one of `names`, where what
 * stands beside it belongs to it. Throws a ServiceAnswerError for what states nothing of such a record.
 */
export function readOne(
  answer: { url: string; body: Json; excess?: OmittedField[] },
  kind: Kind,
  names: string[],
): Document {
  const { url, body, excess = [] } = answer;
  if (!isDocument(body)) throw new ServiceAnswerError(url, say`the answer is not a record`);
  const record = omitOversizeFields(unwrapRecord(body, kind, names), excess);
  if (!isRecordOf(kind, record))
    throw new ServiceAnswerError(
      url,
      say`the answer states nothing of a ${wordPhrase(kind.name)}: ${JSON.stringify(record).slice(0, 80)}`,
    );
  return record;
}

function unwrapRecord(body: Document, kind: Kind, names: string[]): Document {
  // A record may have a field of such a name itself.
  if (identities.some((field) => body[field] !== undefined)) return body;
  for (const name of ['data', 'item', 'result']) {
    const inner = body[name];
    if (isDocument(inner) && Object.keys(body).length <= 4) return unwrapRecord(inner, kind, names);
  }
  for (const name of names) {
    const { [name]: inner, ...beside } = body;
    if (!isDocument(inner) || !isRecordOf(kind, inner)) continue;
    const more = Object.entries(beside).filter(([field]) => !envelopeFields.has(field));
    return { ...Object.fromEntries(more), ...inner };
  }
  return body;
}

function itemsOf(body: Json, names: string[], depth = 0): Json[] | null {
  if (Array.isArray(body)) return body;
  if (!isDocument(body) || depth > 1) return null;
  for (const name of names) {
    const inner = body[name];
    if (Array.isArray(inner)) return inner;
  }
  for (const name of names) {
    const found = isDocument(body[name]) ? itemsOf(body[name], names, depth + 1) : null;
    if (found) return found;
  }
  return null;
}

const holdersIn = (body: Document) =>
  [body, ...cursorHolders.map((name) => body[name]), body.data].filter(isDocument);

/** True where an answer says what comes next, if only that nothing does. */
function isNextStated(body: Json): boolean {
  return isDocument(body) && holdersIn(body).some((holder) => nextNames.some((name) => name in holder));
}

function nextOf(body: Json, names: string[]): string | null {
  if (!isDocument(body)) return null;
  for (const holder of holdersIn(body)) {
    for (const name of names) {
      const value = isDocument(holder[name]) ? (holder[name].href ?? holder[name].cursor) : holder[name];
      if (typeof value === 'string' && value !== '') return value;
      if (typeof value === 'number') return String(value);
    }
  }
  return null;
}

/** The address of `rel="next"` in a Link header (RFC 8288). */
function nextLink(link: string | null): string | null {
  const found = link?.split(/,(?=\s*<)/).find((part) => /;\s*rel="?([^";]*\s)?next\b/i.test(part));
  return found ? (/<([^>]*)>/.exec(found)?.[1] ?? null) : null;
}

function totalOf(body: Json): number | null {
  if (!isDocument(body)) return null;
  for (const holder of [body, body.meta, body.pagination]) {
    if (!isDocument(holder)) continue;
    const value = holder.total ?? holder.count ?? holder.total_count;
    if (typeof value === 'number' && Number.isInteger(value)) return value;
  }
  return null;
}

/** Where an answer holds what was read from it, as a path such as `data.items`; `body` is null where nothing was read. */
export function envelopeOf(body: Json, read: Json | null): Envelope {
  const paths = [...pathsIn(body)];
  const named = (names: string[]) =>
    paths.find(
      ({ path, value }) =>
        names.includes(path.split('.').at(-1)!) && ['string', 'number', 'object'].includes(typeof value),
    )?.path ?? null;
  const next = nextOf(body, cursorNames);
  return {
    body:
      read === null
        ? null
        : body === read
          ? '(bare)'
          : (paths.find(({ value }) => value === read)?.path ?? '(bare)'),
    total: totalOf(body) === null ? null : named(['total', 'count', 'total_count']),
    cursor: next === null ? null : named(cursorNames),
  };
}

/** The fields of an answer, and of the documents directly within. */
function* pathsIn(body: Json): Generator<{ path: string; value: Json }> {
  if (!isDocument(body)) return;
  for (const [name, value] of Object.entries(body)) {
    yield { path: name, value };
    if (!isDocument(value)) continue;
    for (const [inner, held] of Object.entries(value)) yield { path: `${name}.${inner}`, value: held };
  }
}

/** The list that an answer holds, as it came; null where there is none. */
export function listIn(body: Json, names: string[]): Json[] | null {
  return itemsOf(body, [...listNames, ...names]);
}

/** Fields of full profiles that no column holds. */
const profileFields = ['name', 'positions', 'promises', 'quotes', 'members', 'sources'];

/** True if a document states anything that a record of that kind has: an error answered with 200 does not. */
export function isRecordOf(kind: Kind, document: Document): boolean {
  if (kind.name === 'ballot') return isBallot(document);
  return [...kind.columns.map(({ name }) => name), ...profileFields].some((field) => field in document);
}
