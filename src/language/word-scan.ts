/** What one sign of a text may be. */
const [unclear, letter, between] = [0, 1, 2] as const;

/** Words of up to so many letters are remembered, so many of them. */
const [longest, places] = [24, 2 ** 15];

/** How a text is cut into words where the text itself has to be looked at: by patterns, as `lexemes` does. */
export type Patterns = {
  /** One letter of a word; three of them and more are one until a sign that no word has. */
  letter: string;
  /** One sign of a word. */
  inWord: string;
  /** Every word, number and abbreviation. */
  lexeme: string;
  /** The tokens of one, joined by one space. */
  analyse: (written: string) => string;
};

/**
 * Returns what gives the tokens of a text joined by one space: those of every match of `lexeme`, in order. Words of letters
 * alone, which nearly all are, elided or not, are found by looking at each sign once, and are known again without being cut
 * out of the text.
 */
export function createWordScan({
  letter: ofLetters,
  inWord,
  lexeme,
  analyse,
}: Patterns): (text: string) => string {
  const signs = signTable(new RegExp(ofLetters), new RegExp(inWord));
  const here = new RegExp(lexeme, 'y');
  let units = new Uint16Array(0);
  const met = {
    letters: new Uint16Array(places * longest),
    lengths: new Uint8Array(places),
    tokens: new Array<string>(places).fill(''),
  };

  /** The text as numbers, with a sign behind it that is of no word. */
  function unitsOf(text: string): Uint16Array {
    if (units.length <= text.length) units = new Uint16Array(Math.max(2 ** 14, text.length * 2));
    Buffer.from(units.buffer).write(text, 'utf16le');
    units[text.length] = 32;
    return units;
  }

  function tokensOfWord(text: string, read: Uint16Array, { at, length, hash }: Word): string {
    if (length > longest) return analyse(text.slice(at, at + length));
    const place = (hash ^ (hash >>> 15)) & (places - 1);
    const first = place * longest;
    let same = met.lengths[place] === length ? 0 : -1;
    while (same >= 0 && same < length && met.letters[first + same] === read[at + same]) same += 1;
    if (same === length) return met.tokens[place]!;
    const tokens = analyse(text.slice(at, at + length));
    met.letters.set(read.subarray(at, at + length), first);
    met.lengths[place] = length;
    met.tokens[place] = tokens;
    return tokens;
  }

  return (text) => {
    const read = unitsOf(text);
    const found: string[] = [];
    for (let at = 0; at < text.length; ) {
      let [end, hash, isElided] = [at, 0, false];
      let code = read[at]!;
      for (; isLetter(code) || (end > at && isApostrophe(code)); code = read[end]!) {
        hash = Math.imul(hash ^ code, 0x9e3779b1);
        isElided ||= isApostrophe(code);
        end += 1;
      }
      let tokens = '';
      if (end > at && isEnd(code, isElided ? 0 : end - at))
        tokens = tokensOfWord(text, read, { at, length: end - at, hash });
      else if (end === at && code < signs.length && signs[code] === between) end = at + 1;
      else {
        here.lastIndex = at;
        const word = here.exec(text)?.[0] ?? '';
        if (word !== '') tokens = analyse(word);
        end = at + Math.max(1, word.length);
      }
      if (tokens !== '') found.push(tokens);
      at = end;
    }
    return found.join(' ');
  };

  function isLetter(code: number): boolean {
    return code < signs.length && signs[code] === letter;
  }

  /** True if what stands before that sign is a word of its own: so few letters, or elided ones, may begin S.M.I.C. or n°. */
  function isEnd(code: number, letters: number): boolean {
    if (code >= signs.length || signs[code] !== between) return false;
    return letters >= 3 || !(code === 0x2e || code === 0xb0 || code === 0xba);
  }
}

function isApostrophe(code: number): boolean {
  return code === 0x27 || code === 0x2019;
}

type Word = { at: number; length: number; hash: number };

/** What each sign of Latin script may be: a letter, nothing of a word, or what only the patterns tell, as all others. */
function signTable(ofLetters: RegExp, inWord: RegExp): Uint8Array {
  return Uint8Array.from({ length: 0x250 }, (_, code) => {
    const sign = String.fromCharCode(code);
    if (ofLetters.test(sign)) return letter;
    return inWord.test(sign) ? unclear : between;
  });
}
