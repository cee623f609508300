import { PassThrough, type Readable } from 'node:stream';
import type { FastifyInstance as App } from 'fastify';
import { writeTable } from '../export/table.ts';
import { type FormatName, formatNamed, formats } from '../format/formats.ts';
import { streamSink } from '../format/sink.ts';
import { type Attribution, attributionOf, odbl } from '../model/attribution.ts';
import { columnOf, datasets, type Kind } from '../model/kinds.ts';
import type { Values } from '../questions/parameter.ts';
import { choice } from '../questions/parameter-kinds.ts';
import { readEdition } from '../store/contents.ts';
import type { Mirror } from '../store/mirror.ts';
import { openPast } from '../store/past.ts';
import { exportColumns, rowLists, rows } from '../store/rows.ts';
import { openSnapshot } from '../store/transaction.ts';
import { responsesOf } from './answer-schemas.ts';
import { licenceLink } from './headers.ts';
import { schemaOf } from './operations.ts';
import { RefusedForNowError } from './problem.ts';
import { askedMoment, asOf } from './question-routes.ts';
import type { Serving } from './serving.ts';

/** Lets so many things happen at a time, and so many of them for one caller. */
export class Slots {
  readonly #most: number;
  readonly #mostOfOne: number;
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor({ most, mostOfOne }: { most: number; mostOfOne: number }) {
    this.#most = most;
    this.#mostOfOne = mostOfOne;
  }

  /** Takes a slot for that caller and returns how to give it back, or null if none is free. */
  take(caller: string): (() => void) | null {
    const own = this.#taken.get(caller) ?? 0;
    if (this.#all >= this.#most || own >= this.#mostOfOne) return null;
    this.#all += 1;
    this.#taken.set(caller, own + 1);
    return () => {
      this.#all -= 1;
      const left = this.#taken.get(caller)! - 1;
      if (left > 0) this.#taken.set(caller, left);
      else this.#taken.delete(caller);
    };
  }
}

/**
 * The bytes of a dataset as the command `export` writes them, read from a snapshot as they are asked for; the snapshot is
 * closed at their end.
 */
export function exportStream(
  snapshot: Mirror,
  { kind, format, attribution }: { kind: Kind; format: FormatName; attribution: Attribution },
): Readable {
  const stream = new PassThrough();
  const columns = exportColumns(snapshot, kind).map((name) => columnOf(kind, name));
  const table = {
    name: kind.plural,
    columns,
    rows: () => rows(snapshot, kind),
    lists: (size: number) => rowLists(snapshot, kind, { size }),
    count: () => null,
    attribution,
  };
  writeTable(table, { format, header: true }, streamSink(stream))
    .then(
      () => stream.end(),
      (error) => stream.destroy(error),
    )
    .finally(() => snapshot.close());
  return stream;
}

/** An export that is refused because others are being sent is possible again soon. */
const retrySeconds = 10;

const offered = formats.filter(({ isOfInterface }) => isOfInterface);

const parameters = {
  entity: {
    ...choice(
      datasets.map(({ plural }) => plural),
      'the dataset',
      { fallback: undefined },
    ),
    isRequired: true,
  },
  format: choice(
    offered.map(({ name }) => name as FormatName),
    'format of the file',
    { fallback: 'csv' },
  ),
  as_of: asOf,
};

const file = {
  description: 'The file.',
  content: Object.fromEntries(
    offered.map(({ mediaType, isText }) => [
      mediaType.split(';')[0],
      { schema: isText ? { type: 'string' } : { type: 'string', format: 'binary' } },
    ]),
  ),
};

const schema = {
  tags: ['service'],
  operationId: 'exportDataset',
  summary: 'A whole dataset as a file, under the Open Database License 1.0.',
  querystring: schemaOf(Object.entries(parameters)),
  response: responsesOf(file, 422),
};

/** Serves whole datasets; each is read from one state of the mirror, however long the caller takes. */
export function exportRoutes(api: App, { mirror, settings, answers, bounds, clock }: Serving): void {
  const slots = new Slots({ most: bounds.exports, mostOfOne: bounds.exportsOfOne });
  api.get('/export/dataset', { schema, config: { parameters } }, (request, reply) => {
    const { entity, format, as_of } = request.values as Values<typeof parameters>;
    const at = askedMoment(as_of, clock());
    const kind = datasets.find(({ plural }) => plural === entity)!;
    const giveBack = slots.take(request.caller!.key);
    if (giveBack === null) {
      throw new RefusedForNowError(503, 'Too many exports are being sent; try again later.', retrySeconds);
    }
    reply.raw.once('close', giveBack);
    const snapshot = at === null ? openSnapshot(mirror.path) : openPast(mirror.path, at, [kind]);
    let isTaken = false;
    try {
      const edition = readEdition(snapshot);
      const attribution = attributionOf(settings.citation, {
        licence: odbl,
        retrievedAt: at ?? edition.filledAt,
      });
      if (at !== null) reply.header('memento-datetime', new Date(at).toUTCString());
      reply
        .header('link', [licenceLink, reply.getHeader('link')].filter(Boolean).join(', '))
        .header('content-type', formatNamed(format).mediaType)
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
