import type { FastifyInstance as App } from 'fastify';
import { writeTable } from '../export/table.ts';
import { exportTable } from '../export/tables.ts';
import { type FormatName, formatByName, formats } from '../format/formats.ts';
import { datasets } from '../model/kinds.ts';
import type { Values } from '../questions/parameter.ts';
import { choice } from '../questions/parameter-kinds.ts';
import { mirrorHeader } from '../service/headers.ts';
import { fillPast, openUnfilledPast } from '../store/history/past.ts';
import { journalName } from '../store/journal.ts';
import { openSnapshot } from '../store/transaction.ts';
import { operationResponses } from './answer-schemas.ts';
import { licenceLink } from './headers.ts';
import { parametersSchema } from './operations.ts';
import { asOfParameter, parseRequestedMoment } from './question-routes.ts';
import type { ServerContext } from './serving.ts';

const offeredFormats = formats.filter(({ isOfInterface }) => isOfInterface);
const formatNames = offeredFormats.map(({ name }) => name as FormatName);

const parameters = {
  entity: {
    ...choice(
      datasets.map(({ plural }) => plural),
      'the dataset',
      { fallback: undefined },
    ),
    isRequired: true,
  },
  format: choice(formatNames, 'format of the file', { fallback: 'csv' }),
  as_of: asOfParameter,
};

const fileResponse = {
  description: 'The file.',
  content: Object.fromEntries(
    offeredFormats.map(({ mediaType, isText }) => [
      mediaType.split(';')[0],
      { schema: isText ? { type: 'string' } : { type: 'string', format: 'binary' } },
    ]),
  ),
};

const schema = {
  tags: ['service'],
  operationId: 'exportDataset',
  summary: 'A whole dataset as a file, under the Open Database License 1.0.',
  querystring: parametersSchema(Object.entries(parameters)),
  response: {
    ...operationResponses(fileResponse, 416, 422),
    206: { ...fileResponse, description: 'The requested byte range of the file.' },
  },
};

/** Adds the route that exports datasets, each from one snapshot of the mirror. */
export function addExportRoutes(api: App, { mirror, answers, clock }: ServerContext): void {
  api.get('/export/dataset', { schema, config: { parameters } }, (request, reply) => {
    const { entity, format, as_of } = request.values as Values<typeof parameters>;
    const asOfMoment = parseRequestedMoment(as_of, clock());
    const kind = datasets.find(({ plural }) => plural === entity)!;
    return answers.stream(request, reply, {
      hasParts: true,
      open(path) {
        const snapshot = asOfMoment === null ? openSnapshot(path) : openUnfilledPast(path, asOfMoment, [kind]);
        // Only once it is open: a refusal has neither a licence nor a file name.
        if (asOfMoment !== null) reply.header('memento-datetime', new Date(asOfMoment).toUTCString());
        reply
          .header('link', [licenceLink, reply.getHeader('link')].filter(Boolean).join(', '))
          .header('content-type', formatByName(format).mediaType)
          .header('content-disposition', `attachment; filename="${entity}.${format}"`);
        const identity = journalName(snapshot);
        if (identity !== null) reply.header(mirrorHeader, identity);
        return snapshot;
      },
      // Writes the same bytes as the `export` command.
      async write(snapshot, sink) {
        if (asOfMoment !== null) for (const _ of fillPast(snapshot)) await sink.yieldControl?.();
        const table = exportTable(snapshot, kind, { citation: mirror.citation(), filter: {} });
        await writeTable(table, { format, header: true }, sink);
      },
    });
  });
}
