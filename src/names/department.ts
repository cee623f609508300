import { nameWords } from '../language/name.ts';
import codes from './departments.json' with { type: 'json' };
import electionCodes from './election-codes.json' with { type: 'json' };

/** Names of the departments by official code. */
export const departments: Readonly<Record<string, string>> = codes;

/** Adds the codes in which the Ministry of the Interior publishes elections overseas and abroad. */
const namesByCode: Readonly<Record<string, string>> = { ...electionCodes, ...codes };

/** A department's name (or that of a code) in plain words without its article: sources spell it in several ways. */
export function placeName(text: string): string {
  const code = text.trim().toUpperCase().replace(/^\d$/, '0$&');
  const shortCode = code.replace(/^0(?=\d[\dAB]$)/, '');
  return nameWords(namesByCode[shortCode] ?? text)
    .join(' ')
    .replace(/^(la|le|les|iles) /, '');
}

/** The code with which most postcodes of a department begin, for such a postcode; null for other texts. */
export const postcodeDepartment = (text: string): string | null => /^(?=\d{5}$)(9[78]\d|\d\d)/.exec(text)?.[0] ?? null;
