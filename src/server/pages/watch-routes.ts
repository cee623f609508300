import type { FastifyInstance as App, FastifyReply, FastifyRequest } from 'fastify';
import { changeHeadline } from '../../format/change-text.ts';
import { shellLine } from '../../format/sanitise.ts';
import { atomText } from '../../format/web-feed.ts';
import { type KindName, recordPath } from '../../model/kinds.ts';
import { newestChanges } from '../../store/outbox.ts';
import { lastFilledAt } from '../../store/records/contents.ts';
import { readWatchBook, type WatchBook } from '../../store/watch-book.ts';
import { listWatches, type Watch } from '../../store/watches.ts';
import { watchFeed } from '../../watches/message.ts';
import { say } from '../../words/speech.ts';
import { RefusedRequestError } from '../problem.ts';
import { fixedResponse } from '../responses.ts';
import type { ServerContext } from '../serving.ts';
import { emptyNote } from './elements.ts';
import { framePage } from './frame.ts';
import { type Html, html, htmlType, pageHeaders } from './html.ts';
import type { FrameContext } from './page-context.ts';
import { frameContextOf, originOf } from './page-request.ts';

/** Adds the page of all watches and the feed of each watch; call it for the operator's listener only. */
export function addWatchRoutes(app: App, context: ServerContext): void {
  app.get('/watches', (request, reply) => sendWatches(request, reply, context));
  app.get('/watches/:file', (request, reply) => sendFeed(request, reply, context));
}

function sendWatches(request: FastifyRequest, reply: FastifyReply, context: ServerContext): FastifyReply {
  const frameContext = frameContextOf(request, context);
  const { speech, language } = frameContext;
  const itemsOf = (book: WatchBook) => listWatches(book).map((watch) => watchItem(book, watch, frameContext));
  const items = readWatchBook(context.mirror.current().path, itemsOf) ?? [];
  const emptyText = speech.say`There are no watches yet; add one with ${'`hemicycle watch add`'}.`;
  const lead = speech.say`Queries that run after each sync, and what was new in their results. Only the operator of this server sees this page.`;
  const body = items.length > 0 ? html`<ul class="changes">${items}</ul>` : emptyNote(emptyText);
  const text = framePage(frameContext, { title: speech.say`Watches`, lead, body });
  reply.headers(pageHeaders(language));
  return context.answers.sendFixed(request, reply, fixedResponse(text, htmlType));
}

function watchItem(book: WatchBook, watch: Watch, { speech, href }: FrameContext): Html {
  const path = `/watches/${encodeURIComponent(watch.name)}`;
  const storedChanges = newestChanges(book, watch.id, 5).filter(({ count }) => count === 1); // other rows are counts
  const changes = storedChanges.map(({ change }) => {
    const address = href(recordPath(String(change.kind), String(change.key)));
    const headline = changeHeadline(change, speech);
    // A change without the command `show` is not of a record, so no page shows it.
    return html`<li>${change.show === undefined ? headline : html`<a href="${address}">${headline}</a>`}</li>`;
  });
  return html`<li><h2 id="${watch.name}">${watch.name}</h2><p><code>${shellLine(watch.words)}</code></p><p class="meta"><a href="${path}.atom">Atom</a></p>${storedChanges.length > 0 ? html`<ul>${changes}</ul>` : emptyNote(speech.say`Nothing new yet.`)}</li>
`;
}

function sendFeed(request: FastifyRequest, reply: FastifyReply, context: ServerContext): FastifyReply {
  const [, name = ''] = /^(.+)\.atom$/.exec((request.params as { file: string }).file) ?? [];
  const origin = originOf(request, context);
  const mirror = context.mirror.current();
  const text = readWatchBook(mirror.path, (book) => {
    const [watch] = name === '' ? [] : listWatches(book, name);
    if (!watch) return null;
    const path = `${origin}/watches/${encodeURIComponent(name)}`;
    const addresses = { atom: `${path}.atom`, page: `${origin}/watches`, next: null };
    const addressOf = (kind: KindName, key: string) => `${origin}${recordPath(kind, key)}`;
    const attributionFacts = { citation: context.mirror.citation(), retrievedAt: lastFilledAt(mirror) };
    return atomText(watchFeed(book, watch, attributionFacts, { addresses, addressOf }));
  });
  if (text === null) throw new RefusedRequestError(404, say`No watch has that name; its feed ends in .atom.`);
  reply.header('content-security-policy', "default-src 'none'; sandbox");
  return context.answers.sendFixed(request, reply, fixedResponse(text, 'application/atom+xml; charset=utf-8'));
}
