import { agreementFormula } from '../../../model/agreement.ts';
import { stances } from '../../../model/ballot.ts';
import { type Document, isDocument, textOf } from '../../../model/document.ts';
import { cohesion } from '../../../questions/cohesion.ts';
import { compare } from '../../../questions/compare.ts';
import { groupsVotingLately } from '../../../store/records/ballots.ts';
import { form } from '../form.ts';
import { type Content, type Html, html } from '../html.ts';
import type { Making } from '../making.ts';
import { heading, section } from '../parts.ts';
import { listView } from '../view.ts';
import { chamberName, fieldsOfChoice, patternFields } from './ballots.ts';

/** How often groups took the same position, over the ballots that are chosen. */
export const comparePage = listView(compare, {
  name: 'compare',
  path: '/compare',
  section: 'compare',
  parameters: {
    ...compare.parameters,
    // Without two groups it is the form alone.
    group: { ...compare.parameters.group, isRequired: false, fallback: [] },
  },
  isAsked: ({ values: { group } }) => Array.isArray(group) && group.length > 1,
  render(making, { items: found }) {
    const { speech, values, href } = making;
    const title = speech.say`Compare groups`;
    const lead = html`${speech.say`How often groups took the same position, pair by pair, over the votes that you choose.`} <a href="${href('/cohesion')}">${speech.say`How united each group voted`}</a>`;
    const [one = '', other = '', ...more] = values.group as string[];
    const groups = groupOptions(making);
    const sides: [string, Content][] = [['majority', speech.say`the side with more votes`], ...groups];
    const first = { id: 'f-group-1', label: speech.say`One group`, options: groups, stated: one };
    const second = { id: 'f-group-2', label: speech.say`Another group`, options: sides, stated: other };
    const filters = form(making, fieldsOfChoice(making), {
      before: html`${groupField(making, first)}${groupField(making, second)}${more.map((name) => html`<input type="hidden" name="group" value="${name}">`)}`,
      after: patternFields(making),
    });
    const answer = html`${agreementTable(making, found)}${found.map((pair) => positions(making, pair))}${explained(making)}`;
    return { title, body: html`${heading(title, { lead })}${filters}${found.length > 0 && answer}` };
  },
});

function groupOptions({ once }: Making): [string, Content][] {
  return once('voting groups', groupsVotingLately).map(({ slug, label, chamber }) => [
    slug,
    `${label} (${chamberName(chamber)})`,
  ]);
}

type GroupField = { id: string; label: string; options: [string, Content][]; stated: string };

function groupField({ speech }: Making, { id, label, options, stated }: GroupField): Html {
  const isKnown = stated === '' || options.some(([value]) => value === stated);
  const all: [string, Content][] = [
    ['', speech.say`choose one`],
    ...(isKnown ? [] : ([[stated, stated]] as [string, Content][])),
    ...options,
  ];
  return html`<p><label for="${id}">${label}</label><select id="${id}" name="group">${all.map(
    ([value, text]) =>
      html`<option value="${value}"${value === stated ? html` selected` : null}>${text}</option>`,
  )}</select></p>
`;
}

function agreementTable(making: Making, found: readonly Document[]): Html {
  const { speech } = making;
  const title = speech.say`Agreement`;
  const number = (value: unknown) =>
    html`<td class="number">${typeof value === 'number' ? speech.number(value) : null}</td>`;
  const rows = found.map(
    (pair) =>
      html`<tr><th scope="row">${groupName(making, pair.group)} – ${groupName(making, pair.other)}</th><td class="number">${
        typeof pair.agreement === 'number' ? speech.share(pair.agreement, 1) : null
      }</td>${number(pair.same)}${number(pair.n)}${number(pair.not_listed)}${number(pair.no_position)}</tr>
`,
  );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table class="list"><thead><tr><th scope="col">${speech.say`Groups`}</th><th scope="col" class="number">${title}</th><th scope="col" class="number">${speech.say`Same position`}</th><th scope="col" class="number">${speech.say`Votes counted`}</th><th scope="col" class="number">${speech.say`Left out: not listed`}</th><th scope="col" class="number">${speech.say`Left out: no position`}</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** A group as it was asked for, with its name where it is a slug. */
function groupName(
  { nameOf, speech, once, recordHref }: Making,
  name: Document[string] | undefined,
): Content {
  if (name === 'majority') return speech.say`the side with more votes`;
  const slug = String(name);
  const label =
    once('voting groups', groupsVotingLately).find((each) => each.slug === slug)?.label ??
    nameOf('party', slug);
  return label === null ? slug : html`<a href="${recordHref('party', slug)}" lang="fr">${label}</a>`;
}

/** How often one took each position while the other took each. */
function positions(making: Making, pair: Document): Html | null {
  const { speech } = making;
  const table = pair.positions;
  if (!isDocument(table) || pair.n === 0) return null;
  const names = {
    for: speech.say`For`,
    against: speech.say`Against`,
    abstention: speech.say`Abstention`,
  };
  const [one, other] = [groupName(making, pair.group), groupName(making, pair.other)];
  const rows = stances.map((stance) => {
    const row = table[stance];
    const cells = stances.map(
      (each) => html`<td class="number">${isDocument(row) ? speech.number(Number(row[each])) : null}</td>`,
    );
    return html`<tr><th scope="row">${one} ${names[stance]}</th>${cells}</tr>
`;
  });
  return section(
    html`${one} – ${other}`,
    html`<div class="scroll" tabindex="0" role="region" aria-label="${speech.say`Positions of both`}"><table class="list"><thead><tr><td></td>${stances.map((each) => html`<th scope="col" class="number">${other} ${names[each]}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`,
  );
}

function explained({ speech }: Making): Html {
  return html`<p class="meta">${speech.say`Agreement is the share of the votes counted in which both took the same position; counted are those in which the source states the position of both.`}</p>`;
}

/** How united each group voted. */
export const cohesionPage = listView(cohesion, {
  name: 'cohesion',
  path: '/cohesion',
  section: 'compare',
  render(making, answer) {
    const { speech, href } = making;
    const title = speech.say`How united groups voted`;
    const lead = html`${speech.say`The mean Agreement Index of each group, from 0 to 1, over the votes that you choose.`} <a href="${href('/compare')}">${speech.say`Compare groups`}</a>`;
    const kept = (making.given.group ?? []).map(
      (name) => html`<input type="hidden" name="group" value="${name}">`,
    );
    const filters = form(making, fieldsOfChoice(making), { before: kept, after: patternFields(making) });
    const table =
      answer.items.length === 0
        ? html`<p class="none">${speech.say`No ballot is so.`}</p>`
        : cohesionTable(making, answer.items);
    const note = html`<p class="meta">${speech.say`A group with one voter is 1 by construction, so the mean also stands without ballots of three voters or fewer. The index is`} <span>${speech.tell(agreementFormula)}</span>.</p>`;
    return { title, body: html`${heading(title, { lead })}${filters}${table}${note}` };
  },
});

function cohesionTable(making: Making, found: readonly Document[]): Html {
  const { speech } = making;
  const number = (value: unknown, decimals?: number) =>
    html`<td class="number">${typeof value === 'number' ? speech.number(value, decimals) : null}</td>`;
  const share = (value: unknown) =>
    html`<td class="number">${typeof value === 'number' ? speech.share(value) : null}</td>`;
  const rows = found.map(
    (each) =>
      html`<tr><th scope="row"><a href="${making.recordHref('party', String(each.group))}" lang="fr">${textOf(each, 'name', 'group')}</a></th>${number(each.agreement_index_over_3, 3)}${number(each.n_over_3)}${number(each.agreement_index, 3)}${number(each.n)}${share(each.presence)}${share(each.participation)}</tr>
`,
  );
  const title = speech.say`How united groups voted`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table class="list"><thead><tr><th scope="col">${speech.say`Group`}</th><th scope="col" class="number">${speech.say`Index, over 3 voters`}</th><th scope="col" class="number">${speech.say`Votes`}</th><th scope="col" class="number">${speech.say`Index, all`}</th><th scope="col" class="number">${speech.say`Votes`}</th><th scope="col" class="number">${speech.say`Present`}</th><th scope="col" class="number">${speech.say`Took part`}</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}
