import { instant, type Phrase, say, saying } from '../words/speech.ts';

/** How to cite the service, and who publishes this copy, with an address for objections. */
export type Citation = {
  name: string;
  siteUrl: string | null;
  publisher?: string | null;
  contact?: string | null;
  /** Address of the pages of this copy. */
  publicUrl?: string | null;
  /** When the service last answered, ISO 8601, if it is discontinued: the stored data is its last known state. */
  goneSince?: string | null;
};

/** The configured parts of a citation; null if not configured. */
export type DeclaredCitation = Omit<Citation, 'name'> & { name: string | null };

/** Default name of the service: the title of its own document. */
export const defaultServiceName = 'Public Political Information Service';

/** Note shown once if the attribution has no link. */
export const unlinkedText = say`no address of the service is known, so the attribution has no link: hemicycle config set site-url URL`;

/** A web address, percent-encoded once; null if the text is no web address. */
export function webAddress(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.password) return null;
  return url.href === `${url.origin}/` && !text.endsWith('/') ? url.origin : url.href;
}

/** A web address as people type it, also without a scheme (`www.example.org`); null if the text is no web address. */
export function parseAddress(text: string): string | null {
  return webAddress(text) ?? (/^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(text) ? webAddress(`https://${text}`) : null);
}

export type Licence = { id: string; url: string };

/** Attribution that every reuse must include; `licence` is null if only "free for non-commercial use" applies. */
export type Attribution = {
  text: string;
  name: string;
  url: string | null;
  licence: Licence | null;
  retrieved_at: string | null;
  /** The past moment of the data, ISO 8601. */
  as_of?: string;
  /** When the service last answered, ISO 8601, if it is discontinued. */
  gone_since?: string;
};

type SourceFacts = Pick<Attribution, 'name' | 'url' | 'retrieved_at' | 'as_of' | 'gone_since'>;

/** Licence of whole-dataset exports. */
export const odbl: Licence = { id: 'ODbL-1.0', url: 'https://opendatacommons.org/licenses/odbl/1-0/' };

type AttributionOptions = { licence?: Licence | null; retrievedAt?: string | null; asOf?: string | null };

/** The attribution of data retrieved at `retrievedAt` in its state of `asOf`; null is the present. */
export function attributionOf(citation: Citation, options: AttributionOptions = {}): Attribution {
  const { licence = null, retrievedAt: retrieved_at = null, asOf = null } = options;
  const { name, siteUrl: url, goneSince } = citation;
  const asOfField = asOf ? { as_of: asOf } : {};
  const goneField = goneSince ? { gone_since: goneSince } : {};
  const facts = { name, url, licence, retrieved_at, ...asOfField, ...goneField };
  return { text: `${attributionPhrase(facts)}`, ...facts };
}

/** The text of an attribution, with its licence terms. */
export function attributionPhrase(attribution: Omit<Attribution, 'text'>): Phrase {
  const { licence } = attribution;
  const source = sourcePhrase(attribution);
  return licence
    ? say`${source}; Open Database License (ODbL) 1.0, ${licence.url}`
    : say`${source}; free for non-commercial use`;
}

/** The attribution without licence terms, for data under several licences. */
export const sourceText = (attribution: SourceFacts): string => `${sourcePhrase(attribution)}`;

export const lastStatePhrase = (goneSince: string): Phrase =>
  say`last known state: the service has not responded since ${instant(goneSince.slice(0, 10))}`;

function sourcePhrase({ name, url, retrieved_at: at, as_of: asOf, gone_since: goneSince }: SourceFacts): Phrase {
  const pastText = asOf ? say`, a past state as of ${instant(asOf)}` : '';
  const retrievedText = at ? say`, retrieved ${instant(at.slice(0, 10))}` : '';
  const lastState = goneSince ? saying(({ render }) => `, ${render(lastStatePhrase(goneSince))}`) : '';
  return say`Source: ${name}${url ? ` (${url})` : ''}${pastText}${retrievedText}${lastState}`;
}
