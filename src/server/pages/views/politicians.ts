import { type Document, slugOf, textOf } from '../../../model/document.ts';
import { affiliations } from '../../../questions/affiliations.ts';
import { politicians } from '../../../questions/politicians.ts';
import { type Phrase, say } from '../../../words/speech.ts';
import { recordFeeds } from '../alternate-forms.ts';
import { choicesOf, filterForm, partyField, politicianField } from '../filter-form.ts';
import { html } from '../html.ts';
import { day, listContent, partyLink, personLink, table } from '../parts.ts';
import { listView } from '../view.ts';

const orders: Record<string, Phrase> = {
  name: say`by name`,
  freshness: say`newest facts first`,
  updated_at: say`last changed first`,
};

/** Politicians, by name or the newest first. */
export const politiciansPage = listView(politicians, {
  name: 'politicians',
  path: '/politicians',
  section: 'politicians',
  forms: recordFeeds(say`Politicians`, 'politician'),
  template(page, answer) {
    const { speech } = page;
    const title = speech.say`Politicians`;
    const groupOf = ({ group, party }: Document) => slugOf(group ?? null) ?? slugOf(party ?? null);
    return listContent(page, answer, {
      title,
      lead:
        !page.isStatic &&
        html`<a href="${page.href('/affiliations')}">${speech.say`Who joined or left which party or group`}</a>`,
      filters: filterForm(page, [
        { name: 'q', label: speech.say`Name`, type: 'search', completes: '/politicians.json' },
        partyField(page),
        {
          name: 'sort',
          label: speech.say`Order`,
          options: () =>
            choicesOf(politicians.parameters.sort).map((each) => [each, speech.tell(orders[each] ?? each)]),
        },
      ]),
      list: table(page, title, answer.items, [
        [
          speech.say`Name`,
          (person) => {
            const slug = textOf(person, 'slug') ?? '';
            return html`<a href="${page.recordHref('politician', slug)}">${textOf(person, 'full_name') ?? slug}</a>`;
          },
          'name',
        ],
        [speech.say`Role`, (person) => textOf(person, 'current_role'), 'french'],
        [speech.say`Party or group`, (person) => partyLink(page, groupOf(person)), 'french'],
      ]),
      empty: speech.say`No politician is found so.`,
    });
  },
});

/** Who joined or left which party or group, by the days that sources state. */
export const affiliationsPage = listView(affiliations, {
  name: 'affiliations',
  path: '/affiliations',
  section: 'politicians',
  template(page, answer) {
    const { speech } = page;
    const title = speech.say`Who joined or left`;
    const events = { began: speech.say`began`, ended: speech.say`ended` };
    return listContent(page, answer, {
      title,
      lead: speech.say`The first and last days of affiliations with parties and groups, as sources state them. A role may change within one party, and a group may take another name: whether somebody changed sides is not said.`,
      filters: filterForm(page, [
        { name: 'since', label: speech.say`Since`, type: 'date' },
        { name: 'until', label: speech.say`Until`, type: 'date' },
        politicianField(page),
        partyField(page),
        {
          name: 'event',
          label: speech.say`Event`,
          options: () => [['', speech.say`both`], ...Object.entries(events)],
        },
      ]),
      list: table(page, title, answer.items, [
        [speech.say`Day`, (each) => day(speech, textOf(each, 'date'))],
        [speech.say`Politician`, (each) => personLink(page, each.politician), 'name'],
        [speech.say`Event`, ({ event }) => (event === 'began' ? events.began : events.ended)],
        [speech.say`Party or group`, ({ party }) => partyLink(page, slugOf(party ?? null)), 'french'],
        [speech.say`Role`, (each) => textOf(each, 'role'), 'french'],
      ]),
      empty: speech.say`No affiliation is found so.`,
    });
  },
});
