import { ballotSvg, heightOfBallotSvg, type PictureContext } from '../../format/ballot-svg.ts';
import { addressOf, recordPath } from '../../model/addresses.ts';
import { attributionOf, attributionPhrase } from '../../model/attribution.ts';
import type { Ballot } from '../../model/ballot.ts';
import { allGroupFacts } from '../../store/records/parties.ts';
import { keptParameters } from './addresses.ts';
import { type Html, html } from './html.ts';
import type { Making } from './making.ts';

/** A page asks for it where it draws, where it lists the groups, and where it is embedded. */
const contexts = new WeakMap<Ballot, PictureContext>();

/** What a picture of a ballot shows beside it. */
export function pictureContext(making: Making, ballot: Ballot): PictureContext {
  const known = contexts.get(ballot);
  if (known !== undefined) return known;
  const { once, citation, filledAt, reading, speech } = making;
  const attribution = attributionOf(citation, { retrievedAt: filledAt, asOf: reading.asOf });
  const context = {
    facts: once('group facts', allGroupFacts),
    attribution: speech.tell(attributionPhrase(attribution)),
    speech,
  };
  contexts.set(ballot, context);
  return context;
}

/** A ballot as a picture to publish, with whom to cite inside. */
export function pictureOf(making: Making, ballot: Ballot): string {
  return ballotSvg(ballot, pictureContext(making, ballot));
}

/** How wide and high a frame shows the picture of a ballot and the line under it whole. */
export function frameSize(making: Making, ballot: Ballot): { width: number; height: number } {
  return { width: 800, height: heightOfBallotSvg(ballot, pictureContext(making, ballot)) + 60 };
}

/** The line of HTML that shows a ballot on another site. */
export function embedLine(making: Making, ballot: Ballot, title: string): string {
  const { height } = frameSize(making, ballot);
  const kept = Object.fromEntries(keptParameters.map((name) => [name, making.given[name]]));
  const path = `/embed${recordPath('ballot', `${ballot.chamber}:${ballot.scrutin_id}`)}`;
  return html`<iframe src="${making.origin}${addressOf(path, kept)}" title="${title}" width="100%" height="${height}" loading="lazy" frameborder="0"></iframe>`
    .text;
}

/** What networks show of a link to it, and where its embedding is described (https://oembed.com/#section4). */
export function openGraph(
  { origin, path, citation, language, hrefWith, isStatic }: Making,
  { title, description }: { title: string; description: string },
): Html | null {
  if (origin === '') return null;
  const address = `${origin}${hrefWith({})}`;
  const endpoint = `${origin}/oembed.json?${new URLSearchParams({ url: address })}`;
  const tags: [string, string][] = [
    ['og:type', 'article'],
    ['og:site_name', citation.name],
    ['og:title', title],
    ['og:description', description],
    ['og:url', address],
    ['og:locale', language === 'fr' ? 'fr_FR' : 'en_GB'],
    ['og:image', `${origin}${path}.svg`],
    ['og:image:type', 'image/svg+xml'],
  ];
  return html`${tags.map(([property, content]) => html`<meta property="${property}" content="${content}">\n`)}<meta name="twitter:card" content="summary">
${
  isStatic
    ? null
    : html`<link rel="alternate" type="application/json+oembed" href="${endpoint}" title="${title}">
`
}`;
}
