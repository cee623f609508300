type Rule = [written: RegExp, meant: string];

/**
 * Rewrite rules for spellings that sound alike and for common typing errors, in folded French: pattern and
 * replacement.
 */
const rules: Rule[] = [
  [/^(?=[aeiouy])/g, 'h'],
  [/f+/g, 'ph'],
  [/ph/g, 'f'],
  [/k/g, 'c'],
  [/k/g, 'qu'],
  [/qu|ch(?=[rlnt])/g, 'c'],
  [/(?<![cp])h/g, ''],
  // A lost s: forest, hospital.
  [/(?<=[aeio])s(?=[lmpt])/g, ''],
  [/t(?!h)/g, 'th'],
  [/z/g, 's'],
  [/(?:ss|s|c)(?=ion)/g, 't'],
  [/ss(?=[aeiou])/g, 'c'],
  [/s(?=[eiy])/g, 'c'],
  [/c(?=[eiy])/g, 's'],
  [/ct(?=ion)/g, 'x'],
  [/j/g, 'g'],
  [/g(?=[eiy])/g, 'j'],
  [/i/g, 'y'],
  [/y/g, 'i'],
  [/an/g, 'en'],
  [/am(?=[bp])/g, 'em'],
  [/en/g, 'an'],
  [/[ae]in/g, 'in'],
  [/in/g, 'ain'],
  [/n(?=[bp])/g, 'm'],
  [/au|eau/g, 'o'],
  [/o(?![iu])/g, 'au'],
  [/e(?=[^aeiou])/g, 'ai'],
  [/ai/g, 'e'],
  // Rénumération, for rémunération.
  [/n([aeiou])m/g, 'm$1n'],
  [/m([aeiou])n/g, 'n$1m'],
];

const mostRespellings = 160;

/**
 * Returns spellings that sound about like a folded word (fotovoltaique: photovoltaique), by one rule,
 * everywhere or in one place, then by two; at most 160, nearest first.
 */
export function respellings(word: string): string[] {
  const found = new Set<string>();
  let last = [word];
  for (let depth = 0; depth < 2; depth += 1) {
    last = last.flatMap(respelled).filter((each) => each !== word && !found.has(each));
    for (const each of last) if (found.size < mostRespellings) found.add(each);
  }
  return [...found];
}

function respelled(word: string): string[] {
  return rules.flatMap(([written, meant]) => {
    const places = [...word.matchAll(written)];
    if (places.length === 0) return [];
    const everywhere = word.replace(written, meant);
    const inOnePlace = places.map(({ 0: found, index }) => {
      const end = index + found.length;
      return word.slice(0, index) + meant.replace(/\$1/, found[1] ?? '') + word.slice(end);
    });
    return [...new Set([everywhere, ...inOnePlace])];
  });
}

/** Returns a word with each single consonant doubled, one at a time (conection: connection). */
export function doublings(word: string): string[] {
  const places = [...word.matchAll(/(?<=[aeiouy])([cflmnprst])(?=[aeiouy])/g)];
  return places.map(({ 0: letter, index }) => word.slice(0, index) + letter + word.slice(index));
}

/**
 * Returns corrections of a word with one extra letter, a doubled letter where one is right, or two letters
 * swapped.
 */
export function mistypings(word: string): string[] {
  const letters = [...word];
  return letters.flatMap((letter, at) => {
    const [before, after] = [letters.slice(0, at).join(''), letters.slice(at + 1).join('')];
    const swapped = after === '' ? [] : [before + after[0] + letter + after.slice(1)];
    return [before + after, before + letter + letter + after, ...swapped];
  });
}
