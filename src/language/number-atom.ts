const atom = /^([0-9]+(?:[., -][0-9]+)*)(.*)$/s;
const ordinal = /^(?:ers?|e?res?|e|es|i?emes?|nde?s?)$/;
const groupedByPoints = /^[1-9][0-9]{0,2}(?:\.[0-9]{3})+$/;
const years = /^((?:1[5-9]|20)[0-9]{2})-((?:1[5-9]|20)[0-9]{2})$/;

/**
 * Returns the tokens, joined by one space, of a folded number with whatever is glued to it: "49.3", "49-3" and
 * "49,3" give "49_3", "1er" gives "1", "50 000" and "50.000" give "50000", "20h30" stays, and a span of years
 * ("2017-2022") gives its two years.
 */
export function numberAtom(folded: string): string {
  const [, written = '', rest = ''] = atom.exec(folded) ?? [];
  const number = joinNumber(written.replace(/\s/g, ''));
  if (rest === '' || ordinal.test(rest)) return number;
  return `${number}${rest.replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')}`.trim();
}

function joinNumber(number: string): string {
  const [, from, to] = years.exec(number) ?? [];
  if (from !== undefined && to !== undefined && from < to) return `${from} ${to}`;
  if (groupedByPoints.test(number)) return number.replaceAll('.', '');
  return number.replace(/[^0-9]+/g, '_');
}
