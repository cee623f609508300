import type { Language } from './language.ts';

const narrowSpace = '\u202f';
const noBreakSpace = '\u00a0';

/** Formats a number: `1,234.5`, `1 234,5`; rounds to `decimals` if given. */
export function numberText(value: number, language: Language, decimals?: number): string {
  const text = decimals === undefined ? String(value) : value.toFixed(decimals);
  const { sign, integer, fraction } = /^(?<sign>-?)(?<integer>\d+)(?:\.(?<fraction>\d+))?$/.exec(text)?.groups ?? {};
  // NaN, infinity or exponent notation.
  if (integer === undefined) return text;
  const [group, decimalMark] = language === 'fr' ? [narrowSpace, ','] : [',', '.'];
  const digits = integer.replace(/(?<=\d)(?=(?:\d{3})+$)/g, group);
  return `${sign}${digits}${fraction === undefined ? '' : `${decimalMark}${fraction}`}`;
}

/** Formats a fraction as a percentage: `83%`, `83 %`. */
export function shareText(value: number, language: Language, decimals = 0): string {
  const text = numberText(value * 100, language, decimals);
  return language === 'fr' ? `${text}${narrowSpace}%` : `${text}%`;
}

const byteUnits = { en: ['bytes', 'kB', 'MB', 'GB', 'TB'], fr: ['octets', 'ko', 'Mo', 'Go', 'To'] } as const;

/** Formats a size in units of 1000: `70 MB`, `1.4 GB`, `70 Mo`. */
export function bytesText(bytes: number, language: Language): string {
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < byteUnits.en.length - 1) [size, unit] = [size / 1000, unit + 1];
  const text = numberText(size, language, unit > 0 && size < 9.95 ? 1 : 0);
  return language === 'fr'
    ? `${text}${noBreakSpace}${byteUnits.fr[unit]!.replace(/s$/, bytes < 2 ? '' : 's')}`
    : `${text} ${byteUnits.en[unit]!.replace(/s$/, bytes === 1 ? '' : 's')}`;
}

/** Names of the months, January first. */
export const months = {
  en: 'January February March April May June July August September October November December'.split(' '),
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' '),
} as const;

/** Formats a day or month: `22 November 2026`, `November 2026`; returns other texts, such as a year, unchanged. */
export function dayText(iso: string, language: Language): string {
  const { year, month, day } = /^(?<year>\d{4})-(?<month>\d\d)(?:-(?<day>\d\d))?(?!\d)/.exec(iso)?.groups ?? {};
  const name = months[language][Number(month) - 1];
  if (name === undefined) return iso;
  if (day === undefined) return `${name} ${year}`;
  const number = language === 'fr' && day === '01' ? '1er' : String(Number(day));
  return `${number}${language === 'fr' ? noBreakSpace : ' '}${name} ${year}`;
}

/** Formats a moment: `22 November 2026, 14:05 UTC`, `22 novembre 2026 à 14 h 05 UTC`; other texts as `dayText`. */
export function momentText(iso: string, language: Language): string {
  const date = new Date(iso);
  if (!iso.includes(':') || Number.isNaN(date.getTime())) return dayText(iso, language);
  const [, hour, minute] = /T(\d\d):(\d\d)/.exec(date.toISOString()) ?? [];
  const day = dayText(date.toISOString(), language);
  if (language === 'en') return `${day}, ${hour}:${minute} UTC`;
  return `${day} à ${Number(hour)}${noBreakSpace}h${noBreakSpace}${minute} UTC`;
}
