import { orNull } from '../errors.ts';
import { delimiterOf } from '../format/csv.ts';
import type { InputBatches } from '../format/format.ts';
import { type Document, isDocument, type Json } from '../model/document.ts';
import { anonymise } from '../model/identity-guard.ts';
import { type Kind, type KindName, kindOf } from '../model/kinds.ts';
import { addRecord, emptyShape, mergeShapes } from '../model/shape.ts';
import type { JsonResponse, QueryParameters, ServiceClient } from '../service/client.ts';
import { envelopeOf, rawListIn, readOne } from '../service/shapes.ts';
import type { Mirror } from '../store/mirror.ts';
import { acceptDrift, type ObservedShape, saveShape } from '../store/syncs/shapes.ts';

/** Shapes of the responses of a run, by subject, in memory until the run ends. */
export type ShapeLog = Map<string, ObservedShape>;

/** The subject and kind of responses; `names` are fields that may contain a list, null for a single record. */
type Endpoint = { subject: string; kind: Kind; names: string[] | null };

/** Returns the endpoint of a path; null if its shape is not recorded, as of pages after the first, which may differ. */
function endpointOf(path: string, query: QueryParameters): Endpoint | null {
  const [, resource = '', id] = path.split('/');
  if (resource === 'feed' && !query.cursor) return { kind: kindOf('content'), subject: '/feed', names: ['feed'] };
  if (resource === 'audit' && !query.entity_type) return { kind: kindOf('audit'), subject: '/audit', names: ['audit'] };
  if (resource === 'votes' && id)
    return { kind: kindOf('ballot'), subject: `/votes/{id} ${query.chamber ?? 'AN'}`, names: null };
  if (resource !== 'politicians' && resource !== 'parties') return null;
  const kind = kindOf(resource === 'politicians' ? 'politician' : 'party');
  if (id) return { kind, subject: `/${resource}/{slug}`, names: null };
  return query.cursor ? null : { kind, subject: `/${resource}`, names: [resource] };
}

/** Returns the shape of a response; without records if it cannot be parsed. */
function shapeOfAnswer({ body, url }: JsonResponse, { subject, kind, names }: Endpoint): ObservedShape {
  const shape = emptyShape();
  const list = names && rawListIn(body, names);
  const record = names ? null : orNull(() => readOne({ url, body }, kind));
  shape.envelope = envelopeOf(body, names ? list : recordInBody(body, record));
  for (const item of list ?? [record]) if (isDocument(item)) addRecord(shape, withoutIdentity(kind, item));
  return { subject, kind: kind.name, extent: names ? 'newest' : 'some', shape }; // the top of a list, or one record
}

/** Returns the object that a record was parsed from: the body itself, else an inner object with its fields. */
function recordInBody(body: Json, record: Document | null): Json | null {
  if (record === null || !isDocument(body)) return null;
  if (Object.keys(record).every((field) => field in body)) return body;
  const isPart = (each: Document) => Object.keys(each).every((field) => field in record);
  return Object.values(body).filter(isDocument).find(isPart) ?? body;
}

/** Replaces values of moderation entries that may identify a person by null. */
function withoutIdentity(kind: Kind, record: Document): Document {
  if (kind.name !== 'audit') return record;
  const { entry, omittedNames } = anonymise(record);
  return { ...entry, ...Object.fromEntries(omittedNames.map((field) => [field, null])) };
}

/** Returns a client that records the shapes of its responses. */
export function recordShapes(client: ServiceClient, shapeLog: ShapeLog): ServiceClient {
  const recordAnswer = (answer: JsonResponse | null, path: string, query: QueryParameters) => {
    const endpoint = endpointOf(path, query);
    if (endpoint) addShape(shapeLog, answer ? shapeOfAnswer(answer, endpoint) : unchangedShape(endpoint));
    return answer;
  };
  return {
    ...client,
    getJsonIfChanged: async (path, query, validator) =>
      recordAnswer(await client.getJsonIfChanged(path, query, validator), path, query),
    withAttempts: (attempts) => recordShapes(client.withAttempts(attempts), shapeLog),
  };
}

function unchangedShape({ subject, kind }: Pick<Endpoint, 'subject' | 'kind'>): ObservedShape {
  return { subject, kind: kind.name, extent: 'some', shape: emptyShape(), hadUnchanged: true };
}

/** Adds the shape of a response to that of earlier responses of its subject; 304 Not Modified only sets the flag. */
function addShape(shapeLog: ShapeLog, { hadUnchanged = false, ...observedShape }: ObservedShape): void {
  const { subject, extent, shape } = observedShape;
  const earlierShape = shapeLog.get(subject);
  if (earlierShape === undefined) shapeLog.set(subject, { ...observedShape, hadUnchanged });
  else if (hadUnchanged) shapeLog.set(subject, { ...earlierShape, hadUnchanged });
  // The first page of a list may be read twice in a run: the later shape replaces the earlier one.
  else if (extent === 'newest') shapeLog.set(subject, { ...earlierShape, ...observedShape });
  else shapeLog.set(subject, { ...earlierShape, ...observedShape, shape: mergeShapes(earlierShape.shape, shape) });
}

/** Of a dataset, the shape of the first rows is recorded, then of every n-th row. */
const maxFirstRows = 500;
const sampleInterval = 16;

/** Records that a dataset has not changed. */
export function recordUnchanged(shapeLog: ShapeLog | undefined, kind: Kind, format: string): void {
  if (shapeLog) addShape(shapeLog, unchangedShape({ subject: datasetSubject(kind, format), kind }));
}

/** Returns the subject under which the shape of a dataset is recorded. */
export const datasetSubject = (kind: Kind, format: string) => `/export/dataset ${kind.plural} (${format})`;

const delimiterNames: Record<string, string> = { ',': 'comma', ';': 'semicolon', '\t': 'tab' };

/** Yields the batches of a dataset and records their shape. */
export async function* recordRowShapes(
  shapeLog: ShapeLog | undefined,
  batches: InputBatches,
  { path, kind, format }: { path: string; kind: Kind; format: string },
): InputBatches {
  const delimiterName = format === 'csv' ? delimiterNames[await delimiterOf(path)] : undefined;
  const envelope = delimiterName ? { body: null, total: null, cursor: null, parted: delimiterName } : null;
  const shape = { ...emptyShape(), envelope };
  let row = 0;
  for await (const batch of batches) {
    for (const { document } of batch) {
      row += 1;
      if (shapeLog && (row <= maxFirstRows || row % sampleInterval === 0)) addRecord(shape, document);
    }
    yield batch;
  }
  const subject = datasetSubject(kind, format);
  shapeLog?.set(subject, { subject, kind: kind.name, extent: 'whole', shape });
}

/** Saves the recorded shapes; call it in a transaction. */
export function saveShapes(
  mirror: Mirror,
  shapeLog: ShapeLog,
  { at, accepted: acceptedKinds = [] }: { at: string; accepted: readonly KindName[] | undefined },
): void {
  for (const observedShape of shapeLog.values())
    saveShape(mirror, observedShape, { at, isAccepted: acceptedKinds.includes(observedShape.kind) });
  acceptDrift(mirror, acceptedKinds);
}
