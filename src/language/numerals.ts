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
const [mostOrdinal, mostRoman] = [99, 39];

/** The French words for a whole number below a hundred. */
export function cardinal(number: number): string {
  if (number < 20) return units[number]!;
  if (number >= 80) return number === 80 ? 'quatre-vingts' : `quatre-vingt-${units[number - 80]}`;
  const ten = Math.floor(number / 10);
  const rest = number - 10 * Math.min(ten, 6);
  const unit = ten < 7 ? rest % 10 : rest;
  if (unit === 0) return tens[ten]!;
  return `${tens[ten]}-${unit === 1 || unit === 11 ? 'et-' : ''}${units[unit]}`;
}

/** The French ordinals of a number from 1 to 99, masculine first; none for others. */
export function ordinals(number: number): string[] {
  if (number === 1) return ['premier', 'première'];
  if (number > mostOrdinal || number < 1) return [];
  const word = cardinal(number);
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
