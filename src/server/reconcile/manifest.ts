import type { Citation } from '../../model/attribution.ts';
import settings from './property-settings.json' with { type: 'json' };
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
      property_settings: settings,
    },
  };
}
