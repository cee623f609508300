import { agreementText } from '../../../format/pair-card.ts';
import { ballots } from '../../../questions/ballots.ts';
import { compare } from '../../../questions/compare.ts';
import { listRecentGroups } from '../../../store/records/ballots.ts';
import { onward, section, table } from '../elements.ts';
import { filterForm, hiddenInputs } from '../filter-form.ts';
import { type Html, html } from '../html.ts';
import type { PageContext, Rendering } from '../page-context.ts';
import { recordLink } from '../parts.ts';
import { ballotList } from './ballots.ts';
import { chamberCell } from './compare.ts';

const dividedShare = 0.2;
const maxDivided = 5;

/** Reads the agreement of a group with the others of its chambers, closest first, and its divided votes; or null. */
export function readGroupRecord(page: PageContext, slug: string) {
  const groups = page.once('voting groups', listRecentGroups);
  const chambers = groups.find((each) => each.slug === slug)?.chambers;
  if (chambers === undefined) return null;
  // One reading serves the pages of all groups of a chamber.
  const allPairs = page.once(`agreement in ${chambers}`, () => {
    const group = groups.filter((each) => each.chambers.some((chamber) => chambers.includes(chamber)));
    return group.length < 2 ? [] : page.list(compare, { group: group.map((each) => each.slug) }).items;
  });
  const pairs = allPairs
    .flatMap((pair) => {
      const { group, group_name: name } = pair;
      return group === slug ? [pair] : pair.other === slug ? [{ ...pair, other: group!, other_name: name! }] : [];
    })
    .sort((one, other) => Number(other.agreement) - Number(one.agreement));
  const dissent = { requestedName: slug, share: dividedShare };
  return { pairs, divided: page.list(ballots, { dissent, limit: maxDivided }).items };
}

/** Returns a form that searches the votes of a group on whole texts; null on static pages. */
export const wholeVotesForm = (page: Rendering, slug: string): Html | null =>
  filterForm(
    { ...page, path: '/votes', queryParameters: {} },
    [{ name: 'q', label: page.speech.say`Words`, type: 'search' }],
    {
      before: html`${hiddenInputs('group', [slug])}${hiddenInputs('nature', ['whole'])}`,
    },
  );

type GroupRecord = NonNullable<ReturnType<typeof readGroupRecord>>;

/** Returns the sections of a group's record. */
export function groupRecordSections(page: Rendering, slug: string, { pairs, divided }: GroupRecord): Html {
  const { speech, href } = page;
  const title = speech.say`Agreement with other groups`;
  const list = table(page, title, pairs, [
    [
      speech.say`Group`,
      ({ other, other_name: name }) => recordLink(page, 'party', String(other), String(name)),
      'name',
    ],
    chamberCell(page),
    [
      speech.say`Agreement`,
      (pair) =>
        html`<a href="${href('/compare', { group: [slug, String(pair.other)] })}">${agreementText(speech, pair)}</a>`,
      'number',
    ],
    [speech.say`Votes counted`, ({ n }) => n as number, 'number'],
  ]);
  const note = speech.say`At least ${speech.share(dividedShare)} of the votes of the group differ from its most frequent choice.`;
  const all = href('/votes', { dissent: `${slug}:${dividedShare}` });
  const dividedList =
    divided.length > 0 &&
    html`<p class="meta">${note}</p>${ballotList(page, divided)}${onward(all, speech.say`All votes in which it was divided`)}`;
  return html`${section(title, list)}${section(speech.say`Last votes in which it was divided`, dividedList)}`;
}
