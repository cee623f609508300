import type { FastifyInstance as App, FastifyReply, FastifyRequest } from 'fastify';
import { type Document, documentsIn, isDocument, type Json, textOf } from '../../model/document.ts';
import { type Speech, say } from '../../words/speech.ts';
import { listHint, sentence } from '../operations.ts';
import { RefusedRequestError } from '../problem.ts';
import { type FixedResponse, fixedResponse } from '../responses.ts';
import type { ServerContext } from '../serving.ts';
import { facts, line, section, table } from './elements.ts';
import { framePage } from './frame.ts';
import { type Content, type Html, html, htmlType, pageHeaders } from './html.ts';
import type { FrameContext } from './page-context.ts';
import { frameContextOf, originOf } from './page-request.ts';

/** An entry of the API reference: an operation with its path and section, or a schema (`path` is null). */
type ReferenceEntry = { name: string; path: string | null; tag: string; definition: Document };

/** The OpenAPI document, and its entries by name. */
type Reference = { api: Document; entries: Map<string, ReferenceEntry> };

/** A page with the origin of its server (`site`), for samples of requests. */
type ReferencePage = FrameContext & { site: string };

/** Serves the API reference (`/docs`, `/redoc`); `describe` returns the OpenAPI document. */
export function addReferenceRoutes(app: App, context: ServerContext, describe: () => Promise<FixedResponse>): void {
  const { answers, settings, assetsPath } = context;
  const sendReference = async (request: FastifyRequest, reply: FastifyReply) => {
    const api: Document = JSON.parse((await describe()).text);
    const { name } = request.params as { name?: string };
    const page = { ...frameContextOf(request, context), site: originOf(request, context) };
    const reference = { api, entries: entriesOf(api) };
    const entry = reference.entries.get(name ?? '');
    if (name !== undefined && !entry) throw new RefusedRequestError(404, say`The interface has nothing of that name.`);
    if (entry && page.queryParameters.try)
      return reply.redirect(`${settings.basePath ?? ''}${requestAddress(entry, page)}`);
    const lead = line(
      html`<a href="${page.href('/docs')}">${page.speech.say`The interface`}</a>`,
      html`<a href="/openapi.json">OpenAPI</a>`,
    );
    const text = framePage(page, {
      lead,
      ...(entry ? entryPage(page, reference, entry) : contentsPage(page, reference)),
      head: html`<script src="${assetsPath}/reference.js" defer></script>\n`,
    });
    reply.headers(pageHeaders(page.language));
    return answers.sendFixed(request, reply, fixedResponse(text, htmlType));
  };
  for (const path of ['/docs', '/docs/:name', '/redoc']) app.get(path, sendReference);
}

function entriesOf({ paths, components }: Document): Map<string, ReferenceEntry> {
  const { schemas } = components as { schemas: Record<string, Document> };
  const operations = Object.entries(paths as Record<string, { get?: Document }>).flatMap(([path, { get }]) =>
    get ? { name: String(get.operationId), path, tag: String([get.tags].flat()[0]), definition: get } : [],
  );
  const schemaEntries = Object.entries(schemas).map(([name, definition]) => {
    return { name, path: null, tag: 'answers', definition };
  });
  return new Map([...operations, ...schemaEntries].map((entry) => [entry.name, entry]));
}

/** The address of a request with the values of the page's query, or examples for required parameters. */
function requestAddress({ path, definition }: ReferenceEntry, page: FrameContext): string {
  const query = new URLSearchParams();
  let address = path ?? '';
  for (const parameter of documentsIn(definition.parameters)) {
    const value = parameterValue(page, parameter);
    if (parameter.in === 'path') address = address.replace(`{${parameter.name}}`, encodeURIComponent(value));
    else if (value !== '') query.set(String(parameter.name), value);
  }
  return query.size === 0 ? address : `${address}?${query}`;
}

/** The value of a parameter in the page's query; else an example for a required one, empty for others. */
function parameterValue({ queryParameters }: FrameContext, { name, required, example }: Document): string {
  const [value] = queryParameters[String(name)] ?? [];
  return value ?? (required ? [example].flat().join(',') : '');
}

/** The operations and schemas of the interface under the headings of their tags. */
function sectionsOf({ speech }: FrameContext, { api, entries }: Reference) {
  return [...documentsIn(api.tags), { name: 'answers', description: 'What is answered.' }].map((tag) => ({
    heading: localisedText(speech, tag.description).replace(/\.$/, ''),
    entries: [...entries.values().filter((entry) => entry.tag === tag.name)].map(({ name, path, definition }) => {
      const summary = localisedText(speech, textOf(definition, 'summary', 'description'));
      return { name, label: path ?? name, summary };
    }),
  }));
}

function contentsPage(page: FrameContext, reference: Reference) {
  const { speech, citation, href } = page;
  const sections = sectionsOf(page, reference).map(({ heading, entries }) => {
    const items = entries.map(
      ({ name, label, summary }) =>
        html`<li><a href="${href(`/docs/${name}`)}"><code>${label}</code></a> <span class="meta">${codeSpans(summary)}</span></li>\n`,
    );
    return section(heading, html`<ul class="brief">${items}</ul>`);
  });
  const about = isDocument(reference.api.info) && textOf(reference.api.info, 'description');
  return { title: speech.say`Interface of ${citation.name}`, body: html`${proseHtml(about || '', speech)}${sections}` };
}

/** Navigation with links to all operations and schemas; `reference.js` adds a search field. */
function operationLinks(page: FrameContext, reference: Reference, shownName: string): Html {
  const sections = sectionsOf(page, reference).map(({ heading, entries }) => {
    const items = entries.map(({ name, label, summary }) => {
      const current = name === shownName && html` aria-current="page"`;
      return html`<li title="${summary}"><a href="${page.href(`/docs/${name}`)}"${current}><code>${label.replace('/api/v1', '')}</code></a></li>\n`;
    });
    return html`<h2>${heading}</h2><ul class="brief">${items}</ul>`;
  });
  const label = page.speech.say`Search the interface`;
  return html`<nav class="operations" aria-label="${page.speech.say`The interface`}" data-search="${label}">${sections}</nav>`;
}

/** Localises a description; the French catalogue has the whole text, or its phrase in lower case without full stop. */
function localisedText(speech: Speech, description: Json | undefined): string {
  if (typeof description !== 'string') return '';
  const [text = ''] = description.split(` ${listHint}`);
  const phrase = text.replace(/\.$/, '').replace(/^\p{Lu}(?!\p{Lu})/u, (letter) => letter.toLowerCase());
  const isInCatalogue = speech.word(text) !== text;
  const localised = sentence(speech.word(isInCatalogue ? text : phrase));
  return text === description ? localised : `${localised} ${speech.word(listHint)}`;
}

/** Converts Markdown code spans; parts with an odd index stood between backticks. */
const codeSpans = (text: string) => text.split('`').map((part, at) => (at % 2 ? html`<code>${part}</code>` : part));

/** Converts a description with Markdown code blocks and code spans to paragraphs in the reader's language. */
function proseHtml(text: string, { word }: Speech): Content {
  return text.split('```').map((block, at) =>
    at % 2
      ? html`<pre tabindex="0">${block.trim()}</pre>`
      : block
          .trim()
          .split(/\n{2,}/)
          .map((part) => html`<p class="prose">${codeSpans(word(part))}</p>`),
  );
}

function entryPage(page: ReferencePage, reference: Reference, entry: ReferenceEntry) {
  const { speech } = page;
  const { name, path, definition } = entry;
  const about = html`<p class="prose">${codeSpans(localisedText(speech, textOf(definition, 'description')))}</p>`;
  const withMenu = (body: Html) =>
    html`<div class="workbench">${operationLinks(page, reference, name)}<div>${body}</div></div>`;
  if (path === null)
    return { title: name, body: withMenu(html`${about}${fieldTable(page, definition) ?? typeText(page, definition)}`) };
  const fields = documentsIn(definition.parameters)
    .toSorted((one, other) => Number(other.required === true) - Number(one.required === true))
    .map((field) => parameterField(page, field));
  const responses = Object.entries(definition.responses as Record<string, Document>);
  const answers = responses.map(([status, { description, content }]) => {
    const [media] = Object.values(isDocument(content) ? content : {});
    const descriptionHtml = codeSpans(speech.word(String(description)));
    return [status, line(descriptionHtml, isDocument(media) && typeText(page, media.schema))] as const;
  });
  const form = html`<form class="filters reference" action="${page.path}">${fields}<p class="go"><button name="try" value="1">${speech.say`Try it`}</button></p></form>
<pre class="answer" tabindex="0" aria-live="polite" data-answer="${speech.say`The server did not answer.`}"></pre>`;
  const title = localisedText(speech, textOf(definition, 'summary') ?? path);
  return {
    title: title.replaceAll('`', ''),
    heading: html`${codeSpans(title)}`,
    kicker: html`GET <code>${path}</code>`,
    body: withMenu(
      html`${about}${form}${section(speech.say`Request`, requestSamples(page, entry))}${section(speech.say`Answers`, facts(answers))}`,
    ),
  };
}

/** The request in three languages, with the values of the page's query or examples from the mirror. */
function requestSamples(page: ReferencePage, entry: ReferenceEntry): Html[] {
  const address = `${page.site}${requestAddress(entry, page)}`.replaceAll("'", '%27');
  const { content = {} } = (entry.definition.responses as Record<string, Document>)[200] ?? {};
  const isJson = isDocument(content) && 'application/json' in content;
  const quoted = JSON.stringify(address);
  const python = `import json, urllib.request\n\nwith urllib.request.urlopen(${quoted}) as response:\n    `;
  const texts = {
    curl: `curl '${address}'`,
    JavaScript: `const response = await fetch(${quoted});\nconst answer = await response.${isJson ? 'json' : 'text'}();`,
    Python: `${python}answer = ${isJson ? 'json.load(response)' : 'response.read().decode()'}`,
  };
  return Object.entries(texts).map(
    ([language, text]) => html`<h3>${language}</h3><pre tabindex="0" data-address="${address}">${text}</pre>\n`,
  );
}

function parameterField(page: FrameContext, parameter: Document): Html {
  const { name, description, required, schema } = parameter;
  const { speech } = page;
  const { enum: options } = isDocument(schema) ? schema : {};
  const id = `p-${name}`;
  const value = parameterValue(page, parameter);
  const attributes = html` id="${id}" name="${String(name)}" aria-describedby="${id}-about"${required === true && html` required`}`;
  const control = Array.isArray(options)
    ? html`<select${attributes}>${['', ...options].map((option) => html`<option${option === value && html` selected`}>${String(option)}</option>`)}</select>`
    : html`<input${attributes} value="${value}">`;
  return html`<p><label for="${id}">${required === true ? speech.say`${String(name)} (required)` : String(name)}</label>${control}<span class="meta" id="${id}-about">${codeSpans(localisedText(speech, description))}</span></p>\n`;
}

function fieldTable(page: FrameContext, { properties, required }: Document, parentName = ''): Html | null {
  if (!isDocument(properties)) return null;
  const { speech } = page;
  const rows = Object.entries(properties as Record<string, Document>);
  const nestedTables = rows.map(([name, field]) => {
    const fields = fieldTable(page, isDocument(field.items) ? field.items : field, name);
    return fields && html`<h2><code>${name}</code></h2>${fields}`;
  });
  return html`${table(page, parentName || speech.say`Fields`, rows, [
    [speech.say`Field`, ([name]) => html`<code>${name}</code>${[required].flat().includes(name) && ' *'}`, 'name'],
    [speech.say`Kind`, ([, field]) => typeText(page, field)],
    [speech.say`Meaning`, ([, field]) => codeSpans(speech.word(textOf(field, 'description') ?? ''))],
  ])}${nestedTables}`;
}

function typeText(page: FrameContext, schema: Json | undefined): Content {
  if (!isDocument(schema)) return null;
  const schemaName = textOf(schema, '$ref')?.split('/').at(-1);
  if (schemaName !== undefined) return html`<a href="${page.href(`/docs/${schemaName}`)}">${schemaName}</a>`;
  const choices = documentsIn(schema.anyOf ?? schema.oneOf);
  if (choices.length > 0) return choices.map((each, at) => [at > 0 && ' | ', typeText(page, each)]);
  if (Array.isArray(schema.enum)) return schema.enum.map(String).join(' | ');
  const types = [schema.type ?? []].flat().join(' | ');
  return schema.items === undefined ? types : html`${types} [${typeText(page, schema.items)}]`;
}
