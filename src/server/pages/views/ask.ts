import { textOf } from '../../../model/document.ts';
import { savedAnswer, savedList } from '../../../questions/ask.ts';
import { savedQuestion, savedQuestions } from '../../../questions/saved-questions.ts';
import { figure, say } from '../../../words/speech.ts';
import { csvText, csvType } from '../alternate-forms.ts';
import { filterForm } from '../filter-form.ts';
import { html } from '../html.ts';
import { none, table } from '../parts.ts';
import { listView } from '../view.ts';

/** The questions that can be asked by name. */
export const asksPage = listView(savedList, {
  name: 'asks',
  path: '/ask',
  title: say`Saved questions`,
  template({ speech, href }, { items }) {
    const list = items.map((each) => {
      const title = textOf(each, ...(speech.language === 'fr' ? ['title_fr', 'title'] : ['title', 'name']));
      const name = textOf(each, 'name') ?? '';
      const fault = textOf(each, 'fault');
      return html`<li><a href="${href(`/ask/${encodeURIComponent(name)}`)}">${title ?? name}</a>${fault && html` <span class="meta">${fault}</span>`}</li>\n`;
    });
    return { body: html`<ul>${list}</ul>` };
  },
});

/** Rows of an answer that a page shows; its CSV file has all of them. */
const mostShown = 1000;

/** The answer to a saved question. */
export const askPage = listView(savedAnswer, {
  name: 'ask',
  path: '/ask/{name}',
  title: say`Saved question`,
  example: { name: 'members-by-group' },
  forms: {
    csv: {
      mediaType: csvType,
      make(page) {
        const { items, extra } = page.list(savedAnswer, page.values);
        return csvText(String(extra.columns).split(','), items);
      },
    },
  },
  values: ({ reading, values }, answer) => ({
    answer,
    saved: savedQuestion(savedQuestions(reading.questions ?? null), String(values.name)),
  }),
  template(page, { answer: { items, total, extra }, saved }) {
    const { speech } = page;
    const fields = saved.parameters.map(({ name, en, fr, fallback }) => ({
      ...{ name, preset: fallback },
      label: speech.language === 'fr' ? fr : en,
    }));
    const title = speech.tell(saved.title);
    const shown = items.slice(0, mostShown);
    const columns = String(extra.columns).split(',');
    const cells = columns.map(
      (name) => [name, (row: (typeof items)[number]) => String(row[name] ?? '')] as const,
    );
    const cut =
      shown.length < items.length || total === null
        ? none(speech.say`The first ${figure(shown.length)} rows; the CSV file has more.`)
        : null;
    return {
      ...{ title, heading: title, lead: saved.about && speech.tell(saved.about), rows: total },
      body: html`${fields.length > 0 && filterForm(page, fields)}${table(page, title, shown, cells) ?? none(speech.say`There is nothing so.`)}${cut}
<details><summary>SQL</summary><pre>${saved.sql}</pre></details>`,
    };
  },
});
