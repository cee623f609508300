import type { FastifyReply, FastifyRequest } from 'fastify';
import { nearWords } from '../../language/near-miss.ts';
import { titleOf } from '../../model/facets.ts';
import { addressOf, findKindByWord, historyPath, kindOf, recordPath } from '../../model/kinds.ts';
import type { WithdrawnRecord } from '../../store/records/reference.ts';
import { type Phrase, say } from '../../words/speech.ts';
import { type ProblemExtras, prepareRefusal, reportedRefusal, sendProblem } from '../problem.ts';
import type { ServerContext } from '../serving.ts';
import { onward, shorten } from './elements.ts';
import { fieldFacts } from './fields.ts';
import { framePage } from './frame.ts';
import { html, htmlType, pageHeaders } from './html.ts';
import type { FrameContext, PageContent } from './page-context.ts';
import { frameContextOf, pathOf, wantsHtml } from './page-request.ts';
import { views } from './table.ts';

const notices: Record<number, readonly [title: Phrase, advice?: Phrase]> = {
  401: [say`Unknown token`, say`Remove the token to read these pages without one.`],
  404: [say`Page not found`, say`Check the spelling, or search above: this copy may not contain it.`],
  410: [say`This record is withheld`],
  414: [say`This address is too long`],
  422: [say`Invalid request`, say`Go back and correct it, or start again with the search above.`],
  429: [say`Too many requests`, say`Wait a minute, then load the page again.`],
  503: [say`Temporarily unavailable`, say`Load the page again in a moment.`],
};

const formatExtension = new RegExp(`\\.(${[...new Set(views.flatMap((view) => Object.keys(view.forms)))].join('|')})$`);

/** Sends an error as an HTML page with suggestions, or as a problem document (JSON) for an alternate format. */
export function answerWithPage(error: unknown, request: FastifyRequest, reply: FastifyReply, context: ServerContext) {
  const refusal = reportedRefusal(error, context.onFailure);
  if (formatExtension.test(pathOf(request)) && !wantsHtml(request.headers)) return sendProblem(request, reply, refusal);
  const { status, message, userText, extras, isAmbiguousName } = refusal;
  const frameContext = frameContextOf(request, context);
  const send = (content: PageContent & { title: string }) =>
    prepareRefusal(reply, refusal)
      .headers(pageHeaders(frameContext.language))
      .headers({ vary: 'Accept, Accept-Language, Accept-Encoding, Authorization', 'content-type': htmlType })
      .send(framePage(frameContext, content));
  if (extras.withdrawn) return send(withdrawnPage(frameContext, extras.withdrawn, userText));
  const { speech, language, href } = frameContext;
  const [titlePhrase = say`Cannot be displayed`, advice = say`Start again with the search above.`] = isAmbiguousName
    ? [say`Several records have this name`, say`Choose one; your other filters are kept.`]
    : (notices[status] ?? []);
  const title = speech.render(titlePhrase);
  const { department: place } = request.params as { department?: string };
  // An unknown department may be a commune.
  const placeLinks = place ? [{ href: href('/politicians', { place }), text: speech.say`Deputies of ${place}` }] : [];
  const links = [...suggestedLinks(extras, request), ...similarPaths(status, pathOf(request)), ...placeLinks];
  const list = links.map(({ href, text }) => html`<li><a href="${href}">${text}</a></li>`);
  const sentence = speech.render(userText);
  // A 404 needs no details; messages without a French translation are for programs.
  const showsSentence = status !== 404 && (language === 'en' || sentence !== message);
  const body = html`${showsSentence && html`<p class="lead">${sentence}</p>\n`}<p>${speech.render(advice)}</p>
${!isAmbiguousName && linkWithoutFaults(frameContext, extras)}${links.length > 0 && html`${!isAmbiguousName && html`<h2>${speech.say`Did you mean`}</h2>\n`}<ul class="plain">${list}</ul>`}`;
  return send({ title, body });
}

function withdrawnPage(
  frameContext: FrameContext,
  { kind: name, key, withdrawn_at, document }: WithdrawnRecord,
  userText: Phrase,
): PageContent & { title: string } {
  const { speech, href } = frameContext;
  const kind = kindOf(name);
  const page = { speech, holds: () => false, recordHref: (...parts: [string, string]) => href(recordPath(...parts)) };
  const title = titleOf(kind, document);
  const history = href(historyPath(kind.name, key));
  return {
    title: speech.say`Withdrawn on ${speech.day(withdrawn_at.slice(0, 10))}: ${shorten(title, 120)}`,
    heading: html`<span lang="fr">${title}</span>`,
    kicker: html`${speech.word(kind.name)} · ${speech.word('withdrawn')}`,
    lead: speech.render(userText),
    body: html`${fieldFacts(page, Object.entries(document))}${onward(history, speech.say`Every version of this record`)}`,
  };
}

/** True for a GET or HEAD request of a browser for an unknown address outside the API: the error is then a page. */
export function isMissingPage(request: FastifyRequest): boolean {
  const isPage = request.is404 && wantsHtml(request.headers) && !pathOf(request).startsWith('/api/');
  return isPage && ['GET', 'HEAD'].includes(request.method);
}

/** Link to the page without the bad parameters; null without any, or if a path parameter is bad. */
function linkWithoutFaults({ speech, queryParameters, hrefWith }: FrameContext, { errors = [] }: ProblemExtras) {
  const badNames = errors.map(({ parameter }) => parameter);
  if (badNames.length === 0 || !badNames.every((name) => queryParameters[name])) return null;
  const href = hrefWith(Object.fromEntries(badNames.map((name) => [name, null])));
  return html`<p><a class="next" href="${href}">${speech.say`This page without this parameter`}</a></p>\n`;
}

/** Links for the suggestions of an error: this page with another value if `parameter` is set, else a record's page. */
function suggestedLinks({ suggestions = [] }: ProblemExtras, request: FastifyRequest) {
  const query = request.query as Record<string, string | string[]>;
  return suggestions.map((each) => {
    const { slug, full_name, name, kind, key, title, parameter, value, scrutin_id, chamber } = each;
    if (parameter) {
      const href = addressOf(pathOf(request), { ...query, [parameter]: value ?? null });
      const hasNamesake = name && suggestions.filter((other) => other.name === name).length > 1;
      return { href, text: hasNamesake ? `${name} · ${value}` : (name ?? value ?? '') };
    }
    const text = full_name ?? title ?? name ?? scrutin_id ?? key ?? '';
    if (scrutin_id) return { href: recordPath('ballot', `${chamber}:${scrutin_id}`), text };
    if (slug) return { href: recordPath(full_name === undefined ? 'party' : 'politician', slug), text };
    // Other suggestions have a key; the kind is theirs, or that of the requested history.
    const pathKind = /^\/history\/(\w+)/.exec(pathOf(request))?.[1];
    return { href: recordPath(kind ?? pathKind ?? 'politician', key ?? ''), text };
  });
}

function similarPaths(status: number, requestedPath: string): { href: string; text: string }[] {
  const [, first = ''] = requestedPath.split('/');
  const pathNames = views
    .filter(({ path, needs }) => path !== '/' && !path.includes('{') && !needs)
    .map(({ path }) => path.slice(1));
  if (status !== 404 || pathNames.includes(first)) return [];
  // Users try kinds as paths, such as /ballots, /scrutins or /quotes, which are not served.
  const list = findKindByWord(first)?.list;
  const hrefs = list ? [addressOf(list.path, list.query ?? {})] : nearWords(first, pathNames).map((path) => `/${path}`);
  return hrefs.map((href) => ({ href, text: href }));
}
