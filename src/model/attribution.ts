/** The service as it must be cited: its name and public address (null where none is set). */
export type Citation = { name: string; siteUrl: string | null };

export type Licence = { id: string; url: string };

/** What every reuse must carry; `licence` is null where only "free for non-commercial use" applies. */
export type Attribution = {
  text: string;
  name: string;
  url: string | null;
  licence: Licence | null;
  retrieved_at: string | null;
};

/** Licence of whole-dataset exports. */
export const odbl: Licence = { id: 'ODbL-1.0', url: 'https://opendatacommons.org/licenses/odbl/1-0/' };

/** The attribution of an answer; `retrievedAt` is when the data left the service, ISO 8601. */
export function attributionOf(
  citation: Citation,
  { licence = null, retrievedAt = null }: { licence?: Licence | null; retrievedAt?: string | null } = {},
): Attribution {
  const address = citation.siteUrl ?? 'address not set: hemicycle config set site-url URL';
  const terms = licence ? `Open Database License (ODbL) 1.0, ${licence.url}` : 'free for non-commercial use';
  const seen = retrievedAt ? `, retrieved ${retrievedAt.slice(0, 10)}` : '';
  return {
    text: `Source: ${citation.name} (${address})${seen}; ${terms}`,
    name: citation.name,
    url: citation.siteUrl,
    licence,
    retrieved_at: retrievedAt,
  };
}
