import type { Document, Json } from '../../src/model/document.ts';
import type { Random } from '../helpers/random.ts';

const pieces = [
  ...['"', '""', "'", ',', ';', '\t', '|', '\\', '\n', '\r\n', '\r', '\n\n', ' ', '  ', '\u00a0', '\u2028'],
  ...['\0', '\u0001', '\u001b[31m', '\u009b', '\u007f', '\ufeff', '\u200b', '\u202e', '\u200f', '\u2066', 'e\u0301'],
  ...[
    '=',
    '+',
    '-',
    '@',
    '\uff1d',
    '=1+1',
    '@SUM(A1)',
    '-2',
    '+33 1',
    '=HYPERLINK("http://x.example")',
    "=cmd|' /C calc'!A0",
  ],
  ...['🎉', '👩‍👩‍👧‍👦', 'ﷺ', 'א', '中文', 'x', 'texte', 'é', '\u{10ffff}', '\uffff', '%00', '\\N', '\\n', '$(x)'],
  ...[
    '1',
    '0',
    '.',
    'e',
    '-',
    '/',
    ':',
    'T',
    'Z',
    'null',
    'NULL',
    'true',
    'NaN',
    'inf',
    '[',
    '{',
    ']',
    '}',
    '[x',
    '{"a"',
  ],
];

/** Texts that stand for something else in one program or another. */
const lookalikes = [
  ...['', ' ', 'null', 'NULL', 'None', 'NA', 'true', 'FALSE', 'NaN', 'Infinity', '-inf', '\\N', '#N/A', '#REF!'],
  ...[
    '1',
    '-1',
    '007',
    '1.50',
    '1,5',
    '1e5',
    '1e400',
    '-1e-400',
    '0x1F',
    '9007199254740993',
    '123456789012345678901234',
  ],
  ...['1/2', '3-4', 'MARCH1', 'SEPT2', '2026-01-02', '02/01/2026', '2026-02-30', '12:30', '1:2:3', '50%', '€5', '$1'],
  ...[
    '"',
    '""',
    '"a"',
    "'",
    ',',
    '\n',
    '\r',
    '\r\n',
    '\ufeff',
    '\ufeffid',
    '--',
    '/* */',
    '#',
    '// x',
    '[',
    '{',
    '[]x',
    '{}x',
  ],
];

const numbers = [0, 1, -1, 42, 2 ** 31, 2 ** 53 - 1, -(2 ** 53) + 1, 2 ** 53, 2 ** 60, 1e21, -1e300];
const fractions = [0.1, -0.5, 1 / 3, 5e-324, 1.7976931348623157e308, 1e-7, 123456789.123];
const days = ['2026-02-28', '1799-11-09', '0001-01-01', '9999-12-31', '1024-02-29'];

/** Names of fields that are trouble somewhere: in a header, in SQL, in a JSON path, as a member of every object. */
export const oddNames = [
  ...[
    'a,b',
    'x"y',
    'line\nbreak',
    'cr\rlf\r\n',
    '',
    ' padded ',
    'Text',
    'TEXT',
    '=sum',
    '@x',
    "d'or",
    'tab\t',
    'semi;colon',
  ],
  ...['a.b[0]', '$', '*', 'back\\slash', '\u202ertl', 'é', 'e\u0301', '🎉', '_json', 'rowid', 'select', 'constructor'],
  ...['toString', '1', '-1', 'nul\0name', 'x'.repeat(300)],
];

/**
 * A text by chance, of pieces or one that looks like something else; never what CSV cannot hold: a lone surrogate, or a
 * text that is itself the JSON of a list or an object.
 */
function hostileText(random: Random): string {
  if (random.isOneIn(3)) return random.pick(lookalikes);
  const text = Array.from({ length: 1 + random.integer(8) }, () => random.pick(pieces)).join('');
  return isNested(text) ? hostileText(random) : text;
}

/**
 * The name of a field by chance, without backslashes: V8's JSON.parse (Node 24.21) takes the name "\\n" for "\\" once it has
 * seen the latter.
 */
function hostileName(random: Random): string {
  return hostileText(random).replaceAll('\\', '/');
}

function isNested(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

function hostileValue(random: Random, depth = 0): Json {
  const values: (() => Json)[] = [
    () => hostileText(random),
    () => random.pick(numbers),
    () => random.pick(fractions),
    () => random.isOneIn(2),
    () => null,
  ];
  if (depth < 3)
    values.push(
      () => Array.from({ length: random.integer(4) }, () => hostileValue(random, depth + 1)),
      () => Object.fromEntries([1, 2, 3].map(() => [hostileName(random), hostileValue(random, depth + 1)])),
    );
  return random.pick(values)();
}

/** What each odd field holds in every record: one type, or any, so that every type of column comes about. */
const makers: ((random: Random) => Json)[] = [
  hostileText,
  (random) => random.pick(numbers),
  (random) => random.pick([...fractions, 1, 2]),
  (random) => random.isOneIn(2),
  (random) => Array.from({ length: random.integer(3) }, () => hostileValue(random, 1)),
  hostileValue,
  (random) => random.pick([random.pick(numbers), hostileText(random)]),
];

/** Quotes (the kind) by chance, each with the documented fields and many that no one has heard of. */
export function hostileRecords(random: Random, count: number): Document[] {
  const records = Array.from({ length: count }, (_, n) => {
    const record: Document = {
      id: random.isOneIn(4) ? `${hostileText(random)} ${n}` : `h${n}`,
      politician: random.pick(['a-b', null, '', hostileText(random)]),
      text: hostileText(random),
      context: random.pick([null, '', hostileText(random)]),
      date: random.pick([null, random.pick(days)]),
      source_ids: random.pick([null, [], ['s1', hostileText(random)]]),
    };
    for (const [at, name] of oddNames.entries())
      if (!random.isOneIn(5)) record[name] = random.isOneIn(6) ? null : makers[at % makers.length]!(random);
    return record;
  });
  records[0]!.text = `${hostileText(random)}\n"é🎉`.padEnd(1_000_000, 'é"\n');
  return records;
}
