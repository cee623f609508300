import { nameWords, particles } from '../language/name.ts';
import { type Document, textOf } from '../model/document.ts';
import { dayMs, parseDayRange } from '../model/moment.ts';
import { nearness } from './nearness.ts';

/** True if at least two of name, `id` and day of birth differ; false if the days of birth are equal. */
export function areDifferentPersons(one: Document, other: Document): boolean {
  const day = birthDay(one);
  if (day !== null && day === birthDay(other)) return false;
  const [id, otherId] = [textOf(one, 'id'), textOf(other, 'id')];
  // A service may give its records ids of another style.
  const haveDifferentIds = id !== null && otherId !== null && id !== otherId && idFormat(id) === idFormat(otherId);
  const differences = [haveDifferentNames(one, other), haveDifferentDays(day, birthDay(other)), haveDifferentIds];
  return differences.filter(Boolean).length >= 2;
}

/** Text by which documents of one person are recognised: the day of birth, or else the sorted words of the name. */
export const personIdentity = (document: Document): string => birthDay(document) ?? wordsOf(document).sort().join(' ');

const wordsOf = (document: Document) => nameWords(textOf(document, 'full_name', 'name') ?? '');

/** The exact day of birth in any spelling, `YYYY-MM-DD`, or null. */
function birthDay(document: Document): string | null {
  const text = textOf(document, 'birth_date', 'birthDate', 'date_of_birth') ?? '';
  const range = parseDayRange(text.replace(/[T ]\d\d:\d\d.*$/, ''), 0);
  return range !== null && range[0] === range[1] ? range[0] : null;
}

/** True if neither name is similar to the other, even without particles; false if either is missing. */
function haveDifferentNames(one: Document, other: Document): boolean {
  const words = wordsOf(one);
  const otherWords = wordsOf(other);
  const forms = [words, words.filter((word) => !particles.has(word))];
  const areUnlike = forms.every((form) => nearness(form, otherWords) === null && nearness(otherWords, form) === null);
  return words.length > 0 && otherWords.length > 0 && areUnlike;
}

/** True if two days are not equal, in sequence, or a misprint: one part differs, or day and month are swapped. */
function haveDifferentDays(one: string | null, other: string | null): boolean {
  // Midnight in France is the previous day in UTC.
  if (one === null || other === null || Math.abs(Date.parse(one) - Date.parse(other)) <= dayMs) return false;
  const parts = one.split('-');
  const [year, month, day] = other.split('-');
  // The first of January often stands for an unknown day: compare only the years.
  if (one.endsWith('-01-01') || other.endsWith('-01-01')) return parts[0] !== year;
  if (one === `${year}-${day}-${month}`) return false;
  return [year, month, day].filter((part, at) => part !== parts[at]).length > 1;
}

/** Format of an id: the length of a long one, such as a hash; a short one with each number as 0. */
const idFormat = (id: string): string => (id.length > 16 ? `${id.length}` : id.replace(/\d+/g, '0'));
