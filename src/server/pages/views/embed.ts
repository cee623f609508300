import { ballotSvg } from '../../../format/ballot-svg.ts';
import { type Ballot, type Chamber, chambers, readBallot } from '../../../model/ballot.ts';
import { integer, query, words } from '../../../questions/parameter-kinds.ts';
import { vote } from '../../../questions/vote.ts';
import { say } from '../../../words/speech.ts';
import { RefusedRequestError } from '../../problem.ts';
import {
  ballotKey,
  ballotTitle,
  embedField,
  embedLine,
  frameSize,
  pictureContext,
} from '../ballot-picture.ts';
import { filterForm } from '../filter-form.ts';
import { Html, html } from '../html.ts';
import type { PageContext } from '../page-context.ts';
import { heading, section, shorten } from '../parts.ts';
import { type AlternateForm, plainView } from '../view.ts';
import { ballotParameters } from './ballot.ts';

/** A ballot to stand in the page of somebody else: the picture, and the way to its own page. */
export const embeddedBallot = plainView({
  name: 'embedded-ballot',
  path: '/embed/votes/{chamber}/{scrutin_id}',
  parameters: ballotParameters,
  example: { chamber: 'AN', scrutin_id: 'VAL1V4' },
  reads: () => ['ballot'],
  isEmbedded: true,
  values: (page) => ({
    ballot: readBallot(page.record(vote, page.values)),
    picture: pictureContext(page),
  }),
  template({ speech, recordHref, citation }, { ballot, picture }) {
    const title = ballotTitle(ballot);
    const body = html`<div class="unseen" lang="fr"><h1>${title}</h1></div>
${new Html(ballotSvg(ballot, picture))}
<p><a href="${recordHref('ballot', ballotKey(ballot))}" target="_blank" rel="noopener">${speech.say`This vote at ${citation.name}`}</a></p>`;
    return { title, body };
  },
});

/** What another site asks to show a ballot by its address (https://oembed.com/). */
const answerForSites: AlternateForm = {
  mediaType: 'application/json; charset=utf-8',
  isAbsolute: true,
  make(page) {
    const { citation, origin, values } = page;
    const provider = { provider_name: citation.name, provider_url: `${origin}/` };
    // https://oembed.com/#section2.3: what consumers ask for by name, and a provider does not have.
    if (values.format !== 'json')
      throw new RefusedRequestError(501, say`oEmbed is answered as JSON here, and in no other format.`);
    // What of this server can be embedded, as lists of such servers state it.
    const endpoint = { schemes: [`${origin}/votes/*`], url: `${origin}/oembed.json`, discovery: true };
    const ballot = ballotAsked(page);
    if (ballot === null)
      return JSON.stringify({ ...provider, endpoints: [{ ...endpoint, formats: ['json'] }] });
    const picture = pictureContext(page);
    const size = frameSize(ballot, picture);
    return JSON.stringify({
      version: '1.0',
      type: 'rich',
      title: shorten(ballotTitle(ballot), 300),
      ...provider,
      html: embedLine(page, ballot, picture),
      width: Math.min(size.width, (values.maxwidth as number | undefined) ?? size.width),
      height: Math.min(size.height, (values.maxheight as number | undefined) ?? size.height),
    });
  },
};

/** The ballot whose address is stated, null if none is; throws a RefusedRequestError (404) for any other address. */
function ballotAsked(page: PageContext): Ballot | null {
  const { values, origin } = page;
  if (!values.url) return null;
  const { chamber, scrutinId } = ballotNamed(String(values.url), origin);
  return readBallot(page.record(vote, { chamber, scrutin_id: scrutinId }));
}

/** The ballot whose page is at that address; throws a RefusedRequestError (404) for any other address. */
function ballotNamed(address: string, origin: string): { chamber: Chamber; scrutinId: string } {
  const url = URL.canParse(address) ? new URL(address) : null;
  const whole = url === null ? '' : `${url.origin}${url.pathname}`;
  const [, chamber, scrutinId] =
    /^\/(?:embed\/)?votes\/([^/]+)\/([^/]+)$/.exec(
      whole.startsWith(origin) ? whole.slice(origin.length) : '',
    ) ?? [];
  const known = chambers.find((each) => each === chamber);
  if (known === undefined || scrutinId === undefined)
    throw new RefusedRequestError(404, 'That is not the address of a vote on this server.');
  return { chamber: known, scrutinId: decodeURIComponent(scrutinId) };
}

/** How to show a vote elsewhere; as JSON it is the oEmbed endpoint. */
export const embedding = plainView({
  name: 'embedding',
  path: '/oembed',
  section: 'votes',
  parameters: {
    url: { ...query('address of the page of a vote'), isRequired: false, fallback: '' },
    maxwidth: integer('the most that it may be wide', { minimum: 1 }),
    maxheight: integer('the most that it may be high', { minimum: 1 }),
    format: { ...words('format of the answer'), fallback: 'json' },
  },
  forms: { json: answerForSites },
  isAbsolute: true,
  values: (page) => ({ ballot: ballotAsked(page), picture: pictureContext(page) }),
  template(page, { ballot, picture }) {
    const { speech } = page;
    const title = speech.say`Show a vote on another site`;
    const lead = speech.say`The page of each vote has a line of HTML to paste. Here is the same by the address of its page.`;
    const fields = filterForm(page, [
      { name: 'url', label: speech.say`Address of the page of a vote`, type: 'text' },
    ]);
    const pasted = ballot && section(ballotTitle(ballot), embedField(page, ballot, picture));
    return { title, body: html`${heading(title, { lead })}${fields}${pasted}` };
  },
});
