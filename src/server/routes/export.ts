import { attributionOf, odbl } from '../../model/attribution.ts';
import { datasets } from '../../model/kinds.ts';
import type { Values } from '../../questions/parameter.ts';
import { choice } from '../../questions/parameter-kinds.ts';
import { readEdition } from '../../store/contents.ts';
import { openSnapshot } from '../../store/transaction.ts';
import { responsesOf } from '../answer-schemas.ts';
import { exportMediaTypes, exportStream } from '../export-stream.ts';
import type { App } from '../framework.ts';
import { schemaOf } from '../operations.ts';
import { RefusedForNowError } from '../problem.ts';
import type { Serving } from '../serving.ts';
import { Slots } from '../slots.ts';

/** An export that is refused because others are being sent is possible again soon. */
const retrySeconds = 10;

const formats = ['csv', 'parquet'] as const;

const parameters = {
  entity: {
    ...choice(
      datasets.map(({ plural }) => plural),
      'the dataset',
      { fallback: undefined },
    ),
    isRequired: true,
  },
  format: choice(formats, 'format of the file', { fallback: 'csv' }),
};

const file = {
  description: 'The file.',
  content: {
    'text/csv': { schema: { type: 'string' } },
    'application/vnd.apache.parquet': { schema: { type: 'string', format: 'binary' } },
  },
};

const schema = {
  tags: ['service'],
  operationId: 'exportDataset',
  summary: 'A whole dataset as a file, under the Open Database License 1.0.',
  querystring: schemaOf(Object.entries(parameters)),
  response: responsesOf(file, 422),
};

/** Serves whole datasets; each is read from one state of the mirror, however long the caller takes. */
export function exportRoutes(api: App, { mirror, settings, answers, bounds }: Serving): void {
  const slots = new Slots({ most: bounds.exports, mostOfOne: bounds.exportsOfOne });
  api.get('/export/dataset', { schema, config: { parameters } }, (request, reply) => {
    const { entity, format } = request.values as Values<typeof parameters>;
    const kind = datasets.find(({ plural }) => plural === entity)!;
    const giveBack = slots.take(request.caller!.key);
    if (giveBack === null) {
      throw new RefusedForNowError(503, 'Too many exports are being sent; try again later.', retrySeconds);
    }
    reply.raw.once('close', giveBack);
    const snapshot = openSnapshot(mirror.path);
    let isTaken = false;
    try {
      const edition = readEdition(snapshot);
      const attribution = attributionOf(settings.citation, { licence: odbl, retrievedAt: edition.filledAt });
      reply
        .header('content-type', exportMediaTypes[format])
        .header('content-disposition', `attachment; filename="${entity}.${format}"`);
      return answers.stream(request, reply, {
        edition,
        open() {
          isTaken = true;
          return exportStream(snapshot, { kind, format, attribution });
        },
      });
    } finally {
      if (!isTaken) snapshot.close();
    }
  });
}
