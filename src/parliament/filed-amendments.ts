import { fold } from '../language/fold.ts';
import { once } from '../language/once.ts';

/** An amendment record; `until` is the last day of ballots on it, after which other texts reuse its number. */
export type FiledAmendment = { title: string; politician: string; day: string; until: string; file: string };

const recordNumberPattern = /^\s*amendement n° ?([^\s,]+)/iu;
/** Matches an amendment in a ballot's title with its number and its first author. */
const amendmentPattern = once(() => {
  // A capitalised word with the particles before it; any other word, or a comma, ends a name.
  const nameWord = String.raw`(?:(?:d[eu]s?|l[ae]|van|von|der|ben|el) |[dl]['’] ?)*\p{Lu}[\p{L}'’/-]*`;
  return new RegExp(
    String.raw`[Aa]mendement[^,]*? n° ?(?<number>\S+?),? (?:\([^()]*\) )?(?:de|présenté par) (?:M{1,2}\.|[Mm]mes?) (?<author>(?:\p{Ll}+-)?${nameWord}(?: ${nameWord})*)`,
    'u',
  );
});

/** First author of the amendment in a ballot's title; null if the title names no author. */
export const amendmentAuthor = (title: string): string | null => amendmentPattern().exec(title)?.groups?.author ?? null;

/** Number of the first article in a title, with `premier` as `1er`; undefined if it names none. */
const articleIn = (title: string) => /\barticle (\w+)/.exec(fold(title))?.[1]?.replace('premier', '1er');

/** Creates a lookup: title and day of a ballot → legislative file of its amendment; null if none or several fit. */
export function createAmendmentFileLookup(amendments: Iterable<FiledAmendment>) {
  const byNumber = Map.groupBy(amendments, ({ title }) => recordNumberPattern.exec(title)?.[1]?.toLowerCase());
  return (title: string, day: string): string | null => {
    const { number = '', author } = amendmentPattern().exec(title)?.groups ?? {};
    if (author === undefined) return null;
    // Titles give the last name only.
    const suffix = `-${fold(author).replaceAll(/[^a-z0-9]+/g, '-')}`;
    const matches = (byNumber.get(number.toLowerCase()) ?? [])
      .filter((each) => each.day <= day && day <= each.until && each.politician.replace(/-\d+$/, '').endsWith(suffix))
      .filter((each) => articleIn(each.title) === articleIn(title));
    const [file = null, ...otherFiles] = new Set(matches.map(({ file }) => file));
    return otherFiles.length === 0 ? file : null;
  };
}
