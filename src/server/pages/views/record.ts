import { historyPath } from '../../../model/addresses.ts';
import { slugOf, textOf } from '../../../model/document.ts';
import { keyOf, titleOf } from '../../../model/facets.ts';
import { type KindName, kindOf } from '../../../model/kinds.ts';
import { record } from '../../../questions/record.ts';
import { readRecord } from '../../../store/record.ts';
import { fieldName, fieldValue } from '../fields.ts';
import { type Content, html } from '../html.ts';
import {
  day,
  facts,
  heading,
  line,
  partyLink,
  personLink,
  section,
  shorten,
  sources,
  topicLink,
} from '../parts.ts';
import { recordView } from '../view.ts';

/** Fields that stand elsewhere on the page than among what a record says of itself. */
const shownApart = new Set([
  'id',
  'title',
  'text',
  'politician',
  'party',
  'topic',
  'date',
  'source_ids',
  'sources',
]);

/** Any one record, whole. */
export const recordPage = recordView(record, {
  name: 'record',
  path: '/records/{kind}/{key}',
  example: { kind: 'promise', key: 'promise-bruyevre-2025-001' },
  render(making, document) {
    const { speech, values, href } = making;
    const kind = values.kind as KindName;
    const key = keyOf(kindOf(kind), document);
    const [stated, text] = [textOf(document, 'title'), textOf(document, 'text')];
    const title = shorten(titleOf(kindOf(kind), document), 200);
    const isQuote = kind === 'quote';
    const about = line(
      personLink(making, document.politician),
      partyLink(making, document.party),
      day(speech, textOf(document, 'date')),
      topicLink(making, slugOf(document.topic ?? null)),
    );
    const ids = (Array.isArray(document.source_ids) ? document.source_ids : []).filter(
      (id) => typeof id === 'string',
    );
    const held = ids
      .map((id) => readRecord(making.mirror, kindOf('source'), id))
      .filter((each) => each !== undefined);
    const whole =
      text !== null &&
      (isQuote
        ? html`<blockquote lang="fr"><p>${text}</p></blockquote>`
        : stated !== text && html`<div class="prose" lang="fr">${paragraphs(text)}</div>`);
    const heads = isQuote
      ? html`${speech.say`Words of`} ${personLink(making, document.politician) ?? '…'}`
      : html`<span lang="fr">${title}</span>`;
    const body = html`<article>${heading(heads, { kicker: speech.word(kind), lead: about })}${whole}${facts(
      Object.entries(document)
        .filter(([name]) => !shownApart.has(name))
        .map(([name, value]) => [fieldName(speech, name), fieldValue(making, name, value)]),
    )}${section(speech.say`Sources`, sources(making, held, document.source_ids), { id: 'sources' })}<p><a class="next" href="${href(historyPath(kind, key))}">${speech.say`Every version of this record`}</a></p></article>`;
    return { title, body, ...(text ? { description: shorten(text, 200) } : {}) };
  },
});

function paragraphs(text: string): Content {
  return text.split(/\n\s*\n|\r\n\r\n/).map((each) => html`<p>${each}</p>`);
}
