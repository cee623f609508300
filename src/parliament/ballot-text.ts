import { type Document, textOf } from '../model/document.ts';

/** Matches the kind of a legislative text in a title, with its article; the group is the kind without it. */
const textKindPattern =
  /(?<=^|\s)(?:(?:de|à|sur) la |(?:du|au|le|la|sur|sur le) )?((?:projet|proposition)s? de (?:loi|résolution))/iu;

/** Matches parts between commas about the progress of a text, which are not part of its name. */
const progressPart =
  /^(?:adopté|modifié|rejeté|considéré|présenté|déposé|transmis|après|dans l|en (?:première|deuxième|nouvelle|dernière)|rapporteur|sur le rapport|au nom de)/iu;

/** Matches progress and authors of a text that no comma separates from its kind or its name. */
const progressAfterKind =
  /^(\S+ de (?:loi|résolution)(?: (?:organique|constitutionnelle|européenne))?),? (?:adopté|modifié|rejeté|transmis|présenté|déposé)e?s? .*?,? ?(?=(?:visant|tendant|relati(?:f|ve)s?|portant|modifiant|ratifiant|autorisant|instituant|instaurant|créant)\s)/iu;

/** Matches the number of a bill in brackets, after "texte", or directly after the kind of the text. */
const billNumber =
  /\s*\((?:n°s?|nos|textes?(?: de la commission)? n°) ?(\d{1,4})(?![\d-])[^()]*\)|,? texte (?:de la commission )?n° ?(\d{1,4})(?![\d-])|(?<=^\S+ de (?:loi|résolution)(?: organique| constitutionnelle| européenne)?),? n° ?(\d{1,4})(?![\d-])/iu;

/** Remarks in brackets at the end of a title, such as the reading. */
const remarks = /(?:\s*\((?:[^()]|\([^()]*\))*\)|[\s.])+$/u;

/** Name of the legislative text of a ballot: its legislative file, else the name in its title; null if neither. */
export const legislativeTextName = (ballot: Document): string | null =>
  textOf(ballot, 'dossier')?.trim() ?? textNameInTitle(ballot);

/** Name of the text in a title, without its number, readings, authors and progress; null if the title names none. */
export function textNameInTitle(ballot: Document): string | null {
  const text = titleFromText(ballot);
  if (text === null) return null;
  const parts = text.replace(billNumber, '').replace(remarks, '').replace(progressAfterKind, '$1 ').split(/,\s*/);
  return parts
    .filter((part) => !progressPart.test(part))
    .join(', ')
    .replace(/^(\S+ de (?:loi|résolution)), /iu, '$1 ')
    .replace(/,? dans la rédaction du texte.*$/iu, '')
    .replace(/ de (?:M\.|Mme) l[ea] premi(?:er|ère) ministre$/iu, '')
    .replace(remarks, '');
}

/** The end of a title, from the kind of the text; `subjectOf` returns what precedes it. Null if it names no text. */
function titleFromText(ballot: Document): string | null {
  const title = textOf(ballot, 'title', 'titre', 'objet') ?? '';
  const match = textKindPattern.exec(title);
  return match && title.slice(match.index + match[0].length - match[1]!.length);
}

/** Bill number in a title, with chamber and legislature or session (`AN:17:1364`, `Senat:2024-2025:324`); or null. */
export function billKeyInTitle(ballot: Document): string | null {
  const text = titleFromText(ballot) ?? '';
  const number = billNumber.exec(text)?.slice(1).find(Boolean);
  const session = /\b\d{4}-\d{4}\b/.exec(text)?.[0] ?? textOf(ballot, 'session');
  const series = ballot.chamber === 'Senat' ? session : textOf(ballot, 'legislature');
  return number === undefined || series === null ? null : `${ballot.chamber}:${series}:${Number(number)}`;
}

/** The part of a text that was voted on (`l'article 2 (première lecture)`); the title itself for the whole text. */
export function subjectOf(title: string): string {
  const { index = 0 } = textKindPattern.exec(title) ?? {};
  const partOfText = title.slice(0, index).replace(/[\s,]+$/u, '');
  const remark = (remarks.exec(title)?.[0] ?? '').replace(/[\s.]+$/u, '');
  return partOfText === '' ? title : `${partOfText}${remark}`;
}
