import type { InputBatches } from '../format/format.ts';
import { readRecords } from '../format/formats.ts';
import { type Document, isDocument, type Json } from '../model/document.ts';
import { anonymised } from '../model/identity-guard.ts';
import { type Kind, kindOf } from '../model/kinds.ts';
import { addRecord, emptyShape, merged, type Shape } from '../model/shape.ts';
import type { JsonResponse, QueryParameters, ServiceClient } from '../service/client.ts';
import { envelopeOf, listIn, readOne } from '../service/shapes.ts';
import type { Mirror } from '../store/mirror.ts';
import { type ObservedShape, saveShape } from '../store/syncs/shapes.ts';

/** What the answers of a run look like, by what they are called; held in memory until the run ends. */
export type ShapeLog = Map<string, ObservedShape>;

/** Answers of one sort: what they are called, and how the records in them are read. */
type EndpointSort = { subject: string; isList: boolean; kind: Kind; names: string[] };

/**
 * The sort of what stands at a path, or null for what is not looked at. Of a list it is the first page: those behind it
 * are of other times, and differ by that.
 */
function endpointOf(path: string, query: QueryParameters): EndpointSort | null {
  const [, resource = '', id] = path.split('/');
  const of = (kind: Kind, subject: string, isList: boolean, names: string[]): EndpointSort => ({
    kind,
    subject,
    isList,
    names,
  });
  if (resource === 'feed' && !query.cursor) return of(kindOf('content'), '/feed', true, ['feed']);
  if (resource === 'audit' && !query.entity_type) return of(kindOf('audit'), '/audit', true, ['audit']);
  if (resource === 'votes' && id)
    return of(kindOf('ballot'), `/votes/{id} ${query.chamber ?? 'AN'}`, false, ['ballot', 'vote', 'scrutin']);
  if (resource !== 'politicians' && resource !== 'parties') return null;
  const kind = kindOf(resource === 'politicians' ? 'politician' : 'party');
  if (id) return of(kind, `/${resource}/{slug}`, false, [kind.name, 'profile']);
  return query.cursor ? null : of(kind, `/${resource}`, true, [resource]);
}

/** What an answer looks like, also one that cannot be read; null for one that nobody looks at. */
export function shapeOfAnswer(
  { body, url }: Pick<JsonResponse, 'body' | 'url'>,
  path: string,
  query: QueryParameters,
): ObservedShape | null {
  const sort = endpointOf(path, query);
  if (sort === null) return null;
  const shape = emptyShape();
  const list = sort.isList ? listIn(body, sort.names) : null;
  const record = sort.isList ? null : recordIn(body, url, sort);
  shape.envelope = envelopeOf(body, sort.isList ? list : recordInBody(body, record));
  for (const read of list ?? [record])
    if (isDocument(read)) addRecord(shape, withoutIdentity(sort.kind, read));
  return { subject: sort.subject, extent: sort.isList ? 'newest' : 'some', shape };
}

/** The list of an answer, or the record of one; null where it is neither. */
function recordIn(body: Json, url: string, { kind, names }: EndpointSort): Document | null {
  try {
    return readOne({ url, body }, kind, names);
  } catch {
    return null;
  }
}

/** Where in an answer a record stands: what was read of it may be a copy, with what stood beside it. */
function recordInBody(body: Json, read: Document | null): Json | null {
  if (read === null || !isDocument(body)) return null;
  const inner = Object.values(body).filter(isDocument);
  const isBare = Object.keys(read).every((field) => field in body);
  return isBare ? body : (inner.find((each) => Object.keys(each).every((field) => field in read)) ?? body);
}

/** Nothing of a moderation entry that may identify a person is looked at. */
function withoutIdentity(kind: Kind, record: Document): Document {
  if (kind.name !== 'audit') return record;
  const { entry, leftOut } = anonymised(record);
  return { ...entry, ...Object.fromEntries(leftOut.map((field) => [field, null])) };
}

/** The same client, which remembers what its answers look like. */
export function recordShapes(client: ServiceClient, watch: ShapeLog): ServiceClient {
  const note = (answer: JsonResponse | null, path: string, query: QueryParameters) => {
    const met = answer && shapeOfAnswer(answer, path, query);
    if (met) add(watch, met);
    return answer;
  };
  return {
    ...client,
    async getJson(path, query = {}) {
      return note(await client.getJson(path, query), path, query) as JsonResponse;
    },
    getJsonIfChanged: async (path, query, unless) =>
      note(await client.getJsonIfChanged(path, query, unless), path, query),
    withAttempts: (attempts) => recordShapes(client.withAttempts(attempts), watch),
  };
}

function add(watch: ShapeLog, met: ObservedShape): void {
  const before = watch.get(met.subject);
  // The first page of a list may be asked for twice in a run, and says the same.
  const isAgain = before !== undefined && met.extent === 'newest';
  watch.set(met.subject, before && !isAgain ? { ...met, shape: merged(before.shape, met.shape) } : met);
}

/** Of a dataset so many rows are looked at, and then one in so many. */
const [maxFirstRows, sampleEvery] = [500, 16];

/** What a dataset of a kind is called. */
const datasetSubject = (kind: Kind, format: string) => `/export/dataset ${kind.plural} (${format})`;

/** The rows of a dataset as they come, remembered for what they look like. */
export async function* recordRowShapes(
  watch: ShapeLog | undefined,
  batches: InputBatches,
  { kind, format }: { kind: Kind; format: string },
): InputBatches {
  const shape = emptyShape();
  let row = 0;
  for await (const batch of batches) {
    for (const { document } of batch) {
      row += 1;
      if (watch && (row <= maxFirstRows || row % sampleEvery === 0)) addRecord(shape, document);
    }
    yield batch;
  }
  watch?.set(datasetSubject(kind, format), { subject: datasetSubject(kind, format), extent: 'whole', shape });
}

/** Looks at the first rows of a dataset that is refused. */
export async function recordRefusedShape(
  watch: ShapeLog | undefined,
  { path, kind, format }: { path: string; kind: Kind; format: string },
): Promise<void> {
  const subject = datasetSubject(kind, format);
  if (!watch || watch.has(subject)) return;
  const shape: Shape = emptyShape();
  for await (const batch of readRecords({ path, format }, kind, [])) {
    for (const { document } of batch) addRecord(shape, document);
    if (shape.records >= maxFirstRows) break;
  }
  watch.set(subject, { subject, extent: 'whole', shape });
}

/** Keeps what the answers of a run looked like; to be called in a transaction. */
export function saveShapes(mirror: Mirror, watch: ShapeLog, at: string): void {
  for (const met of watch.values()) saveShape(mirror, met, at);
}
