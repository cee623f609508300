import { nameWords } from '../language/name.ts';
import codes from './departments.json' with { type: 'json' };
import electionCodes from './election-codes.json' with { type: 'json' };

/** Names of the departments by official code. */
export const departments: Readonly<Record<string, string>> = codes;

/** Names by official code, and by the Ministry of the Interior's election codes for overseas and abroad. */
export const namesByCode: Readonly<Record<string, string>> = { ...electionCodes, ...codes };

/** The folded name, without its article, of a department given as a name or code; other texts are folded likewise. */
export function placeName(text: string): string {
  const code = text.trim().toUpperCase().replace(/^\d$/, '0$&');
  const shortCode = code.replace(/^0(?=\d[\dAB]$)/, ''); // 075: 75, 02A: 2A
  return nameWords(namesByCode[shortCode] ?? text)
    .join(' ')
    .replace(/^(la|le|les|iles) /, '');
}

/** The code of the department to which a postcode usually belongs; null for other texts. */
export function postcodeDepartment(text: string): string | null {
  if (/^(97133|97150)$/.test(text)) return 'ZX'; // Saint-Barthélemy, Saint-Martin
  const prefix = /^(?=\d{5}$)(9[78]\d|\d\d)/.exec(text)?.[0] ?? null;
  return prefix === '20' ? (text < '20200' ? '2A' : '2B') : prefix; // Corsica has postcodes 20…
}
