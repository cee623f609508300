import { agreementFormula } from '../../../model/agreement.ts';
import { type Document, textOf } from '../../../model/document.ts';
import { cohesion } from '../../../questions/cohesion.ts';
import type { ListQuestion } from '../../../questions/question.ts';
import { say } from '../../../words/speech.ts';
import { none, table } from '../elements.ts';
import { filterForm } from '../filter-form.ts';
import { html } from '../html.ts';
import { type MonthFields, monthForm, monthLines, monthSeries } from '../month-lines.ts';
import { recordLink } from '../parts.ts';
import { listView } from '../view.ts';
import { ballotChoices, ballotFields, overWhat, positionFields } from './ballots.ts';
import { chamberCell, partCells, partField } from './compare.ts';

const groupFields: MonthFields = { groups: ['group'], value: 'agreement_index_over_3', n: 'n_over_3' };

/** Cohesion of each group. */
export const cohesionPage = listView(cohesion, {
  name: 'cohesion',
  path: '/cohesion',
  title: say`How united groups voted`,
  section: 'compare',
  siteEndings: ['json', 'csv'],
  forms: { svg: monthForm(cohesion as ListQuestion, groupFields) },
  values: (page, { items, extra }) => ({
    ...{ groups: items, extra },
    choices: ballotChoices(page),
    months: monthSeries(page, items, groupFields),
  }),
  template(page, { groups, extra, choices, months }) {
    const { speech, href } = page;
    const lead = html`${speech.say`The mean Agreement Index of each group, from 0 to 1, in the selected votes.`} <a href="${href('/compare')}">${speech.say`Compare groups`}</a>`;
    const filters = filterForm(page, [...ballotFields(choices), partField], {
      after: positionFields(page, choices.groups),
    });
    const number = (field: string, decimals?: number) => (group: Document) => {
      const value = group[field];
      return typeof value === 'number' && speech.number(value, decimals);
    };
    const groupLink = (each: Document) => recordLink(page, 'party', String(each.group), textOf(each, 'name', 'group'));
    const share = (value: unknown) => typeof value === 'number' && speech.share(value);
    const list = table(page, page.title, groups, [
      ...partCells(page),
      [speech.say`Group`, groupLink, 'name'],
      chamberCell(page),
      [speech.say`Turnout`, ({ participation }) => share(participation), 'number'],
      [speech.say`Index, over 3 voters`, number('agreement_index_over_3', 3), 'number'],
      [speech.say`Votes`, number('n_over_3'), 'number'],
      [speech.say`Index, all`, number('agreement_index', 3), 'number'],
      [speech.say`Votes`, number('n'), 'number'],
      [speech.say`Ballots with any vote`, ({ ballots_with_votes: value }) => share(value), 'number'],
      [speech.say`Excluded: not listed`, number('not_listed'), 'number'],
      [speech.say`Excluded: no vote`, number('no_vote'), 'number'],
      [speech.say`Votes for alone recorded`, number('one_sided'), 'number'],
    ]);
    const note = html`<p class="meta">${speech.say`A single voter always gives 1, so the mean without ballots of three voters or fewer is given too. The index is`} <span>${speech.render(agreementFormula)}</span>.</p><p class="meta">${speech.say`Turnout is the mean share of members who voted for, against or abstained; it is given for the Assemblée only, since delegates cast the votes of whole groups in the Sénat. “Ballots with any vote” is the share of ballots in which at least one member voted: it is not a rate of attendance. Ballots that record only votes in favour are excluded.`}</p>`;
    const body = html`${filters}${overWhat(page, extra)}${monthLines(page, months)}${list ?? none(speech.say`No ballot matches.`)}${note}`;
    return { lead, body };
  },
});
