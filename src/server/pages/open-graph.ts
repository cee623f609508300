import { ballotCard, shareSvg } from '../../format/share-svg.ts';
import { addressOf } from '../../model/addresses.ts';
import { html } from './html.ts';
import { attributionOn, type PageContext } from './page-context.ts';
import type { PageContent } from './view.ts';

/** The form of a page that is a picture beside links to it, at its address with a further part. */
export const shareForm = 'share.png';

/** The address of that picture: it says when the data was retrieved, so that no cache keeps what was corrected. */
const shareAddress = ({ path, given, language, filledAt }: PageContext) =>
  addressOf(`${path === '/' ? '' : path}/${shareForm}`, {
    ...given,
    lang: language,
    v: filledAt?.replace(/\D/g, '').slice(0, 14) ?? null,
  });

/** Open Graph (https://ogp.me/) and canonical address; null without an origin. */
export function openGraph(page: PageContext, { title, description }: PageContent & { title: string }) {
  const { origin, citation, language, path, given, isStatic, hrefWith } = page;
  if (origin === '') return null;
  const tags = {
    'og:type': path === '/' ? 'website' : 'article',
    'og:site_name': citation.name,
    'og:title': title,
    'og:description': description,
    'og:url': `${origin}${hrefWith({})}`,
    'og:locale': language === 'fr' ? 'fr_FR' : 'en_GB',
    // A folder of files has no pictures of its pages.
    ...(!isStatic && {
      'og:image': `${origin}${shareAddress(page)}`,
      'og:image:type': 'image/png',
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:alt': title,
    }),
  };
  const stated = Object.entries(tags).filter(([, content]) => content !== undefined);
  return html`${stated.map(([property, content]) => html`<meta property="${property}" content="${content}">\n`)}<meta name="twitter:card" content="${isStatic ? 'summary' : 'summary_large_image'}">
<link rel="canonical" href="${origin}${addressOf(path, { ...given, lang: null, cursor: null })}">
`;
}

/** The picture beside links to a page, as SVG. */
export function sharePicture(page: PageContext, { title = page.title, description, share }: PageContent) {
  const { speech, citation } = page;
  const context = { facts: new Map(), ...share?.context, attribution: attributionOn(page), speech };
  if (share?.ballot) return shareSvg(ballotCard(share.ballot, { context, service: citation.name }));
  const lines = share?.lines ?? (description ? [description] : []);
  return shareSvg({ kicker: citation.name, title, lines, context });
}
