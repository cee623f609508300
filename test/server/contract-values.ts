import type { Parameter } from './contract-document.ts';

/** Texts that are trouble somewhere, spoilt cursors among them, as they stand in an address: percent-encoded, or wrongly so. */
export const hostileTexts: readonly string[] = [
  ...[
    'مرحبا بالعالم',
    '中文搜索',
    '日本語テキスト',
    '🎉👩‍👩‍👧‍👦🏴󠁧󠁢󠁳󠁣󠁴󠁿',
    '\u202eright to left\u2066\u200f',
    'e\u0301\u0323\u0300',
    '\u0301',
    '\u200b\u200d\ufeff',
    'Ｆｕｌｌ　ｗｉｄｔｈ',
    'ﬁ ŉ İ ß',
    '\u{1d4b3}\u{10ffff}',
    '\ufffe\uffff\ufffd',
    ' ',
    '\t\r\n\u0085\u2028',
    '\u3000\u00a0',
    '\u0001\u001b[31m\u007f',
    "'; DROP TABLE record; --",
    "' OR '1'='1",
    '1) UNION SELECT sql FROM sqlite_schema --',
    '%_',
    '"',
    '""',
    '"*"',
    '"unfinished phrase',
    '*',
    'a* AND "b c"* OR NOT d',
    'NEAR(a b, 5)',
    '{name title} : x',
    '- ^x + y',
    'name:(',
    '((((',
    '\\',
    'a OR',
    '../../../../etc/passwd',
    '..\\..\\windows',
    '/',
    '.',
    '..',
    '//host/share',
    'file:///etc/passwd',
    'http://169.254.169.254/',
    '<script>alert(1)</script>',
    '{{7*7}}$[7*7]',
    '$(id)`id`',
    '[]',
    '{}',
    '{"$ne":null}',
    'null',
    'undefined',
    'NaN',
    'true',
    '[object Object]',
    '__proto__',
    'constructor',
    'toString',
    '0',
    '-0',
    '1e309',
    '9007199254740993',
    'AN:VAL1V1',
    'sha256:00',
    'WyJuYW1lIl0',
    'WyJuYW1lIiwxLDFd',
    'WyJuYW1lIiwiYSIsMS41XQ',
    'WyJmZWVkIiwiYSIsMWU0MDBd',
    'WyJmZWVkIix7ImEiOjF9LCIxIl0',
    'WyJvdGhlciIsImEiLDFd',
    'eyIwIjoibmFtZSIsIjEiOiJhIiwiMiI6MX0',
    'bnVsbA',
    '\0',
    'a\0b',
    '\0\0\0',
  ].map(encodeURIComponent),
  '%',
  '%%',
  '%zz',
  '%u0041',
  '%FF',
  '%C3',
  '%F0%9F',
  '%ED%A0%80',
  'a%00%zz',
  '+',
  'a+b',
];

/** Long texts: an address of 8 kB still fits, or just not. */
export const longTexts: readonly string[] = [
  'a'.repeat(499),
  'a'.repeat(500),
  'a'.repeat(501),
  'a'.repeat(1999),
  'a'.repeat(2000),
  'a'.repeat(2001),
  'a'.repeat(8000),
  'a'.repeat(8192),
  'mot+'.repeat(490),
  '%22'.repeat(2000),
  '(%22a%22*'.repeat(200),
  encodeURIComponent('é'.repeat(500)),
  encodeURIComponent('é'.repeat(1000)),
  encodeURIComponent('🎉'.repeat(500)),
  encodeURIComponent('🎉'.repeat(501)),
  encodeURIComponent('م'.repeat(8000)),
];

/** Texts that would lead out of a path if they were not only a text. */
export const pathTexts: readonly string[] = [
  '',
  'a/b',
  '../politicians',
  '..%2f..%2f..%2fetc%2fpasswd',
  '..%5c..%5cboot.ini',
  '%2e%2e%2f',
  '%252e%252e%252f',
  './.',
  '%3Flimit=1',
  '%23',
  ';jsessionid=1',
  'a%0d%0aSet-Cookie:%20a=b',
  'openapi.json',
  `${'a'.repeat(500)}%F0%9F%8E%89`,
];

const notNumbers =
  '|ten|1.5|0x10|1e1|%2010|10%20|%2B5|1,2|-|--1|1_0|%EF%BC%95|%D9%A3|Infinity|99999999999999999999'.split('|');

/** What a parameter is asked with beside the texts: from its schema, at its bounds, beyond them, and of other types. */
export function valuesFor({ schema }: Parameter): string[] {
  const { type, enum: words, items, minimum = 0, maximum = 100, minLength = 0, maxLength } = schema;
  if (type === 'integer') {
    const numbers = [minimum, minimum + 1, maximum - 1, maximum, minimum - 1, maximum + 1, -maximum, 2 ** 31];
    return [...numbers, 2 ** 53].map(String).concat(notNumbers, `00${maximum}`);
  }
  if (type === 'array') {
    const all = items?.enum ?? ['ADR:for', 'nobody:for', 'ADR', ':'];
    const lists = [...all, all.join(','), `${all[0]},${all[0]}`, `${all[0]},`, `,${all[0]}`, `${all[0]};${all[1]}`];
    return [...lists, `${all[0]},other`, `${all[0]},`.repeat(700) + all[0], ','];
  }
  if (words) return words.flatMap((word) => [word, word.toUpperCase(), `${word}%20`, word.slice(0, -1), `${word},`]);
  const lengths = [minLength, ...(maxLength === undefined ? [] : [maxLength, maxLength + 1])];
  return lengths.flatMap((length) => ['x'.repeat(length), '%C3%A9'.repeat(length)]);
}
