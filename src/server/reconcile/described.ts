import type { Citation } from '../../model/attribution.ts';
import { problemResponses } from '../answer-schemas.ts';
import { batchBounds } from './batch.ts';
import schemas from './described.json' with { type: 'json' };
import { types } from './vocabulary.ts';

/** Path of the reconciliation service; clients store it, so it must not change. */
export const reconcilePath = '/reconcile';

/** Size of a preview in pixels. */
const previewSize = { width: 430, height: 300 };

/** The manifest (Reconciliation Service API 0.2), with URLs at the origin of the request. */
export function manifestOf(origin: string, { name }: Citation): object {
  const at = `${origin}${reconcilePath}`;
  const suggesting = (what: string) => ({
    service_url: origin,
    service_path: `${reconcilePath}/suggest/${what}`,
    flyout_service_path: `${reconcilePath}/flyout/${what}?id=\${id}`,
  });
  return {
    versions: ['0.1', '0.2'],
    name: `${name} (Hemicycle)`,
    identifierSpace: `${at}/view?id=`,
    schemaSpace: `${at}/properties?id=`,
    documentation: `${origin}/docs`,
    logo: `${origin}/assets/icon.svg`,
    defaultTypes: types,
    view: { url: `${at}/view?id={{id}}` },
    preview: { url: `${at}/preview?id={{id}}`, ...previewSize },
    suggest: {
      entity: suggesting('entity'),
      type: suggesting('type'),
      property: suggesting('property'),
    },
    extend: {
      propose_properties: { service_url: origin, service_path: `${reconcilePath}/properties` },
      property_settings: schemas.settings,
    },
  };
}

/** Route schemas of the reconciliation API: manifest and batches; the manifest names the other URLs. */
export const described = {
  getReconcile: {
    tags: ['hemicycle'],
    operationId: 'getReconciliationManifest',
    summary: 'the manifest of the Reconciliation Service API 0.2, with which OpenRefine matches names',
    description:
      'Lists the URLs of suggestions, previews and table extension. A batch may be sent in the query string too, as `queries` or `extend`.',
    response: {
      200: schemas.manifest,
      ...problemResponses(401, 422, 429, 503),
    },
  },
  reconcile: {
    tags: ['hemicycle'],
    operationId: 'reconcile',
    summary: 'match names to politicians and parties, or add columns to a table of them',
    description: `At most ${batchBounds.queries} queries, or ${batchBounds.cells} cells of ${batchBounds.ids} ids, in ${batchBounds.bytes / 1024} KiB. A batch counts as one request.`,
    consumes: ['application/x-www-form-urlencoded'],
    body: schemas.body,
    response: {
      200: schemas.answer,
      ...problemResponses(401, 413, 415, 422, 429, 503),
    },
  },
} as const;
