import { statSync } from 'node:fs';
import type { FastifyInstance as App, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { closeOnError } from '../../store/mirror.ts';
import { openSnapshot } from '../../store/transaction.ts';
import type { ServerContext } from '../serving.ts';
import { csvChunks, takesSeveralReads } from './alternate-forms.ts';
import { embeddedPolicy, htmlType, pageHeaders } from './html.ts';
import { createPageContext, type RequestedPage } from './page-context.ts';
import { readAddress } from './page-request.ts';
import { previewFile, previewPath } from './page-text.ts';
import { views } from './table.ts';
import type { View } from './view.ts';

/** Adds GET routes for each page, its alternate formats (CSV, feed, SVG) by file extension, and its preview image. */
export function addPageRoutes(app: App, context: ServerContext): void {
  for (const view of views) {
    if (view.needs && !context.settings[view.needs]) continue;
    const path = view.path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.get(path, handlerOf(view, context, null));
    if (view.hasPreview) app.get(previewPath(path), handlerOf(view, context, previewFile));
    // `readAddress` finds an extension after a path parameter.
    if (path.includes('/:')) continue;
    for (const extension of Object.keys(view.forms))
      app.get(`${path}.${extension}`, handlerOf(view, context, extension));
  }
}

function handlerOf(view: View, context: ServerContext, extension: string | null): RouteHandlerMethod {
  return (request, reply) => {
    const { answers, reader } = context;
    const requestedPage = readAddress(view, request, context, extension);
    const { form, queryParameters, language, path, origin } = requestedPage;
    const { asOf } = requestedPage.reading;
    // `request.values` is the key of the response cache; the origin belongs to it only if the response contains it.
    request.values = { ...requestedPage.values, form, queryParameters, language, path };
    const alternateForm = form === null ? undefined : view.forms[form];
    const contentType = form === previewFile ? 'image/png' : (alternateForm?.mediaType ?? htmlType);
    // The SQL file can be replaced while the mirror is unchanged, so its time is part of the cache key.
    if (view.needs) request.values.file = statSync(context.settings[view.needs]!, { throwIfNoEntry: false })?.mtimeMs;
    if (alternateForm ? alternateForm.hasAbsoluteAddresses : !view.isEmbedded) request.values.origin = origin;
    setHeaders(view, request, reply, requestedPage);
    if (alternateForm?.isDownload) reply.headers(attachmentHeaders(requestedPage));
    if (asOf !== null) reply.header('memento-datetime', new Date(asOf).toUTCString());
    // A long CSV is streamed from this thread, unless each read is slow; other pages are rendered whole by `reader`.
    const isPaginatedList = view.question?.answers === 'list' && takesSeveralReads(view.question, requestedPage);
    if (form === 'csv' && isPaginatedList && view.isLong !== true && asOf === null)
      return streamCsv(view, request, reply, { context, requestedPage });
    return answers.sendText(request, reply, () => reader.read(requestedPage, request.caller!), contentType);
  };
}

const rowsPerRead = 100; // Rows per read of a streamed CSV; a read blocks this thread for about 20 ms.

function streamCsv(
  view: View,
  request: FastifyRequest,
  reply: FastifyReply,
  { context, requestedPage }: { context: ServerContext; requestedPage: RequestedPage },
) {
  let chunks: Generator<string>;
  let firstChunks: string[];
  return context.answers.sendStream(request, reply, {
    open(path) {
      return closeOnError(openSnapshot(path), (snapshot) => {
        const page = createPageContext({ mirror: snapshot, currentMirror: snapshot }, requestedPage, view.title);
        chunks = csvChunks(page, view, rowsPerRead);
        // Read header and first rows before the response starts, so that errors still get an error status.
        firstChunks = [chunks.next().value ?? '', chunks.next().value ?? ''];
        reply.header('content-type', view.forms.csv!.mediaType).headers(attachmentHeaders(requestedPage));
        return snapshot;
      });
    },
    async write(_snapshot, sink) {
      for (const text of firstChunks) await sink.write(text);
      for (const text of chunks) await sink.write(text);
    },
  });
}

const attachmentHeaders = ({ path, form }: RequestedPage) => ({
  'content-disposition': `attachment; filename="${path.split('/').at(-1)}.${form}"`,
});

function setHeaders(view: View, request: FastifyRequest, reply: FastifyReply, requestedPage: RequestedPage): void {
  const { form, path, language, basePath } = requestedPage;
  const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '';
  const alternateLinks = Object.entries(form === null ? view.forms : {}).map(
    ([extension, { mediaType }]) =>
      `<${basePath}${path}.${extension}${query}>; rel="alternate"; type="${mediaType.split(';')[0]}"`,
  );
  // https://www.rfc-editor.org/rfc/rfc7089
  const originalLink = requestedPage.reading.asOf !== null && `<${basePath}${path}>; rel="original"`;
  const links = [reply.getHeader('link'), ...alternateLinks, originalLink].filter(Boolean);
  if (links.length > 0) reply.header('link', links.join(', '));
  reply.header('vary', 'Accept-Language, Accept-Encoding, Authorization');
  // An SVG opened on its own is a document: no script in it may run.
  if (form !== null) return void reply.header('content-security-policy', "default-src 'none'; sandbox");
  reply.headers(pageHeaders(language, view.isEmbedded ? embeddedPolicy : undefined));
}
