import { isDocument, textOf } from '../../../model/document.ts';
import { type KindName, kindCount, kindOf } from '../../../model/kinds.ts';
import { topics } from '../../../questions/topics.ts';
import { topicText } from '../codes.ts';
import { html } from '../html.ts';
import { heading, line } from '../parts.ts';
import { listView } from '../view.ts';

/** Every topic, and how much is filed under it. */
export const topicsPage = listView(topics, {
  name: 'topics',
  path: '/topics',
  section: 'topics',
  render(making, { items }) {
    const { speech, href } = making;
    const title = speech.say`Topics`;
    const most = Math.max(1, ...items.map(({ records }) => Number(records)));
    const list = items.map((each) => {
      const topic = textOf(each, 'topic') ?? '';
      const kinds = Object.entries(isDocument(each.kinds) ? each.kinds : {});
      const of = kinds.map(([kind, count]) => kindCount(speech, kindOf(kind as KindName), Number(count)));
      const share = Math.max(1, Math.round((Number(each.records) / most) * 100));
      return html`<li><a href="${href('/feed', { topic })}" lang="fr">${topicText(topic)}</a><svg class="meter" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="bar" width="${share}" height="4"/></svg><span class="meta">${line(...of)}</span></li>\n`;
    });
    const none = html`<p class="none">${speech.say`Nothing is filed under a topic.`}</p>`;
    return {
      title,
      body: html`${heading(title)}${list.length > 0 ? html`<ul class="topics">${list}</ul>` : none}`,
    };
  },
});
