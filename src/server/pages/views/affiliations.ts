import { escapeHtml } from '../../../format/html.ts';
import { sanitiseLine } from '../../../format/sanitise.ts';
import { type EntryContext, type FeedEntry, feedMoment, permanentId } from '../../../format/web-feed.ts';
import { type Document, slugOf, textOf } from '../../../model/document.ts';
import { roleText } from '../../../parliament/membership.ts';
import { affiliations, reasonPhrases } from '../../../questions/affiliations.ts';
import type { StayReason } from '../../../store/records/moves.ts';
import { say } from '../../../words/speech.ts';
import { day, table } from '../elements.ts';
import type { FilterField } from '../filter-field.ts';
import { filterForm, partyField, politicianField, selectField } from '../filter-form.ts';
import { listContent, partyLink, personLink } from '../parts.ts';
import { createPageView } from '../view.ts';

const events = { began: say`began`, ended: say`ended` };

function affiliationEntry(item: Document, { addressOf, madeAt, speech }: EntryContext): FeedEntry {
  const fieldText = (...names: string[]) => textOf(item, ...names) ?? '';
  const event = fieldText('event');
  const date = fieldText('date');
  const formerName = fieldText('from_name', 'from');
  const name = fieldText('party_name', 'party');
  const eventText = event in events ? speech.render(events[event as keyof typeof events]) : '';
  const titleParts = formerName === '' ? [name, eventText] : [`${formerName} → ${name}`];
  const role = fieldText('role');
  const roleLabel = roleText(item, speech) ?? '';
  const title = [fieldText('full_name', 'politician'), ...titleParts, roleLabel].filter(Boolean).join(' · ');
  return {
    // A leader has two roles in the group from the same day on, so the role is part of the id.
    id: permanentId('affiliation', fieldText('politician'), fieldText('from'), fieldText('party'), event, date, role),
    title,
    address: addressOf('politician', fieldText('politician')),
    updated: feedMoment(date) ?? madeAt,
    published: feedMoment(date),
    html: `<p>${escapeHtml(sanitiseLine(title))}</p>`,
    categories: event in events ? [event] : [],
  };
}

const fields: FilterField[] = [
  { name: 'since', label: say`Since`, type: 'date' },
  { name: 'until', label: say`Until`, type: 'date' },
  politicianField,
  partyField,
  selectField('event', say`Event`, say`both`, Object.entries(events)),
  selectField('moved', say`Memberships`, say`all`, [['true', say`only moves`]]),
];

/** Page `/affiliations`: starts and ends of affiliations or, with `moved`, moves between parties or groups. */
export const affiliationsPage = createPageView(affiliations, {
  path: '/affiliations',
  siteExtensions: null, // not in the static site
  title: say`Who joined or left`,
  feed: { entry: affiliationEntry },
  template(page, { answer }) {
    const { speech } = page;
    const showsMoves = page.values.moved === true;
    const exclusions = Object.entries((answer.extra.left_out ?? {}) as Record<StayReason, number>)
      .filter(([, count]) => count > 0)
      .map(([reason, count]) => `${speech.number(count)} (${speech.render(reasonPhrases[reason as StayReason])})`);
    return listContent(page, answer, {
      lead: showsMoves
        ? speech.say`Moves from one party or group to another, on the dates stated by sources. Excluded: ${speech.list(exclusions)}.`
        : speech.say`The first and last days of affiliations with parties and groups, as sources state them. They do not prove a change of side: a role may change within one party, and a group may be renamed.`,
      fields,
      filters: filterForm(page, fields),
      list: table(page, page.title, answer.items, [
        [speech.say`Day`, (each) => day(speech, textOf(each, 'date'))],
        [speech.say`Politician`, (each) => personLink(page, each.politician), 'name'],
        showsMoves
          ? [speech.say`Before`, ({ from }) => partyLink(page, slugOf(from ?? null)), 'french']
          : [speech.say`Event`, ({ event }) => speech.render(event === 'began' ? events.began : events.ended)],
        [speech.say`Party or group`, ({ party }) => partyLink(page, slugOf(party ?? null)), 'french'],
        [speech.say`Role`, (each) => roleText(each, speech), 'french'],
      ]),
      empty: speech.say`No affiliation matches.`,
    });
  },
});
