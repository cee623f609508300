import { sanitiseLine } from '../../../format/sanitise.ts';
import { type Chamber, chambers, readBallot } from '../../../model/ballot.ts';
import { integer, query, words } from '../../../questions/parameter-kinds.ts';
import { vote } from '../../../questions/vote.ts';
import { say } from '../../../words/speech.ts';
import { RefusedRequestError } from '../../problem.ts';
import { embedLine, frameSize, pictureOf } from '../ballot-picture.ts';
import { form } from '../form.ts';
import { Html, html } from '../html.ts';
import type { Making } from '../making.ts';
import { heading, section, shorten } from '../parts.ts';
import { type Form, plainView } from '../view.ts';
import { ballotParameters } from './ballot.ts';

/** A ballot to stand in the page of somebody else: the picture, and the way to its own page. */
export const embeddedBallot = plainView({
  name: 'embedded-ballot',
  path: '/embed/votes/{chamber}/{scrutin_id}',
  parameters: ballotParameters,
  example: { chamber: 'AN', scrutin_id: 'VAL1V4' },
  reads: () => ['ballot'],
  isEmbedded: true,
  render(making) {
    const { speech, recordHref, citation } = making;
    const ballot = readBallot(making.record(vote, making.values));
    const key = `${ballot.chamber}:${ballot.scrutin_id}`;
    const title = sanitiseLine(ballot.title ?? key);
    const body = html`<div class="unseen" lang="fr"><h1>${title}</h1></div>
${new Html(pictureOf(making, ballot))}
<p><a href="${recordHref('ballot', key)}" target="_blank" rel="noopener">${speech.say`This vote at ${citation.name}`}</a></p>`;
    return { title, body };
  },
});

/** What another site asks to show a ballot by its address (https://oembed.com/). */
const answerForSites: Form = {
  mediaType: 'application/json; charset=utf-8',
  isAbsolute: true,
  make(making) {
    const { citation, origin, values } = making;
    const provider = { provider_name: citation.name, provider_url: `${origin}/` };
    // https://oembed.com/#section2.3: what consumers ask for by name, and a provider does not have.
    if (values.format !== 'json')
      throw new RefusedRequestError(501, say`oEmbed is answered as JSON here, and in no other format.`);
    if (!values.url) return JSON.stringify({ ...provider, endpoints: [endpointOf(origin)] });
    const { chamber, scrutinId } = ballotNamed(String(values.url ?? ''), origin);
    const ballot = readBallot(making.record(vote, { chamber, scrutin_id: scrutinId }));
    const title = sanitiseLine(ballot.title ?? scrutinId);
    const size = frameSize(making, ballot);
    return JSON.stringify({
      version: '1.0',
      type: 'rich',
      title: shorten(title, 300),
      ...provider,
      html: embedLine(making, ballot, title),
      width: Math.min(size.width, (values.maxwidth as number | undefined) ?? size.width),
      height: Math.min(size.height, (values.maxheight as number | undefined) ?? size.height),
    });
  },
};

/** What of this server can be embedded, as lists of such servers state it. */
function endpointOf(origin: string): object {
  const schemes = [`${origin}/votes/*`];
  return { schemes, url: `${origin}/oembed.json`, discovery: true, formats: ['json'] };
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
  render(making) {
    const { speech } = making;
    const title = speech.say`Show a vote on another site`;
    const lead = speech.say`The page of each vote has a line of HTML to paste. Here is the same by the address of its page.`;
    const fields = form(making, [
      { name: 'url', label: speech.say`Address of the page of a vote`, type: 'text' },
    ]);
    return { title, body: html`${heading(title, { lead })}${fields}${pasted(making)}` };
  },
});

function pasted(making: Making): Html | null {
  const { speech, values, origin } = making;
  if (!values.url) return null;
  const { chamber, scrutinId } = ballotNamed(String(values.url), origin);
  const ballot = readBallot(making.record(vote, { chamber, scrutin_id: scrutinId }));
  const title = sanitiseLine(ballot.title ?? scrutinId);
  return section(
    title,
    html`<p><label for="embed">${speech.say`To show it on another site, paste this line:`}</label><textarea id="embed" class="paste" rows="4" readonly>${embedLine(making, ballot, title)}</textarea></p>`,
  );
}
