import { slugOf, textOf } from '../../../model/document.ts';
import { politicians } from '../../../questions/politicians.ts';
import { say } from '../../../words/speech.ts';
import { feedForms, recordFeed } from '../feed-forms.ts';
import { choicesOf, form } from '../form.ts';
import { html } from '../html.ts';
import { heading, pager, partyLink } from '../parts.ts';
import { listView } from '../view.ts';

const orders: Record<string, ReturnType<typeof say>> = {
  name: say`by name`,
  freshness: say`newest facts first`,
  updated_at: say`last changed first`,
};

/** Politicians, by name or the newest first. */
export const politiciansPage = listView(politicians, {
  name: 'politicians',
  path: '/politicians',
  section: 'politicians',
  forms: feedForms(
    recordFeed(
      ({ speech }) => speech.say`Politicians`,
      () => 'politician',
    ),
  ),
  render(making, answer) {
    const { speech } = making;
    const title = speech.say`Politicians`;
    const filters = form(making, [
      { name: 'q', label: speech.say`Name`, type: 'search', completes: '/politicians.json' },
      { name: 'party', label: speech.say`Party or group`, completes: '/parties.json' },
      {
        name: 'sort',
        label: speech.say`Order`,
        options: () =>
          choicesOf(politicians.parameters.sort).map((each) => [each, speech.tell(orders[each] ?? each)]),
      },
    ]);
    const rows = answer.items.map((person) => {
      const slug = textOf(person, 'slug') ?? '';
      const group = slugOf(person.group ?? null) ?? slugOf(person.party ?? null);
      return html`<tr><th scope="row"><a href="${making.recordHref('politician', slug)}">${textOf(person, 'full_name') ?? slug}</a></th><td lang="fr">${textOf(person, 'current_role')}</td><td lang="fr">${partyLink(making, group)}</td></tr>\n`;
    });
    const table = html`<div class="scroll" role="region" aria-label="${title}" tabindex="0"><table class="list"><thead><tr><th scope="col">${speech.say`Name`}</th><th scope="col">${speech.say`Role`}</th><th scope="col">${speech.say`Party or group`}</th></tr></thead><tbody>${rows}</tbody></table></div>`;
    const lead =
      !making.isStatic &&
      html`<a href="${making.href('/affiliations')}">${speech.say`Who joined or left which party or group`}</a>`;
    const body = html`${heading(title, { lead })}${filters}${rows.length > 0 ? table : html`<p class="none">${speech.say`No politician is found so.`}</p>`}${pager(making, answer)}`;
    return { title, body };
  },
});
