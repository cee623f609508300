import { webAddress } from '../../../model/attribution.ts';
import { type Document, textOf } from '../../../model/document.ts';
import { record } from '../../../questions/record.ts';
import { restingOn } from '../../../store/resting.ts';
import { meaningOf } from '../codes.ts';
import { html } from '../html.ts';
import { day, facts, heading, items, section } from '../parts.ts';
import { recordView } from '../view.ts';

const most = 50;

/** One source: the document, and what rests on it. */
export const sourcePage = recordView(record, {
  name: 'source',
  path: '/sources/{key}',
  isLong: true,
  parameters: { key: record.parameters.key },
  asked: ({ key }) => ({ kind: 'source', key }),
  reads: () => ['source'],
  example: { key: 'src-an-textes' },
  render(making, source) {
    const { speech } = making;
    const id = textOf(source, 'id') ?? '';
    const title = textOf(source, 'title', 'url', 'id') ?? id;
    const address = webAddress(textOf(source, 'url') ?? '');
    const { found, total } = restingOn(making.mirror, id, most);
    const documents = found.map(({ kind, json }): Document => ({ ...JSON.parse(json), type: kind }));
    const count = speech.say`${speech.count(total, 'record')} of this copy rest on it.`;
    const body = html`${heading(html`<span lang="fr">${title}</span>`, { kicker: speech.say`Source` })}${facts(
      [
        [speech.say`Document`, address && html`<a href="${address}" rel="external noopener">${address}</a>`],
        [speech.say`Published by`, textOf(source, 'publisher')],
        [speech.say`Date`, day(speech, textOf(source, 'date'))],
        [
          speech.say`Kind of document`,
          meaningOf(speech, 'type', textOf(source, 'type') ?? '') ?? textOf(source, 'type'),
        ],
        [speech.say`Licence, in the words of the service`, textOf(source, 'licence')],
      ],
    )}${section(speech.say`What rests on it`, items(making, documents) && html`<p class="meta">${count}</p>${items(making, documents)}`)}`;
    return { title, body };
  },
});
