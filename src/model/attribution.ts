import { instant, type Phrase, say, saying } from '../words/speech.ts';
/** How the service is cited: its name and public URL, if known; and who publishes this copy, with an address for objections. */
export type Citation = {
  name: string;
  siteUrl: string | null;
  publisher?: string | null;
  contact?: string | null;
  /** The address at which the pages of this copy stand. */
  publicUrl?: string | null;
  /** When the service last answered, ISO 8601, if it is gone: what is held is the last state known. */
  goneSince?: string | null;
};

/** The stated parts of a citation; null if not stated. */
export type DeclaredCitation = Omit<Citation, 'name'> & { name: string | null };

/** Default name of the service: the title of its own document. */
export const defaultServiceName = 'Public Political Information Service';

/** Note shown once if attribution has no link. */
export const unlinkedText = say`no address of the service is known, so attribution links none: hemicycle config set site-url URL`;

/** A web address, percent-encoded once; null if the text is none. */
export function webAddress(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.password) return null;
  return url.href === `${url.origin}/` && !text.endsWith('/') ? url.origin : url.href;
}

/** The web address that a text names as people write it, without a scheme too (`www.example.org`); null for none. */
export function writtenAddress(text: string): string | null {
  return webAddress(text) ?? (/^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(text) ? webAddress(`https://${text}`) : null);
}

export type Licence = { id: string; url: string };

/** Attribution that every reuse must carry; `licence` is null if only "free for non-commercial use" applies. */
export type Attribution = {
  text: string;
  name: string;
  url: string | null;
  licence: Licence | null;
  retrieved_at: string | null;
  /** The past moment whose data is shown, ISO 8601. */
  as_of?: string;
  /** When the service last answered, ISO 8601, if it is gone. */
  gone_since?: string;
};

type SourceFacts = Pick<Attribution, 'name' | 'url' | 'retrieved_at' | 'as_of' | 'gone_since'>;

/** Licence of whole-dataset exports. */
export const odbl: Licence = { id: 'ODbL-1.0', url: 'https://opendatacommons.org/licenses/odbl/1-0/' };

/** The attribution of an answer that left the service at `retrievedAt` and shows the data of `asOf`; null is now. */
export function attributionOf(
  citation: Citation,
  {
    licence = null,
    retrievedAt = null,
    asOf = null,
  }: { licence?: Licence | null; retrievedAt?: string | null; asOf?: string | null } = {},
): Attribution {
  const [name, url, retrieved_at] = [citation.name, citation.siteUrl, retrievedAt];
  const past = asOf ? { as_of: asOf } : {};
  const discontinued = citation.goneSince ? { gone_since: citation.goneSince } : {};
  const facts = { name, url, licence, retrieved_at, ...past, ...discontinued };
  return { text: `${attributionPhrase(facts)}`, ...facts };
}

/** The attribution as a localised phrase. */
export function attributionPhrase(attribution: Omit<Attribution, 'text'>): Phrase {
  const { licence } = attribution;
  const source = sourcePhrase(attribution);
  return licence
    ? say`${source}; Open Database License (ODbL) 1.0, ${licence.url}`
    : say`${source}; free for non-commercial use`;
}

/** The attribution without licence terms, for data under several licences. */
export const sourceText = (attribution: SourceFacts): string => `${sourcePhrase(attribution)}`;

/** Says that what is held is the last state known, and since when the service is gone. */
export const lastStatePhrase = (goneSince: string): Phrase =>
  say`the last state known: the service has not answered since ${instant(goneSince.slice(0, 10))}`;

function sourcePhrase({ name, url, retrieved_at: at, as_of: asOf, gone_since: goneSince }: SourceFacts): Phrase {
  const past = asOf ? say`, a past state as of ${instant(asOf)}` : '';
  const retrieved = at ? say`, retrieved ${instant(at.slice(0, 10))}` : '';
  const last = goneSince ? saying(({ render }) => `, ${render(lastStatePhrase(goneSince))}`) : '';
  return say`Source: ${name}${url ? ` (${url})` : ''}${past}${retrieved}${last}`;
}
