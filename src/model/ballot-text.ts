import { type Document, textOf } from './document.ts';

/** The text that a ballot is about: its name, and the field of the ballot that contains it. */
export type BallotText = { name: string; from: 'dossier' | 'title' };

const kindOfText =
  /(?<=^|\s)(?:(?:de|à|sur) la |(?:du|au|le|la|sur|sur le) )?((?:projet|proposition)s? de (?:loi|résolution))/iu;

/** Matches parts between commas about the progress of a text, which are not part of its name. */
const course =
  /^(?:adopté|modifié|rejeté|considéré|présenté|déposé|transmis|après|dans l|en (?:première|deuxième|nouvelle|dernière))/iu;

/** Remarks in brackets at the end of a title, such as the reading. */
const remarks = /(?:\s*\([^()]*\)|[\s.])+$/u;

/** The text that a ballot is about: its legislative file, else the text named in its title; null if there is none. */
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

/** The part of a text that a ballot is about (`l'article 2 (première lecture)`); the whole title for the whole text. */
export function subjectOf(title: string): string {
  const { index = 0 } = kindOfText.exec(title) ?? {};
  const about = title.slice(0, index).replace(/[\s,]+$/u, '');
  return about === '' ? title : `${about}${(remarks.exec(title)?.[0] ?? '').replace(/[\s.]+$/u, '')}`;
}
