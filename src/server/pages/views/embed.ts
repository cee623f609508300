import { type PictureContext, seatCountsText, seatsSvg } from '../../../format/ballot-svg.ts';
import { sanitiseLine } from '../../../format/sanitise.ts';
import { seatsFrame } from '../../../format/seats-svg.ts';
import { breakLines } from '../../../format/svg.ts';
import { type Ballot, ballotKey, readBallot } from '../../../model/ballot.ts';
import { ballotSentence } from '../../../model/ballot-sentence.ts';
import { decodeSegment, findPageRecord, kindOf, pageParameters, recordPath } from '../../../model/kinds.ts';
import { groupLabel, groupSeats, seatingNote } from '../../../model/seats.ts';
import { integerParameter, listParameter, optionalWords, requiredWords } from '../../../questions/parameter-kinds.ts';
import { vote } from '../../../questions/vote.ts';
import { groupFacts, seatingOrder } from '../../../store/records/parties.ts';
import { say } from '../../../words/speech.ts';
import { RefusedRequestError } from '../../problem.ts';
import type { AlternateForm } from '../alternate-forms.ts';
import { section, shorten } from '../elements.ts';
import { filterForm } from '../filter-form.ts';
import { copyField } from '../frame.ts';
import { Html, html } from '../html.ts';
import { type PageContext, pageAttributionText, type ViewPage } from '../page-context.ts';
import { createPageView } from '../view.ts';
import { outcomeBar } from './ballots.ts';

/** Parameters of a ballot's pages: chamber and number in the path, and the order of groups from left to right. */
export const ballotParameters = {
  chamber: { ...vote.parameters.chamber, isPathPart: true, isRequired: true },
  scrutin_id: vote.parameters.scrutin_id,
  order: listParameter('names of groups from left to right, as they sit in the chamber', {
    read: (name) => name,
    pattern: '\\S',
  }),
};

/** Returns what pictures of ballots need: facts of groups, seating order, attribution and language. */
export function pictureContext(page: PageContext): PictureContext {
  const { mirror, speech } = page;
  const requestedOrder = (page.values.order as string[] | undefined) ?? [];
  const order = seatingOrder(mirror, requestedOrder.length > 0 ? requestedOrder : page.groupOrder);
  return { facts: groupFacts(mirror), order, attribution: pageAttributionText(page), speech };
}

/** Returns a figure with a picture; its caption is also its accessible name. */
export function figureWithCaption(svg: string, caption: Html): Html {
  const captionText = caption.text.replace(/<[^>]*>/g, '');
  const name = new Html(captionText.replace(/\s+/g, ' ').trim());
  return html`<figure class="picture" role="figure" aria-label="${name}">${new Html(svg)}<figcaption>${caption}</figcaption></figure>`;
}

/** Returns a ballot's title in one line, or its key without a title. */
export const ballotTitle = (ballot: Ballot) => sanitiseLine(ballot.title ?? ballotKey(ballot));

function ballotTexts({ speech }: ViewPage, ballot: Ballot, { facts, attribution }: PictureContext) {
  const day = ballot.date === null ? [] : [speech.day(ballot.date)];
  const groups = groupSeats(ballot).map(
    ({ votes, seats }) => speech.say`${groupLabel(votes, facts)}: ${seatCountsText(seats, ballot, speech)}`,
  );
  const resultText = [speech.render(ballotSentence(ballot)), ...day].join(' · ');
  return { title: ballotTitle(ballot), resultText, groups, attribution };
}

const defaultWidth = 800;

/** Returns the frame's width and estimated height (pixels), from sizes, line heights and margins of pages.css. */
function frameSize(page: ViewPage, ballot: Ballot, picture: PictureContext) {
  const { maxwidth = defaultWidth } = page.values as { maxwidth?: number };
  const width = Math.min(maxwidth, defaultWidth);
  const { title, resultText, groups, attribution } = ballotTexts(page, ballot, picture);
  const { speech, citation } = page;
  const heightOf = (text: string, size: number, lineHeight: number) =>
    breakLines({ text, size }, width - 24).length * lineHeight;
  const paragraphHeight = (text: string) => heightOf(text, 15.1, 23.3) + 4.8;
  const seatsPixels = seatsFrame(groupSeats(ballot)).height;
  const note = seatingNote(ballot, picture.order);
  const heights = [
    10,
    heightOf(title, 19, 24),
    paragraphHeight(resultText),
    note ? (seatsPixels * width) / defaultWidth + heightOf(speech.render(note), 14.5, 21.7) + 30 : 0,
    outcomeBar(ballot) ? 48 : 0,
    ...groups.map((each) => paragraphHeight(each) + 8),
    paragraphHeight(attribution),
    paragraphHeight(speech.say`This vote at ${citation.name}`),
  ];
  return { width, height: Math.ceil(heights.reduce((sum, each) => sum + each, 0)) };
}

function embedHtml(page: ViewPage, ballot: Ballot, picture: PictureContext): string {
  const { origin, href, queryParameters } = page;
  const order = queryParameters.order?.join(',') ?? null;
  const address = `${origin}${href(`/embed${recordPath('ballot', ballotKey(ballot))}`, { order })}`;
  return html`<iframe src="${address}" title="${shorten(ballotTitle(ballot), 300)}" width="100%" height="${frameSize(page, ballot, picture).height}" loading="lazy" frameborder="0"></iframe>`
    .text;
}

/** Returns a field with a ballot's embed HTML, to copy from. */
export function embedField(page: ViewPage, ballot: Ballot, picture: PictureContext): Html {
  const { speech } = page;
  const label = speech.say`To show it on another site, paste this line:`;
  return html`<div><p>${label}</p>${copyField(speech, label, embedHtml(page, ballot, picture))}</div>`;
}

/** Page of a ballot for an iframe on another site: its picture, and a link to its page. */
export const embeddedBallotPage = createPageView(null, {
  path: '/embed/votes/{chamber}/{scrutin_id}',
  parameters: ballotParameters,
  kindsRead: () => ['ballot'],
  isEmbedded: true,
  values: (page) => ({ ballot: readBallot(page.record(vote, page.values)), picture: pictureContext(page) }),
  template(page, { ballot, picture }) {
    const { speech, recordHref, citation } = page;
    const { title, resultText, groups, attribution } = ballotTexts(page, ballot, picture);
    const seats = seatsSvg(ballot, picture);
    const note = seatingNote(ballot, picture.order);
    const body = html`<h1><span lang="fr">${title}</span></h1>
<p class="lead">${resultText}</p>
${seats && note && figureWithCaption(seats, html`${speech.render(note)}`)}${outcomeBar(ballot)}
<ul class="plain">${groups.map((each) => html`<li>${each}</li>`)}</ul>
<p class="meta">${attribution}</p>
<p><a href="${recordHref('ballot', ballotKey(ballot))}" target="_blank" rel="noopener">${speech.say`This vote at ${citation.name}`}</a></p>`;
    return { title, body };
  },
});

const oembedJson: AlternateForm = {
  mediaType: 'application/json; charset=utf-8',
  hasAbsoluteAddresses: true,
  make(page) {
    const { citation, origin, values } = page;
    const provider = { provider_name: citation.name, provider_url: `${origin}/` };
    // 501 for a format that the provider lacks: https://oembed.com/#section2.3
    if (values.format !== 'json') throw new RefusedRequestError(501, say`oEmbed is only available as JSON here.`);
    // Endpoint as in the list of providers, https://oembed.com/providers.json
    const endpoint = { schemes: [`${origin}/votes/*`], url: `${origin}/oembed.json`, discovery: true };
    const ballot = requestedBallot(page);
    if (ballot === null) return JSON.stringify({ ...provider, endpoints: [{ ...endpoint, formats: ['json'] }] });
    const picture = pictureContext(page);
    const size = frameSize(page, ballot, picture);
    return JSON.stringify({
      version: '1.0',
      type: 'rich',
      title: shorten(ballotTitle(ballot), 300),
      ...provider,
      html: embedHtml(page, ballot, picture),
      width: size.width,
      height: Math.min(size.height, (values.maxheight as number | undefined) ?? size.height),
    });
  },
};

/** Returns the ballot whose page is at `url`, null if `url` is empty; throws a RefusedRequestError (404) for others. */
function requestedBallot(page: PageContext): Ballot | null {
  const { values, origin } = page;
  if (!values.url) return null;
  const url = URL.parse(String(values.url));
  const pageUrl = url === null ? '' : `${url.origin}${url.pathname}`;
  const path = pageUrl.startsWith(origin) ? pageUrl.slice(origin.length).replace(/^\/embed(?=\/)/, '') : '';
  const parts = path.slice(1).split('/').map(decodeSegment);
  const reference = parts.every((part) => part !== null) ? findPageRecord(parts) : null;
  if (reference?.kind !== 'ballot')
    throw new RefusedRequestError(404, say`That is not the address of a vote on this server.`);
  return readBallot(page.record(vote, pageParameters(kindOf('ballot'), reference.key)));
}

/** Page `/oembed`: how to embed a vote; as JSON, the oEmbed endpoint (https://oembed.com/). */
export const oembedPage = createPageView(null, {
  path: '/oembed',
  siteExtensions: null,
  title: say`Show a vote on another site`,
  parameters: {
    url: { ...requiredWords('address of the page of a vote'), isRequired: false, fallback: '' },
    maxwidth: integerParameter('the most that it may be wide', { minimum: 1 }),
    maxheight: integerParameter('the most that it may be high', { minimum: 1 }),
    format: { ...optionalWords('format of the answer'), fallback: 'json' },
  },
  forms: { json: oembedJson },
  values: (page) => ({ ballot: requestedBallot(page), picture: pictureContext(page) }),
  template(page, { ballot, picture }) {
    const { speech } = page;
    const lead = speech.say`Each vote’s page has HTML code to paste. You can also create it here from the page’s address.`;
    const fields = filterForm(page, [{ name: 'url', label: say`Address of the page of a vote`, type: 'text' }]);
    return { lead, body: html`${fields}${ballot && section(ballotTitle(ballot), embedField(page, ballot, picture))}` };
  },
});
