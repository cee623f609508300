import { type Document, textOf } from './document.ts';

/** Facts that decide the nature of a ballot: its type and title, both normalised, and its chamber; empty if missing. */
export type Heading = { type: string; title: string; chamber: string };

export function headingOf(ballot: Document): Heading {
  return {
    type: normalise(textOf(ballot, 'type')),
    title: normalise(textOf(ballot, 'title', 'titre', 'objet')).replace(/^sur /u, ''),
    chamber: textOf(ballot, 'chamber') ?? '',
  };
}

/** Lower case, NFC, plain apostrophes and single spaces; empty for null. */
const normalise = (text: string | null): string =>
  (text ?? '')
    .normalize('NFC')
    .replaceAll(/[’ʼ`]/g, "'")
    .replaceAll(/[\s\u200b\u2060\ufeff]+/gu, ' ')
    .trim()
    .toLowerCase();

/** Matches a normalised title by which the Government stakes its survival, on policy (article 49.1) or text (49.3). */
export const commitmentPattern = /^engagement de la responsabilité du gouvernement/u;
/** Matches a normalised title about the Government's general policy or programme. */
export const policyPattern = /politique générale|programme du gouvernement/u;

/** True for a motion of censure (also on a text): it needs a majority of all seats; only votes for it are counted. */
export function isMotionOfCensure(ballot: Document): boolean {
  const { type, title } = headingOf(ballot);
  return (
    /^motions? de censure/u.test(type) ||
    /^(?:la |une |les )?motions? de censure/u.test(title) ||
    (commitmentPattern.test(title) && !policyPattern.test(title))
  );
}
