const units =
  'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf'.split(
    ' ',
  );
const tens = ['', '', 'vingt', 'trente', 'quarante', 'cinquante', 'soixante', 'soixante'];
const signs: [number, string][] = [
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];

/** Largest number read as an ordinal, and largest written in Roman figures. */
const [mostOrdinal, mostRoman] = [100, 39];

/** Numbers from a thousand million on have no spelling in words here. */
const mostCardinal = 10 ** 9;

/** Returns a whole number below a thousand million in French words, with hyphens up to a hundred; null for others. */
export function cardinal(number: number): string | null {
  if (!Number.isInteger(number) || number < 0 || number >= mostCardinal) return null;
  if (number < 100) return upToHundred(number);
  const [value, word] =
    number < 1000 ? [100, 'cent'] : number < 10 ** 6 ? [1000, 'mille'] : [10 ** 6, 'million'];
  const many = Math.floor(number / value);
  const rest = number % value;
  const ends = (many > 1 && value === 100 && rest === 0) || (many > 1 && value === 10 ** 6);
  // Before mille, cent and vingt lose their s: quatre-vingt mille.
  const times = value === 1000 ? cardinal(many)!.replace(/(?<=cent|vingt)s$/, '') : cardinal(many)!;
  return [
    ...(many > 1 || value === 10 ** 6 ? [times] : []),
    ends ? `${word}s` : word,
    ...(rest > 0 ? [cardinal(rest)!] : []),
  ].join(' ');
}

function upToHundred(number: number): string {
  if (number < 20) return units[number]!;
  if (number >= 80) return number === 80 ? 'quatre-vingts' : `quatre-vingt-${units[number - 80]}`;
  const ten = Math.floor(number / 10);
  const rest = number - 10 * Math.min(ten, 6);
  const unit = ten < 7 ? rest % 10 : rest;
  if (unit === 0) return tens[ten]!;
  return `${tens[ten]}-${unit === 1 || unit === 11 ? 'et-' : ''}${units[unit]}`;
}

/**
 * Returns the French ordinals of a number from 1 to 100, masculine first if there are two; none for others.
 */
export function ordinals(number: number): string[] {
  if (number === 1) return ['premier', 'première'];
  const word = number > mostOrdinal || number < 1 ? null : cardinal(number);
  if (word === null) return [];
  const stem = word
    .replace(/e$|(?<=vingt)s$/, '')
    .replace(/cinq$/, 'cinqu')
    .replace(/neuf$/, 'neuv');
  return [`${stem}ième`, ...(number === 2 ? ['second', 'seconde'] : [])];
}

/** Returns a number of 1 to 39 in Roman figures, or null. */
export function roman(number: number): string | null {
  if (!Number.isInteger(number) || number < 1 || number > mostRoman) return null;
  let [left, written] = [number, ''];
  for (const [value, sign] of signs) for (; left >= value; left -= value) written += sign;
  return written;
}
