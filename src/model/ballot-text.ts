import { type Document, textOf } from './document.ts';

/** The text that a ballot is on: its name, and the field of the ballot that states it. */
export type BallotText = { name: string; from: 'dossier' | 'title' };

const kindOfText =
  /(?<=^|\s)(?:(?:de|à|sur) la |(?:du|au|le|la|sur|sur le) )?((?:projet|proposition)s? de (?:loi|résolution))/iu;

/** What stands between commas about the course of a text is no part of its name. */
const course =
  /^(?:adopté|modifié|rejeté|considéré|présenté|déposé|transmis|après|dans l|en (?:première|deuxième|nouvelle|dernière))/iu;

/** Remarks in brackets at the end of a title, such as the reading. */
const remarks = /(?:\s*\([^()]*\)|[\s.])+$/u;

/** The text that a ballot is on: its legislative file where stated, else the text that its title names; null for none. */
export function textOfBallot(ballot: Document): BallotText | null {
  const dossier = textOf(ballot, 'dossier');
  if (dossier !== null) return { name: dossier.trim(), from: 'dossier' };
  const title = textOf(ballot, 'title', 'titre', 'objet') ?? '';
  const match = kindOfText.exec(title);
  if (match === null) return null;
  const parts = title.slice(match.index + match[0].length - match[1]!.length).split(/,\s*/);
  const name = parts
    .filter((part) => !course.test(part))
    .join(', ')
    .replace(/^(\S+ de (?:loi|résolution)), /iu, '$1 ')
    .replace(/,? dans la rédaction du texte.*$/iu, '')
    .replace(remarks, '');
  return { name, from: 'title' };
}

/** What of a text a ballot is on, as its title says it: `l'article 2 (première lecture)`; the whole title if it is all. */
export function subjectOf(title: string): string {
  const { index = 0 } = kindOfText.exec(title) ?? {};
  const about = title.slice(0, index).replace(/[\s,]+$/u, '');
  return about === '' ? title : `${about}${(remarks.exec(title)?.[0] ?? '').replace(/[\s.]+$/u, '')}`;
}
