import { type Document, slugOf, textOf } from '../../../model/document.ts';
import { affiliations } from '../../../questions/affiliations.ts';
import { form } from '../form.ts';
import { type Html, html } from '../html.ts';
import type { Making } from '../making.ts';
import { day, heading, pager, partyLink, personLink } from '../parts.ts';
import { listView } from '../view.ts';

/** Who joined or left which party or group, by the days that sources state. */
export const affiliationsPage = listView(affiliations, {
  name: 'affiliations',
  path: '/affiliations',
  section: 'politicians',
  render(making, answer) {
    const { speech } = making;
    const title = speech.say`Who joined or left`;
    const lead = speech.say`The first and last days of affiliations with parties and groups, as sources state them. A role may change within one party, and a group may take another name: whether somebody changed sides is not said.`;
    const filters = form(making, [
      { name: 'since', label: speech.say`Since`, type: 'date' },
      { name: 'until', label: speech.say`Until`, type: 'date' },
      { name: 'politician', label: speech.say`Politician`, completes: '/politicians.json' },
      { name: 'party', label: speech.say`Party or group`, completes: '/parties.json' },
      {
        name: 'event',
        label: speech.say`Event`,
        options: () => [
          ['', speech.say`both`],
          ['began', speech.say`began`],
          ['ended', speech.say`ended`],
        ],
      },
    ]);
    const rows = answer.items.map((each) => row(making, each));
    const table = html`<div class="scroll" role="region" aria-label="${title}" tabindex="0"><table class="list"><thead><tr><th scope="col">${speech.say`Day`}</th><th scope="col">${speech.say`Politician`}</th><th scope="col">${speech.say`Event`}</th><th scope="col">${speech.say`Party or group`}</th><th scope="col">${speech.say`Role`}</th></tr></thead><tbody>${rows}</tbody></table></div>`;
    const body = html`${heading(title, { lead })}${filters}${rows.length > 0 ? table : html`<p class="none">${speech.say`No affiliation is found so.`}</p>`}${pager(making, answer)}`;
    return { title, body };
  },
});

function row(making: Making, each: Document): Html {
  const { speech } = making;
  const event = each.event === 'began' ? speech.say`began` : speech.say`ended`;
  return html`<tr><td>${day(speech, textOf(each, 'date'))}</td><th scope="row">${personLink(making, each.politician)}</th><td>${event}</td><td lang="fr">${partyLink(making, slugOf(each.party ?? null))}</td><td lang="fr">${textOf(each, 'role')}</td></tr>\n`;
}
