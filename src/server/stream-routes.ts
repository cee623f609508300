import type { FastifyInstance as App } from 'fastify';
import { writeTable } from '../export/table.ts';
import { exportTable } from '../export/tables.ts';
import { apiExportFormats, type FormatName, formatByName } from '../format/formats.ts';
import { writeChunks } from '../format/sink.ts';
import { chunksOf } from '../format/text-lines.ts';
import { datasets, kindOf } from '../model/kinds.ts';
import { BadValueError, type Values } from '../questions/parameter.ts';
import { choices, listParameter, singleChoice, truth } from '../questions/parameter-kinds.ts';
import { mirrorHeader } from '../service/headers.ts';
import { type ReplicaRequest, replicaKinds, replicaLines } from '../store/following/replica.ts';
import { fillPast, openUnfilledPast } from '../store/history/past.ts';
import { journalName, wasAtPosition } from '../store/journal.ts';
import type { Mirror } from '../store/mirror.ts';
import { openSnapshot } from '../store/transaction.ts';
import { say } from '../words/speech.ts';
import { operationResponses } from './answer-schemas.ts';
import { licenceLink } from './headers.ts';
import { countStreamChunk } from './limits.ts';
import { parametersSchema } from './operations.ts';
import { RefusedRequestError } from './problem.ts';
import { asOfParameter, parseRequestedMoment } from './question-routes.ts';
import type { ServerContext } from './serving.ts';

const kindNames = replicaKinds.map(({ name }) => name);

const mirrorParameters = {
  kinds: choices(kindNames, 'only these kinds of record'),
  since: listParameter('only changes after KIND:POSITION of each kind, from `head` of the last response', {
    pattern: '^[^:]+:.+$',
    read(text): [kind: string, position: string] {
      const at = text.indexOf(':');
      const kind = text.slice(0, at);
      if (!kindNames.some((name) => name === kind))
        throw new BadValueError(say`must be positions from an answer of this endpoint`);
      return [kind, text.slice(at + 1)];
    },
  }),
  whole: truth('all records; positions in `since` are then only verified, not used to skip records'),
  as_of: {
    ...asOfParameter,
    read(): never {
      throw new BadValueError(say`is not supported here: answers contain the history`);
    },
  },
};

const lineType = { 'application/x-ndjson': { schema: { type: 'string' } } };

const mirrorSchema = {
  tags: ['hemicycle'],
  operationId: 'followMirror',
  summary: 'All data of this mirror, for another Hemicycle that follows it.',
  description:
    'A stream of JSON lines: `head` (the state of each kind), `record` (every version with its times), ' +
    '`download` with its parts, and `end`. With `since`, only changes after that position. A position that ' +
    'this mirror never reached is refused (409). Each megabyte counts as one more request.',
  'x-beyond-interface': true,
  querystring: parametersSchema(Object.entries(mirrorParameters)),
  response: operationResponses({ description: 'The lines.', content: lineType }, 403, 404, 409, 422),
};

/** Adds `/mirror`: replicates the mirror with its history to followers, each response from one snapshot. */
export function addMirrorRoute(api: App, context: ServerContext): void {
  const { mirror, answers } = context;
  api.get('/mirror', { schema: mirrorSchema, config: { parameters: mirrorParameters } }, (request, reply) => {
    const replicaOptions = parseReplicaRequest(mirror.current(), request.values as Values<typeof mirrorParameters>);
    reply.header('content-type', 'application/x-ndjson');
    return answers.sendStream(request, reply, {
      open: openSnapshot,
      write(snapshot, sink) {
        const lines = replicaLines(snapshot, replicaOptions, mirror.citation());
        const chunks = chunkLines(lines, () => countStreamChunk(context, request.caller!));
        return writeChunks(chunks, sink);
      },
    });
  });
}

/** Returns the replication request; throws a RefusedRequestError: 404 without a journal, 409 for a foreign position. */
function parseReplicaRequest(mirror: Mirror, { kinds, since, whole }: Values<typeof mirrorParameters>): ReplicaRequest {
  if (journalName(mirror) === null)
    throw new RefusedRequestError(404, say`This mirror was made by an older program and cannot be followed.`);
  for (const [kind, position] of since)
    if (!wasAtPosition(mirror, kindOf(kind as (typeof kindNames)[number]), position))
      throw new RefusedRequestError(409, say`This mirror never had the position of ${kind} in "since".`);
  return {
    kinds: replicaKinds.filter(({ name }) => kinds === undefined || kinds.includes(name)),
    positions: new Map(since) as ReplicaRequest['positions'],
    isWhole: whole,
  };
}

/** Characters that count as one request in the rate limit. */
const charactersPerRequest = 2 ** 20;

/** Yields the lines in chunks; calls `countMegabyte` for each megabyte. */
async function* chunkLines(lines: Iterable<string>, countMegabyte: () => Promise<void>) {
  let uncountedLength = 0;
  for (const chunk of chunksOf(lines)) {
    yield Buffer.from(chunk);
    uncountedLength += chunk.length;
    if (uncountedLength < charactersPerRequest) continue;
    await countMegabyte();
    uncountedLength = 0;
  }
}

const formatNames = apiExportFormats.map(({ name }) => name as FormatName);

const datasetNames = datasets.map(({ plural }) => plural);

const exportParameters = {
  entity: { ...singleChoice(datasetNames, 'the dataset'), isRequired: true },
  format: singleChoice(formatNames, 'format of the file', { fallback: 'csv' }),
  as_of: asOfParameter,
};

const fileResponse = {
  description: 'The file.',
  content: Object.fromEntries(
    apiExportFormats.map(({ mediaType, isText }) => [
      mediaType.split(';')[0],
      { schema: isText ? { type: 'string' } : { type: 'string', format: 'binary' } },
    ]),
  ),
};

const exportSchema = {
  tags: ['service'],
  operationId: 'exportDataset',
  summary: 'A whole dataset as a file, under the Open Database License 1.0.',
  querystring: parametersSchema(Object.entries(exportParameters)),
  response: {
    ...operationResponses(fileResponse, 416, 422),
    206: { ...fileResponse, description: 'The requested byte range of the file.' },
  },
};

/** Adds `/export/dataset`: a dataset as a file, now or as of a past moment, read from one snapshot. */
export function addExportRoutes(api: App, { mirror, answers, clock }: ServerContext): void {
  api.get('/export/dataset', { schema: exportSchema, config: { parameters: exportParameters } }, (request, reply) => {
    const { entity, format, as_of } = request.values as Values<typeof exportParameters>;
    const asOfMoment = parseRequestedMoment(as_of, clock());
    const kind = datasets.find(({ plural }) => plural === entity)!;
    return answers.sendStream(request, reply, {
      allowsRanges: true,
      open(path) {
        const snapshot = asOfMoment === null ? openSnapshot(path) : openUnfilledPast(path, asOfMoment, [kind]);
        // Set headers after the snapshot opened, so that error responses have no licence and no file name.
        if (asOfMoment !== null) reply.header('memento-datetime', new Date(asOfMoment).toUTCString());
        reply
          .header('link', [licenceLink, reply.getHeader('link')].filter(Boolean).join(', '))
          .header('content-type', formatByName(format).mediaType)
          .header('content-disposition', `attachment; filename="${entity}.${format}"`);
        const identity = journalName(snapshot);
        if (identity !== null) reply.header(mirrorHeader, identity);
        return snapshot;
      },
      // A past snapshot is filled in steps that yield to other requests; the bytes equal those of `export`.
      async write(snapshot, sink) {
        if (asOfMoment !== null) for (const _ of fillPast(snapshot)) await sink.yieldControl?.();
        const table = exportTable(snapshot, kind, { citation: mirror.citation(), filter: {} });
        await writeTable(table, { format, header: true }, sink);
      },
    });
  });
}
