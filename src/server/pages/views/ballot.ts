import { ballotSvg, type PictureContext, seatsSvg } from '../../../format/ballot-svg.ts';
import { barHeight, groupBar } from '../../../format/seats-svg.ts';
import { ballotCard } from '../../../format/share-svg.ts';
import { colourOf, outlineColour, themeForPage } from '../../../format/svg.ts';
import { type Ballot, ballotKey, countFieldsOf, type PartyVotes, readBallot } from '../../../model/ballot.ts';
import { ballotSentence, positionText } from '../../../model/ballot-sentence.ts';
import { type Document, textOf } from '../../../model/document.ts';
import { isMotionOfCensure } from '../../../model/heading.ts';
import { historyPath } from '../../../model/kinds.ts';
import { type GroupSeats, groupSeats, seatingNote, seatTotals } from '../../../model/seats.ts';
import { legislativeTextName, subjectOf } from '../../../parliament/ballot-text.ts';
import { countWithoutRecordedVote, totalRow } from '../../../parliament/electorate.ts';
import { ballotRemarks, isOneSided, minoritySupport } from '../../../parliament/group-position.ts';
import { derivedOfGroup, groupRowColumns, groupRows } from '../../../parliament/group-rows.ts';
import { text } from '../../../questions/text.ts';
import { vote } from '../../../questions/vote.ts';
import { votedTexts } from '../../../store/records/ballot-texts.ts';
import { sourcesOf } from '../../../store/records/profile.ts';
import { capitalise } from '../../../words/speech.ts';
import { type AlternateForm, csvText, csvType } from '../alternate-forms.ts';
import { dossierForms } from '../dossier.ts';
import {
  day,
  emptyNote,
  facts,
  inFrench,
  line,
  onward,
  outsideLink,
  type PageColumn,
  section,
  shorten,
  table,
  titleWith,
} from '../elements.ts';
import { fieldValue } from '../fields.ts';
import { type Content, Html, html } from '../html.ts';
import type { ListAnswer, PageContext, ViewPage } from '../page-context.ts';
import { partyLink, relatedNotes, sources } from '../parts.ts';
import { createPageView } from '../view.ts';
import { chamberName, outcomeBar, stanceNames, textLink, textTable } from './ballots.ts';
import { ballotParameters, ballotTitle, embedField, figureWithCaption, pictureContext } from './embed.ts';

const svg: AlternateForm = {
  mediaType: 'image/svg+xml',
  make: (page) => ballotSvg(readBallot(page.record(vote, page.values)), pictureContext(page)),
};

const csv: AlternateForm = {
  mediaType: csvType,
  make: (page) => csvText(page, groupRowColumns, groupRows(page.record(vote, page.values))),
};

/** Page of one ballot: seats, counts, result, votes by group, other votes on its text, and files. */
export const ballotPage = createPageView(vote, {
  path: '/votes/{chamber}/{scrutin_id}',
  parameters: ballotParameters,
  forms: { csv, svg, ...dossierForms },
  hasPreview: true,
  values: (page, document) => ({
    ballot: document as Ballot,
    picture: pictureContext(page),
    citedSources: sourcesOf(page.mirror, document),
    sameText: ballotsOnSameText(page, document),
    textName: pageSpelling(page, legislativeTextName(document)),
  }),
  template(page, { ballot, picture, citedSources, sameText, textName }) {
    const { speech, origin } = page;
    const title = shorten(ballotTitle(ballot), 300);
    const oembedUrl = `${origin}/oembed.json?${new URLSearchParams({ url: `${origin}${page.hrefWith({})}` })}`;
    // https://oembed.com/#section4
    const discovery = html`<link rel="alternate" type="application/json+oembed" href="${oembedUrl}" title="${title}">\n`;
    const resultText = speech.render(ballotSentence(ballot));
    const { heading, text: textLine, officialTitle } = headingOf(ballot, title);
    const outcome = line(
      html`<strong class="result">${resultText}</strong>`,
      day(speech, ballot.date),
      inFrench(textOf(ballot, 'type')),
    );
    const remarks = ballotRemarks(ballot).map((each) => html`<p class="meta">${speech.render(each)}</p>`);
    const seatsPicture = seatsSvg(ballot, picture);
    const legendHtml = legend(page, ballot, picture);
    const body = html`${officialTitle && html`<p class="meta">${speech.say`Official title:`} <span lang="fr">${officialTitle}</span></p>`}${remarks}
${seatsPicture && figureWithCaption(seatsPicture, legendHtml)}${countList(page, ballot)}${section(
  speech.say`How groups voted`,
  html`${!seatsPicture && html`<p class="meta">${legendHtml}</p>`}${groupTable(page, ballot, picture)}`,
  { id: 'groups' },
)}${sameText && section(speech.say`Votes on the same text`, otherVotes(page, sameText), { id: 'text' })}${section(
  speech.say`More about it`,
  facts([
    [speech.say`Text`, textLink(page, textName)],
    [speech.say`Legislative file`, inFrench(textOf(ballot, 'dossier'))],
    [speech.say`Legislature`, textOf(ballot, 'legislature')],
    [speech.say`Session`, fieldValue(page, 'session', textOf(ballot, 'session'))],
    [speech.say`Number`, textOf(ballot, 'number')],
    [speech.say`On the chamber’s website`, outsideLink(textOf(ballot, 'url'))],
  ]),
)}${section(speech.say`Sources`, sources(page, citedSources), { id: 'sources' })}${section(
  speech.say`Download and reuse`,
  !page.isStatic && embedField(page, ballot, picture),
  { id: 'take-away' },
)}${onward(page.href(historyPath('ballot', ballotKey(ballot))), speech.say`Every version of this record`)}`;
    const date = ballot.date && speech.day(ballot.date);
    return {
      // Ballots on several readings share a title; the date tells them apart.
      title: titleWith(title, date),
      heading: inFrench(heading),
      kicker: html`${speech.word('ballot')} ${chamberName(ballot.chamber)} <span class="id">${ballot.scrutin_id}</span>`,
      lead: html`${textLine && html`<span lang="fr">${textLine}</span><br>`}${outcome}`,
      article: 'ballot',
      body,
      description: [date, resultText].filter(Boolean).join(' · '),
      share: ballotCard(ballot, { context: picture, kicker: page.citation.name }),
      isEmbeddable: !page.isStatic,
      head: origin === '' || page.isStatic ? null : discovery,
    };
  },
});

const maxHeading = 72; // Characters of at most two lines.
const maxText = 160; // Characters of the name of a text below the heading.

/** `heading`: what was voted on; `text`: the one it is a part of, or null; `officialTitle`: null if it repeats that. */
function headingOf(ballot: Ballot, title: string) {
  const textName = legislativeTextName(ballot);
  const subject = subjectOf(title);
  const isOnPart = textName !== null && subject !== title;
  const subjectWithoutArticle = subject.replace(/^(?:sur )?(?:les |l['’]\s?|l[ae] )?/u, '');
  const topic = capitalise(isOnPart ? subjectWithoutArticle : title);
  // Titles of motions of censure begin alike and end with the author.
  const shortTopic = topic.replace(/,? déposée en application .* Constitution,? (?=par )/u, ' ');
  const heading = shorten(shortTopic.replaceAll('n° ', 'n°\u00a0'), maxHeading);
  const isTitle = !isOnPart && shortTopic.length <= maxHeading && shortTopic.toLowerCase() === title.toLowerCase();
  const textLine = isOnPart ? shorten(capitalise(textName), maxText) : null;
  return { heading, text: textLine, officialTitle: isTitle ? null : title };
}

function countList({ speech }: ViewPage, ballot: Ballot): Html {
  const figure = (name: string, label: string, count: unknown) =>
    typeof count === 'number' && html`<div class="${name}"><dt>${label}</dt><dd>${speech.number(count)}</dd></div>`;
  const figures = countFieldsOf(ballot).map((name) =>
    figure(name, speech.render(stanceNames[name]), ballot.totals?.[name]),
  );
  if (!figures.some(Boolean)) return emptyNote(speech.say`The counts are not published.`);
  const { members, no_vote_recorded: unrecorded } = totalRow(ballot);
  figures.push(
    figure('unrecorded', speech.render(stanceNames.unrecorded), unrecorded),
    figure('members', speech.say`Members`, members),
    figure('required', speech.say`Required`, ballot.required),
  );
  return html`<dl class="counts">${figures}</dl>${outcomeBar(ballot)}`;
}

function legend({ speech }: ViewPage, ballot: Ballot, { order }: PictureContext): Html {
  const note = seatingNote(ballot, order);
  return html`<span class="legend">${seatTotals(groupSeats(ballot)).map(
    ({ state, total }) =>
      html`<span><span class="mark ${state}" aria-hidden="true"></span> ${speech.render(stanceNames[state])} ${speech.number(total)}</span> `,
  )}</span> ${note && speech.render(note)}`;
}

type SeatedGroup = [at: number, group: GroupSeats];

function groupTable(page: ViewPage, ballot: Ballot, { facts: groupFacts, order }: PictureContext): Html {
  const { speech } = page;
  const colourFor = (party: string | null) => colourOf(groupFacts.get(party ?? '')?.colour);
  const swatch = (party: string | null) => {
    const colour = colourFor(party);
    const svgMarkup = `<rect width="10" height="10" fill="${colour}" stroke="${outlineColour(colour)}"/>`;
    return html`<svg class="swatch" width="11" height="11" viewBox="-0.5 -0.5 11 11" aria-hidden="true" focusable="false">${new Html(themeForPage(svgMarkup))}</svg>`;
  };
  const seatedGroups = groupSeats(ballot, order);
  const largestGroup = Math.max(...seatedGroups.map(({ size }) => size));
  const bar = (group: GroupSeats, at: number) => {
    if (group.size === 0 || isMotionOfCensure(ballot)) return null;
    const barStyle = { at, colour: colourFor(group.votes.party), x: 0, y: 0, scale: 600 / largestGroup };
    return html`<svg class="votes" viewBox="0 0 600 ${barHeight}" preserveAspectRatio="none" aria-hidden="true" focusable="false">${new Html(themeForPage(groupBar(group, barStyle)))}</svg>`;
  };
  const groupCell = ([at, group]: SeatedGroup) =>
    html`${swatch(group.votes.party)} <span lang="fr">${partyLink(page, group.votes.party) ?? group.votes.party_name ?? speech.say`no group stated`}</span>${bar(group, at)}`;
  const columns: PageColumn<SeatedGroup>[] = [
    [speech.say`Group`, groupCell, 'name'],
    [speech.say`Position stated`, ([, { votes }]) => positionHtml(page, ballot, votes), 'french'],
    ...countFieldsOf(ballot).map((name): PageColumn<SeatedGroup> => {
      return [speech.render(stanceNames[name]), ([, { votes }]) => votes[name], 'number'];
    }),
    [speech.render(stanceNames.unrecorded), ([, { votes }]) => countWithoutRecordedVote(votes), 'number'],
    [speech.say`Members`, ([, { members }]) => members, 'number'],
  ];
  const groups = table(page, speech.say`How groups voted`, [...seatedGroups.entries()], columns);
  return groups ?? emptyNote(speech.say`The votes of groups are not published.`);
}

/** Returns the stated position (in brackets if derived figures ignore it) and, if at most half voted so, how many. */
function positionHtml({ speech }: ViewPage, ballot: Ballot, votes: PartyVotes): Content {
  const support = minoritySupport(votes, ballot);
  const position = positionText({ ...votes, ...derivedOfGroup(votes, isOneSided(ballot)) });
  if (support === null) return position;
  const share = speech.say`${speech.number(support.votes)} of ${speech.number(support.members)}`;
  return html`${position} <span class="meta">${share}</span>`;
}

/** Returns the spelling of a text's name that its page has, the first; the name itself if no text has it, or null. */
const pageSpelling = ({ mirror }: PageContext, name: string | null) =>
  name && ([...votedTexts(mirror).values()].find(({ names }) => names.includes(name))?.names[0] ?? name);

/** The other ballots on the same text, and the name of that text; null without any. */
function ballotsOnSameText(page: PageContext, ballot: Document): { name: string; otherBallots: ListAnswer } | null {
  const textReference = page.isStatic ? null : legislativeTextName(ballot);
  if (textReference === null) return null;
  const otherBallots = page.list(text, { text: textReference, limit: maxOnSameText + 1 });
  const items = otherBallots.items.filter(({ scrutin_id }) => scrutin_id !== ballot.scrutin_id);
  if (items.length === 0 && otherBallots.extra.related_texts === undefined) return null;
  return { name: textReference, otherBallots: { ...otherBallots, items: items.slice(-maxOnSameText) } };
}

const maxOnSameText = 8;

function otherVotes(page: ViewPage, { name, otherBallots }: { name: string; otherBallots: ListAnswer }): Html {
  const { speech, href } = page;
  const allVotesLink =
    otherBallots.items.length > 0 &&
    onward(
      href(`/texts/${encodeURIComponent(name)}`),
      otherBallots.total === null
        ? speech.say`All votes on this text`
        : speech.say`All ${speech.count(otherBallots.total, 'ballot')} on this text`,
    );
  return html`<p class="meta" lang="fr">${shorten(name, 300)}</p>${textTable(page, otherBallots.items)}${relatedNotes(page, otherBallots.extra)}${allVotesLink}`;
}
