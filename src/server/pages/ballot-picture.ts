import { heightOfBallotSvg, type PictureContext } from '../../format/ballot-svg.ts';
import { sanitiseLine } from '../../format/sanitise.ts';
import { recordPath } from '../../model/addresses.ts';
import { attributionOf, attributionPhrase } from '../../model/attribution.ts';
import type { Ballot } from '../../model/ballot.ts';
import { allGroupFacts } from '../../store/records/parties.ts';
import { type Html, html } from './html.ts';
import type { PageContext, Rendering } from './page-context.ts';
import { shorten } from './parts.ts';

/** What pictures of ballots show beside the votes: colours and names of groups, and whom to cite. */
export function pictureContext({ once, citation, filledAt, reading, speech }: PageContext): PictureContext {
  const attribution = attributionOf(citation, { retrievedAt: filledAt, asOf: reading.asOf });
  return {
    facts: once('group facts', allGroupFacts),
    attribution: speech.tell(attributionPhrase(attribution)),
    speech,
  };
}

/** Key of the ballot's record. */
export const ballotKey = ({ chamber, scrutin_id }: Pick<Ballot, 'chamber' | 'scrutin_id'>) =>
  `${chamber}:${scrutin_id}`;

/** The title of a ballot in one line, or its key if it has none. */
export const ballotTitle = (ballot: Ballot) => sanitiseLine(ballot.title ?? ballotKey(ballot));

/** Size of a frame that shows the picture of a ballot and the line under it whole. */
export function frameSize(ballot: Ballot, picture: PictureContext): { width: number; height: number } {
  return { width: 800, height: heightOfBallotSvg(ballot, picture) + 60 };
}

/** The line of HTML that shows a ballot on another site. */
export function embedLine({ origin, href }: Rendering, ballot: Ballot, picture: PictureContext): string {
  const address = `${origin}${href(`/embed${recordPath('ballot', ballotKey(ballot))}`)}`;
  return html`<iframe src="${address}" title="${shorten(ballotTitle(ballot), 300)}" width="100%" height="${frameSize(ballot, picture).height}" loading="lazy" frameborder="0"></iframe>`
    .text;
}

/** The field with that line, to copy from. */
export function embedField(page: Rendering, ballot: Ballot, picture: PictureContext): Html {
  return html`<p><label for="embed">${page.speech.say`To show it on another site, paste this line:`}</label><textarea id="embed" class="paste" rows="4" readonly>${embedLine(page, ballot, picture)}</textarea></p>`;
}

/** What networks show of a link to it, and where its embedding is described (https://oembed.com/#section4). */
export function openGraph(
  { origin, path, citation, language, hrefWith, isStatic }: Rendering,
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
