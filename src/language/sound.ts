type Rule = [written: RegExp, sounds: string];

const vowel = 'aeioUW';

/** Applied in this order to a folded word; a capital is a sound that is written with two letters or more. */
const rules: Rule[] = [
  [/[^a-z]/g, ''],
  [/sch|sh|ch(?![rlnt]|$)/g, 'S'],
  [/ph/g, 'f'],
  [/(?<=.)x(?=.)/g, 'ks'],
  [/cqu|ck|cq|qu|q|ch/g, 'k'],
  [/c(?=[eiy])/g, 's'],
  [/c/g, 'k'],
  [/ge(?=[aou])|g(?=[eiy])/g, 'j'],
  [/gu(?=[eiy])/g, 'g'],
  [/h/g, ''],
  [/w/g, 'v'],
  [/y/g, 'i'],
  [/z/g, 's'],
  [/(.)\1+/g, '$1'],
  // Nobody says the l of Thibault.
  [/(?<=[ao]u)l(?=[dt]s?$)/g, ''],
  [/eau|au/g, 'o'],
  [/ou/g, 'U'],
  [/oi/g, 'W'],
  [new RegExp(`(?:[ae]?i|(?<=i)e|u)[nm](?![${vowel}])`, 'g'), 'I'],
  [new RegExp(`[ae][nm](?![${vowel}])`, 'g'), 'A'],
  [new RegExp(`o[nm](?![${vowel}])`, 'g'), 'O'],
  [/oeu|ai|ei|oe|eu|e[rst]$/g, 'e'],
  // Nobody says the b of Colomb.
  [/(?<=[AOI])b$/g, ''],
  // An e that is not heard lets the letter before it be heard; of loup and champ nobody says the p, of Filip all do.
  [/(?<=..)(?:e|(?:(?<=[AOIUor])p)?[dstx]*)$/g, ''],
  [/(.)\1+/g, '$1'],
];

/**
 * Returns roughly how a folded French word sounds: "dupont" and "dupond", "philippe" and "filipe", "melenchon" and
 * "melanchon" have one key. It is to be compared with other keys, and empty for what has no letter.
 */
export function soundKey(word: string): string {
  const known = sounded.get(word);
  if (known !== undefined) return known;
  let sound = word;
  for (const [written, sounds] of rules) sound = sound.replace(written, sounds);
  if (sounded.size >= mostSounded) sounded.clear();
  if (word.length <= longestSounded) sounded.set(word, sound);
  return sound;
}

/** The keys of words that were compared last: one that is misspelt is compared with every word that is like it. */
const sounded = new Map<string, string>();
const [mostSounded, longestSounded] = [10_000, 100];
