import type { FastifyRequest } from 'fastify';
import { addressOf } from '../../model/kinds.ts';
import { type Parameters, readValues } from '../../questions/parameter.ts';
import { singleChoice } from '../../questions/parameter-kinds.ts';
import { lastFilledAt } from '../../store/records/contents.ts';
import { type Language, languageOfTag, languages } from '../../words/language.ts';
import { speechOf } from '../../words/speech.ts';
import { parseWeights } from '../encodings.ts';
import { badParametersError } from '../problem.ts';
import { asOfParameter, definedTexts, parseRequestedMoment, readOptionsOf } from '../question-routes.ts';
import type { ServerContext } from '../serving.ts';
import type { FrameContext } from './page-context.ts';
import type { View } from './view.ts';

const commonParameters: Parameters = {
  lang: singleChoice(languages, 'language of the page'),
  as_of: asOfParameter,
  spreadsheet: singleChoice(['safe', 'fr'], 'a CSV file without formulas; `fr` also as a French spreadsheet reads it'),
};

/** True if the request accepts HTML, as browsers do. */
export const wantsHtml = ({ accept = '' }: FastifyRequest['headers']): boolean => /\btext\/html\b/.test(accept);

/** Parses the address of a page and its alternate format; throws a RefusedRequestError (422) for bad parameters. */
export function readAddress(view: View, request: FastifyRequest, context: ServerContext, extension: string | null) {
  const { mirror, settings, assetsPath, clock } = context;
  const parameters: Parameters = { ...view.parameters, ...commonParameters };
  const path = pathOf(request);
  const pathValues = request.params as Record<string, string>;
  const lastName = Object.keys(pathValues).at(-1) ?? '';
  // The route has the extension or, after a path parameter, includes it in the parameter's value.
  const segment = pathValues[lastName] ?? '';
  const isEnding = (each: string) => segment.endsWith(`.${each}`) && segment.length > each.length + 1;
  const valueExtension = Object.keys(view.forms).find(isEnding) ?? null;
  if (valueExtension !== null) pathValues[lastName] = segment.slice(0, -valueExtension.length - 1);
  const form = extension ?? valueExtension;
  const queryParameters = definedTexts(request.query, parameters);
  const { values, errors } = readValues(parameters, { ...queryParameters, ...pathValues });
  if (errors.length > 0) throw badParametersError(errors);
  const { lang, as_of, spreadsheet: _, ...pageValues } = values;
  return {
    page: view.path,
    form,
    values: pageValues,
    path: form === null ? path : path.slice(0, -form.length - 1) || '/',
    queryParameters,
    origin: originOf(request, context),
    basePath: settings.basePath ?? '',
    assetsPath,
    language: (lang as Language | undefined) ?? languageOf(request.headers['accept-language']),
    reading: readOptionsOf(settings, parseRequestedMoment(as_of as string | undefined, clock())),
    citation: mirror.citation(),
    groupOrder: settings.groupOrder ?? null,
  };
}

/** Returns the request's origin with the base path, without a trailing slash; a malformed host is `localhost`. */
export function originOf({ protocol, headers }: FastifyRequest, { settings }: ServerContext): string {
  // `X-Forwarded-Host` is ignored: anyone can send it, and caches would pass the response on.
  const { host = '' } = headers;
  const hostName = /^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i.test(host) ? host : 'localhost';
  return `${protocol === 'https' ? 'https' : 'http'}://${hostName}${settings.basePath ?? ''}`;
}

/** Returns the preferred supported language of Accept-Language (RFC 9110, section 12.5.4); English by default. */
export function languageOf(header = ''): Language {
  const accepted = [...parseWeights(header)].filter(([, weight]) => weight > 0).sort(([, a], [, b]) => b - a);
  return accepted.map(([tag]) => languageOfTag(tag)).find((language) => language !== null) ?? 'en';
}

/** Returns the frame context of a page that is not in the table of views. */
export function frameContextOf(request: FastifyRequest, { mirror, settings, assetsPath }: ServerContext): FrameContext {
  const query = request.query as Record<string, string | string[]>;
  const lang = languages.find((each) => each === [query.lang].flat()[0]) ?? null;
  const language = lang ?? languageOf(request.headers['accept-language']);
  const path = pathOf(request);
  return {
    speech: speechOf(language),
    language,
    citation: mirror.citation(),
    filledAt: mirror.isReadable() ? lastFilledAt(mirror.current()) : null,
    reading: { searchesByMeaning: false, asOf: null },
    path,
    basePath: settings.basePath ?? '',
    assetsPath,
    queryParameters: Object.fromEntries(Object.entries(query).map(([name, text]) => [name, [text].flat()])),
    href: (to, addedQuery = {}) => addressOf(to, { ...addedQuery, lang }),
    hrefWith: (changedQuery) => addressOf(path, { ...query, ...changedQuery }),
  };
}

export const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0]!;
