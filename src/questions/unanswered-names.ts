import { NotFoundError } from '../errors.ts';
import { isSlug, type NamedKind, nearSlugs } from '../names/lookup.ts';
import { profileOf } from './from-service.ts';
import { naming, unknownNames, valueMeant } from './names.ts';
import type { Named, Parameters, Values } from './parameter.ts';
import type { Service } from './question.ts';

/**
 * The values of a question that the service answered with nothing, in the words that its filters take; null where those
 * were asked with. Of politicians and parties that the mirror does not know the service is asked, of other values the
 * mirror tells what it holds any of. Throws a NotFoundError with near misses for a filter that names nothing.
 */
export async function namesAnew<Ps extends Parameters>(
  service: Service,
  parameters: Ps,
  values: Values<Ps>,
): Promise<Values<Ps> | null> {
  const anew: Record<string, string> = {};
  for (const { parameter } of unknownNames(service.mirror, parameters, values)) {
    const written = (values as Record<string, string>)[parameter]!;
    const meant = await meantBy(service, { parameter, names: parameters[parameter]!.names!, written });
    if (meant !== written) anew[parameter] = meant;
  }
  return Object.keys(anew).length > 0 ? { ...values, ...anew } : null;
}

type Asked = { parameter: string; names: Named; written: string };

async function meantBy(service: Service, { parameter, names, written }: Asked): Promise<string> {
  if (names !== 'politician' && names !== 'party')
    return naming(parameter, () => valueMeant(service.mirror, names, written)) ?? written;
  // A name was looked for before it was asked with.
  return isSlug(written) ? slugAtService(service, names, written) : written;
}

async function slugAtService(service: Service, kind: NamedKind, written: string): Promise<string> {
  try {
    const { item } = await profileOf(service, kind, written);
    return typeof item.slug === 'string' ? item.slug : written;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new NotFoundError(error.message, nearSlugs(service.mirror, kind, written));
  }
}
