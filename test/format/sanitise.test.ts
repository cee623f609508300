import { expect } from 'chai';
import { escapeHidden, sanitise, sanitiseLine, sanitiseText } from '../../src/format/sanitise.ts';

describe('sanitise', () => {
  const cases: [string, string, string][] = [
    ['leaves French alone', 'L’œuvre d’Éloi : « déjà » 🗳️', 'L’œuvre d’Éloi : « déjà » 🗳️'],
    ['keeps newlines and tabs', 'a\n\tb', 'a\n\tb'],
    ['takes the escape out of a sequence', '\x1b[31mred\x1b]8;;x\x07', '[31mred]8;;x'],
    ['takes out C0, C1 and delete', 'a\0\x07\b\r\x7f\x9b31m', 'a31m'],
    ['takes out bidi controls', '\u202eabc\u202c\u2066d\u2069\u200f\u061c', 'abcd'],
    ['takes out what is invisible', 'a\u200bb\u200dc\u2060d\ufeffe\u00adf\u{e0041}', 'abcdef'],
    ['shows lone surrogates', 'a\ud800b\udc00', 'a\ufffdb\ufffd'],
    ['never joins two halves into a character', '\ud83d\u200b\ude00', '\ufffd\ufffd'],
  ];
  for (const [name, text, clean] of cases) it(name, () => expect(sanitise(text)).to.equal(clean));

  it('folds every run of white space of a line', () => {
    expect(sanitiseLine('  a\r\n\tb\u00a0\u00a0c\u2028d ')).to.equal('a b c d');
  });

  it('keeps the lines of a text', () => {
    expect(sanitiseText('a\r\nb\rc\u2028d\te\x1b')).to.equal('a\nb\nc\nd e');
  });

  it('writes hidden characters of JSON as escapes that mean the same', () => {
    const value = { text: 'a\u202eb\u009bc\u200b\x7f\u{e0041}\ud800\x1b' };
    const json = escapeHidden(JSON.stringify(value));
    expect(json).to.match(/^[ -~]*$/);
    expect(JSON.parse(json)).to.deep.equal(value);
  });

  it('takes a megabyte in its stride', () => {
    expect(sanitise('é\u202e'.repeat(500_000))).to.have.length(500_000);
  });
});
