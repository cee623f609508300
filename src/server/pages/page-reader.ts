import type { FastifyRequest } from 'fastify';
import { addressOf } from '../../model/addresses.ts';
import { type Parameters, readValues } from '../../questions/parameter.ts';
import { choice } from '../../questions/parameter-kinds.ts';
import { lastFilled } from '../../store/records/contents.ts';
import { type Language, languageOfTag, languages } from '../../words/language.ts';
import { speechOf } from '../../words/speech.ts';
import { weightsIn } from '../encodings.ts';
import { badParameters } from '../problem.ts';
import { asOf, definedTexts, parseRequestedMoment, readingOf } from '../question-routes.ts';
import type { Serving } from '../serving.ts';
import type { FrameContext } from './page-context.ts';
import type { View } from './view.ts';

const ofAll: Parameters = {
  lang: choice(languages, 'language of the page', { fallback: undefined }),
  as_of: asOf,
  spreadsheet: choice(['safe', 'fr'], 'a CSV file without formulas; `fr` also as a French spreadsheet reads it', {
    fallback: undefined,
  }),
};

/** True if the request accepts HTML, as browsers do. */
export function wantsHtml({ accept = '' }: FastifyRequest['headers']): boolean {
  return /\btext\/html\b/.test(accept);
}

/** Parses the address of a request; throws a RefusedRequestError (422) for bad parameters. */
export function readAddress(view: View, request: FastifyRequest, serving: Serving, ending: string | null) {
  const { mirror, settings, clock } = serving;
  const parameters: Parameters = { ...view.parameters, ...ofAll };
  const path = pathOf(request);
  const places = request.params as Record<string, string>;
  const last = Object.keys(places).at(-1);
  const inPlace = last === undefined ? null : endingOf(view, places[last]!);
  const form = ending ?? inPlace;
  if (inPlace !== null) places[last!] = places[last!]!.slice(0, -inPlace.length - 1);
  const queryParameters = definedTexts(request.query, parameters);
  const { values, errors } = readValues(parameters, { ...queryParameters, ...places });
  if (errors.length > 0) throw badParameters(errors);
  const { lang, as_of, spreadsheet: _, ...own } = values;
  const reading = readingOf(settings, parseRequestedMoment(as_of as string | undefined, clock()));
  const language = (lang as Language | undefined) ?? languageOf(request.headers['accept-language']);
  return {
    page: view.name,
    form,
    values: own,
    path: form === null ? path : path.slice(0, -form.length - 1) || '/',
    queryParameters,
    origin: originOf(request, serving),
    basePath: settings.basePath ?? '',
    language,
    reading,
    citation: mirror.citation(),
    groupOrder: settings.groupOrder ?? null,
  };
}

/**
 * Returns the request's origin with the base path; an unusual Host header becomes `localhost`.
 * Ignores `X-Forwarded-Host`: anyone can send it, and caches would pass its value on to other readers.
 */
export function originOf({ protocol, headers }: FastifyRequest, { settings }: Serving): string {
  const { host = '' } = headers;
  const hostName = /^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i.test(host) ? host : 'localhost';
  return `${protocol === 'https' ? 'https' : 'http'}://${hostName}${settings.basePath ?? ''}`;
}

function endingOf(view: View, segment: string): string | null {
  const ending = Object.keys(view.forms).find((each) => segment.endsWith(`.${each}`));
  return ending !== undefined && segment.length > ending.length + 1 ? ending : null;
}

/** Returns the preferred language by Accept-Language (RFC 9110, section 12.5.4). */
export function languageOf(header = ''): Language {
  const accepted = [...weightsIn(header)].filter(([, weight]) => weight > 0).sort(([, a], [, b]) => b - a);
  return accepted.map(([tag]) => languageOfTag(tag)).find((language) => language !== null) ?? 'en';
}

/** Returns the frame context of a page that is not in the table of views. */
export function frameContextOf(request: FastifyRequest, { mirror, settings }: Serving): FrameContext {
  const query = request.query as Record<string, string | string[]>;
  const lang = languages.find((each) => each === [query.lang].flat()[0]) ?? null;
  const language = lang ?? languageOf(request.headers['accept-language']);
  const path = pathOf(request);
  return {
    speech: speechOf(language),
    language,
    citation: mirror.citation(),
    filledAt: mirror.isThere() ? lastFilled(mirror.current()) : null,
    reading: { searchesByMeaning: false, asOf: null },
    path,
    basePath: settings.basePath ?? '',
    queryParameters: Object.fromEntries(Object.entries(query).map(([name, text]) => [name, [text].flat()])),
    href: (to, more = {}) => addressOf(to, { ...more, lang }),
    hrefWith: (more) => addressOf(path, { ...query, ...more }),
  };
}

/** Returns the requested path without its query. */
export const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0]!;
