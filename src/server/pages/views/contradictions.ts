import { type Document, textOf } from '../../../model/document.ts';
import { contradictions } from '../../../questions/contradictions.ts';
import { say } from '../../../words/speech.ts';
import { none, onward, table } from '../elements.ts';
import { filterForm } from '../filter-form.ts';
import { html } from '../html.ts';
import { listView } from '../view.ts';

const text = (row: Document, name: string) => textOf(row, name) ?? '';

/** Contradictory figures of the data: by rule, and record by record. */
export const contradictionsPage = listView(contradictions, {
  name: 'contradictions',
  path: '/contradictions',
  title: say`Contradictions in the data`,
  template(page, { items, total }) {
    const { speech, href, values, title } = page;
    const lead = speech.say`Both figures are shown as published; the program does not decide which is correct.`;
    const linkIn = (row: Document, field: string, address: string) =>
      html`<a href="${address}">${text(row, field)}</a>`;
    if (values.rule === undefined) {
      const sentence = speech.language === 'fr' ? 'sentence_fr' : 'sentence';
      const ruleHref = (row: Document) => page.hrefWith({ rule: text(row, 'rule') });
      const body = table(page, title, items, [
        [speech.say`Rule`, (row) => linkIn(row, 'rule', ruleHref(row)), 'name'],
        [speech.say`True if there is no contradiction`, (row) => text(row, sentence)],
        [speech.say`Records`, (row) => row.records as number, 'number'],
        [speech.say`Likelier cause`, (row) => speech.word(text(row, 'cause'))],
      ]);
      return { lead, body: html`${filterForm(page, [])}${body}` };
    }
    const shown = items.slice(0, 1000);
    const figure = (name: 'one' | 'other') => (row: Document) =>
      html`${text(row, name)} <span class="meta">${text(row, `${name}_of`)}</span>`;
    const body = table(page, title, shown, [
      [speech.say`Record`, (row) => linkIn(row, 'key', page.recordHref(text(row, 'kind'), text(row, 'key'))), 'name'],
      [speech.say`Field`, (row) => speech.field(text(row, 'about'))],
      [speech.say`First figure`, figure('one')],
      [speech.say`Second figure`, figure('other')],
    ]);
    const remainderNote =
      shown.length < items.length &&
      none(speech.say`The first ${speech.number(shown.length)} rows; the CSV file has more.`);
    return {
      ...{ lead, rows: total },
      body: html`${filterForm(page, [])}${body ?? none(speech.say`No results.`)}${remainderNote}${onward(href('/contradictions'), title)}`,
    };
  },
});
