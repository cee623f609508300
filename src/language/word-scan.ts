/** Classes of characters. */
const [unclear, letter, between] = [0, 1, 2] as const;

/** Size limits of the word cache: letters per word, and slots. */
const [longest, places] = [24, 2 ** 16];

/** Patterns that split the parts of a text that the fast scan cannot. */
export type Patterns = {
  /** One letter of a word; three or more form one word up to a character that no word has. */
  letter: string;
  /** Every word, number and abbreviation. */
  lexeme: string;
  /** The tokens of one, joined by one space. */
  analyse: (written: string) => string;
};

/**
 * Creates a function that returns the tokens of every match of `lexeme` in a text, in order, joined by one
 * space. Fast path: words of letters only, elided or not (nearly all), are found in one scan and looked up in
 * a cache without creating substrings.
 */
export function createWordScan({ letter: ofLetters, lexeme, analyse }: Patterns): (text: string) => string {
  const signs = signTable(new RegExp(ofLetters), new RegExp(lexeme));
  const here = new RegExp(lexeme, 'y');
  let units = new Uint16Array(0);
  const met = {
    letters: new Uint16Array(places * longest),
    lengths: new Uint8Array(places),
    tokens: new Array<string>(places).fill(''),
  };

  /** The text as UTF-16 units, with a terminator that belongs to no word. */
  function unitsOf(text: string): Uint16Array {
    if (units.length <= text.length) units = new Uint16Array(Math.max(2 ** 14, text.length * 2));
    Buffer.from(units.buffer).write(text, 'utf16le');
    units[text.length] = 32;
    return units;
  }

  /** The cached tokens of the word just read, by its cache slot; null if the slot holds another word. */
  function known(place: number, at: number, length: number): string | null {
    if (met.lengths[place] !== length) return null;
    const first = place * longest;
    for (let n = 0; n < length; n += 1) if (met.letters[first + n] !== units[at + n]) return null;
    return met.tokens[place]!;
  }

  function tokensOfWord(text: string, { at, end, hash }: Word): string {
    const length = end - at;
    if (length > longest) return analyse(text.slice(at, end));
    const place = (hash ^ (hash >>> 15)) & (places - 1);
    const found = known(place, at, length);
    if (found !== null) return found;
    const tokens = analyse(text.slice(at, end));
    met.letters.set(units.subarray(at, end), place * longest);
    met.lengths[place] = length;
    met.tokens[place] = tokens;
    return tokens;
  }

  return (text) => {
    const read = unitsOf(text);
    const found: string[] = [];
    for (let at = 0; at < text.length; ) {
      let end = at;
      let hash = 0;
      let isElided = false;
      let code = read[at]!;
      while (signs[code] === letter || (end > at && isApostrophe(code))) {
        isElided ||= signs[code] !== letter;
        hash = Math.imul(hash ^ code, 0x9e3779b1);
        end += 1;
        code = read[end]!;
      }
      let tokens = '';
      if (end > at && isEnd(code, isElided ? 0 : end - at)) tokens = tokensOfWord(text, { at, end, hash });
      else if (end === at && signs[code] === between) end = at + 1;
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

  /**
   * True if the letters before that character are a complete word; few letters or an elision may begin
   * S.M.I.C. or n°.
   */
  function isEnd(code: number, letters: number): boolean {
    if (signs[code] !== between) return false;
    return letters >= 3 || !(code === 0x2e || code === 0xb0 || code === 0xba);
  }
}

function isApostrophe(code: number): boolean {
  return code === 0x27 || code === 0x2019;
}

type Word = { at: number; end: number; hash: number };

/**
 * The class of each character: Latin letter, never part of a word, or unclear (only the patterns decide, as
 * for all non-Latin ones).
 */
function signTable(ofLetters: RegExp, lexeme: RegExp): Uint8Array {
  const table = new Uint8Array(2 ** 16).fill(unclear);
  for (let code = 0; code < 0x250; code += 1) {
    const sign = String.fromCharCode(code);
    if (ofLetters.test(sign)) table[code] = letter;
    else if (!lexeme.test(sign)) table[code] = between;
  }
  return table;
}
