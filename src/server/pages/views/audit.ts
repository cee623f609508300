import { textOf } from '../../../model/document.ts';
import { audit } from '../../../questions/audit.ts';
import { auditTypes } from '../../../store/records/audit.ts';
import { meaningOf } from '../codes.ts';
import { feedForms, recordFeed } from '../feed-forms.ts';
import { form } from '../form.ts';
import { html } from '../html.ts';
import { heading, moment, pager } from '../parts.ts';
import { listView } from '../view.ts';

/** The log of moderation. */
export const auditLog = listView(audit, {
  name: 'audit',
  path: '/audit',
  section: 'about',
  forms: feedForms(
    recordFeed(
      ({ speech }) => speech.say`Moderation log`,
      () => 'audit',
    ),
  ),
  render(making, answer) {
    const { speech } = making;
    const title = speech.say`Moderation log`;
    const filters = form(making, [
      {
        name: 'entity_type',
        label: speech.say`Kind of record`,
        options: () => [
          ['', speech.say`all kinds`],
          ...making.once('audit types', auditTypes).map((each) => [each, speech.word(each)] as const),
        ],
      },
      {
        name: 'limit',
        label: speech.say`How many`,
        options: () => ['20', '50', '200'].map((each) => [each, each] as const),
      },
    ]);
    const rows = answer.items.map((entry) => {
      const date = textOf(entry, 'date');
      const meant = (field: string) => {
        const value = textOf(entry, field) ?? '';
        return meaningOf(speech, field, value) ?? value;
      };
      return html`<tr><td>${date && moment(speech, date)}</td><td>${meant('role')}</td><td>${speech.word(textOf(entry, 'entity_type') ?? '')}</td><td>${meant('action')}</td></tr>\n`;
    });
    const table = html`<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table class="list"><thead><tr><th scope="col">${speech.say`Date`}</th><th scope="col">${speech.say`Role`}</th><th scope="col">${speech.say`Kind of record`}</th><th scope="col">${speech.say`Action`}</th></tr></thead><tbody>${rows}</tbody></table></div>`;
    const lead = speech.say`What moderators of the service did to its records; the log is public and names nobody.`;
    return {
      title,
      body: html`${heading(title, { lead })}${filters}${rows.length > 0 ? table : html`<p class="none">${speech.say`The log is empty.`}</p>`}${pager(making, answer)}`,
    };
  },
});
