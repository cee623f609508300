import { escapeXml } from '../../../format/html.ts';
import { addressOf, type KindName, kinds, recordPath } from '../../../model/kinds.ts';
import { integerParameter, singleChoice } from '../../../questions/parameter-kinds.ts';
import { kindNames } from '../../../questions/record.ts';
import { recordOrdinals } from '../../../store/record.ts';
import { countRows } from '../../../store/rows.ts';
import { capitalise, say } from '../../../words/speech.ts';
import type { AlternateForm } from '../alternate-forms.ts';
import { section } from '../elements.ts';
import { menuEntries } from '../frame.ts';
import { html } from '../html.ts';
import type { PageContext } from '../page-context.ts';
import { createPageView } from '../view.ts';

const maxAddresses = 50_000; // Limit of one file: https://www.sitemaps.org/protocol.html.

const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** Returns a sitemap (XML) of addresses for search engines. */
export function sitemapText(addresses: readonly string[]): string {
  const urls = addresses.map((address) => `<url><loc>${escapeXml(address)}</loc></url>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${namespace}>\n${urls.join('')}</urlset>\n`;
}

const sitemapForm: AlternateForm = {
  mediaType: 'application/xml; charset=utf-8',
  hasAbsoluteAddresses: true,
  make(page) {
    const { values, mirror, origin } = page;
    const { kind, part } = values as { kind?: KindName; part?: number };
    if (kind === undefined) return sitemapIndex(page);
    const firstIndex = ((part ?? 1) - 1) * maxAddresses;
    const storedKeys = recordOrdinals(mirror, kind).slice(firstIndex, firstIndex + maxAddresses);
    return sitemapText(storedKeys.map(({ key }) => `${origin}${recordPath(kind, key)}`));
  },
};

function sitemapIndex({ mirror, origin, filledAt }: PageContext): string {
  const lastModified = filledAt === null ? '' : `<lastmod>${filledAt}</lastmod>`;
  const sitemapElements = kinds.flatMap((kind) => {
    return Array.from({ length: Math.ceil(countRows(mirror, kind) / maxAddresses) }, (_, index) => {
      const address = addressOf('/sitemap.xml', { kind: kind.name, part: String(index + 1) });
      return `<sitemap><loc>${escapeXml(`${origin}${address}`)}</loc>${lastModified}</sitemap>\n`;
    });
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex ${namespace}>\n${sitemapElements.join('')}</sitemapindex>\n`;
}

/** Page `/sitemap`: links to all pages; as XML, an index of sitemaps or, with `kind`, the addresses of records. */
export const sitemapPage = createPageView(null, {
  path: '/sitemap',
  siteExtensions: null,
  title: say`Plan of the site`,
  parameters: {
    kind: singleChoice(kindNames, 'addresses of this kind'),
    part: integerParameter('part of them', { minimum: 1 }),
  },
  forms: { xml: sitemapForm },
  isLong: true,
  template({ speech, href }) {
    const links = (list: readonly (readonly [path: string, text: string])[]) =>
      html`<ul class="plain">${list.map(([path, text]) => html`<li><a href="${path}">${text}</a></li>`)}</ul>`;
    const menuLinks = menuEntries.map(({ path, text }) => [href(path), speech.render(text)] as const);
    const furtherLinks = [
      ['/subjects', speech.say`Subjects, with their votes and texts`],
      ['/departments', speech.say`Who was elected where`],
      ['/affiliations', speech.say`Who joined or left`],
      ['/cohesion', speech.say`How united groups voted`],
      ['/check', speech.say`Check a quotation`],
      ['/ask', speech.say`Saved questions`],
      ['/contradictions', speech.say`Contradictions in the data`],
      ['/audit', speech.say`Moderation log`],
      ['/accessibility', speech.say`Accessibility`],
      ['/guide', speech.say`Guide`],
      ['/docs', speech.say`The interface`],
    ].map(([path, text]) => [href(path!), text!] as const);
    const records = kinds.map(
      ({ list: { path, query }, plural }) => [href(path, query), capitalise(speech.word(plural))] as const,
    );
    return { body: html`${links([...menuLinks, ...furtherLinks])}${section(speech.say`Records`, links(records))}` };
  },
});
