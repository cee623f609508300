import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { csvFormat, tsvFormat } from '../../src/format/csv.ts';
import { markdownFormat } from '../../src/format/markdown.ts';
import { ndjsonFormat } from '../../src/format/ndjson.ts';
import { type RowFormat, writeRows } from '../../src/format/rows.ts';
import type { Document } from '../../src/model/document.ts';
import { memorySink } from '../helpers/memory-sink.ts';

const columns = ['slug', 'name', 'seats', 'open', 'sources'];
const rows: Document[] = [
  { slug: 'aube', name: 'L\'Aube, "union"\nciviQue', seats: 12, open: true, sources: ['s1', 's2'] },
  { slug: 'crue', name: '', seats: null, open: false, sources: { main: 's|3' }, unknown: 'kept' },
];

const hostile = [
  'quote " comma , semicolon ; pipe |',
  'line\nline\r\nline\rline',
  'tab\tback\\slash',
  'nul\0 escape \x1b[31m c1 \x9b',
  '\u202eright to left\u200b\u2066',
  ' spaces ',
  '=HYPERLINK("x")',
  'null',
  '\ufeffmark',
  'é'.repeat(500_000),
];

async function written(
  format: RowFormat,
  options: Partial<Parameters<typeof writeRows>[3]> = {},
  some: Iterable<Document> | AsyncIterable<Document> = rows,
) {
  const sink = memorySink();
  await writeRows(some, format, sink, { columns, header: true, ...options });
  return sink.text;
}

describe('rows as CSV', () => {
  it('are, to the character', async () => {
    expect(await written(csvFormat(columns))).to.equal(
      'slug,name,seats,open,sources\n' +
        'aube,"L\'Aube, ""union""\nciviQue",12,true,"[""s1"",""s2""]"\n' +
        'crue,"",,false,"{""main"":""s|3""}"\n',
    );
  });

  it('come back as they were, whatever stands in them', async () => {
    const documents = hostile.map((text, at) => ({ at, text }));
    const text = await written(csvFormat(['at', 'text']), { columns: ['at', 'text'] }, documents);
    const read = parse(text, { columns: true, bom: false }) as Record<string, string>[];
    expect(read.map((row) => row.text)).to.deep.equal(hostile);
  });

  it('tell an empty text from null', async () => {
    const some: Document[] = [{ a: '', b: null }, { b: '' }];
    expect(await written(csvFormat(['a', 'b']), { header: false }, some)).to.equal('"",\n,""\n');
  });

  it('read no member that every object has', async () => {
    const odd = ['constructor', '__proto__'];
    expect(await written(csvFormat(odd), { header: false }, [{ slug: 'a' }])).to.equal(',\n');
  });
});

describe('rows as TSV', () => {
  it('are, to the character', async () => {
    expect(await written(tsvFormat(columns))).to.equal(
      'slug\tname\tseats\topen\tsources\n' +
        'aube\tL\'Aube, "union"\\nciviQue\t12\ttrue\t["s1","s2"]\n' +
        'crue\t\t\tfalse\t{"main":"s|3"}\n',
    );
  });

  it('are one line each, whatever stands in them', async () => {
    const text = await written(
      tsvFormat(['text', 'end']),
      { header: false },
      hostile.map((each) => ({ text: each, end: 1 })),
    );
    const lines = text.trimEnd().split(/\r|\n/);
    expect(lines).to.have.length(hostile.length);
    for (const line of lines) expect(line.split('\t')).to.have.length(2);
  });
});

describe('rows as Markdown', () => {
  it('are, to the character', async () => {
    expect(await written(markdownFormat(columns))).to.equal(
      '| slug | name | seats | open | sources |\n' +
        '| --- | --- | --- | --- | --- |\n' +
        '| aube | L\'Aube, "union" civiQue | 12 | true | ["s1","s2"] |\n' +
        '| crue |  |  | false | {"main":"s\\|3"} |\n',
    );
  });

  it('hold no mark that would end the cell or open HTML', async () => {
    const text = await written(markdownFormat(['a']), { header: false }, [{ a: 'x \\| y <script>\n\nz' }]);
    expect(text).to.equal('| x \\\\\\| y &lt;script> z |\n');
  });
});

describe('rows as NDJSON', () => {
  it('are whole records, or the columns that were named', async () => {
    expect(await written(ndjsonFormat())).to.equal(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    expect(await written(ndjsonFormat(['seats', 'absent']))).to.equal(
      '{"seats":12,"absent":null}\n{"seats":null,"absent":null}\n',
    );
  });
});

describe('writeRows', () => {
  it('stops pulling when the sink closes, and closes the source', async () => {
    let pulled = 0;
    let closed = false;
    const endless = function* () {
      try {
        for (;;) yield { slug: `row-${pulled++}` };
      } finally {
        closed = true;
      }
    };
    await writeRows(endless(), csvFormat(['slug']), memorySink(100_000), { columns: ['slug'], header: true });
    expect(closed).to.equal(true);
    expect(pulled).to.be.lessThan(20_000);
  });

  it('writes in large pieces', async () => {
    const sink = memorySink();
    const many = Array.from({ length: 50_000 }, (_, at) => ({ slug: `row-${at}` }));
    expect(await writeRows(many, csvFormat(['slug']), sink, { columns: ['slug'], header: true })).to.equal(50_000);
    expect(sink.writes).to.be.lessThan(12);
  });

  it('lets nothing through to a terminal that could act on it', async () => {
    const some = hostile.slice(0, 9).map((text) => ({ text, more: '\ud800' }));
    const terminal = { isTTY: true };
    const [first, second] = [csvFormat, tsvFormat].map((create) => create(['text', 'more']));
    for (const format of [first!, second!, markdownFormat(['text', 'more']), ndjsonFormat()]) {
      const text = await written(format, { terminal }, some);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be left
      expect(text).to.not.match(/[\0-\x08\x0b-\x1f\x7f-\x9f\u200b\u202e\u2066\ufeff]/);
    }
  });

  it('gives NDJSON at a terminal that still means the same', async () => {
    const some = [{ text: hostile[4]! }];
    const text = await written(ndjsonFormat(), { terminal: { isTTY: true } }, some);
    expect(JSON.parse(text)).to.deep.equal(some[0]);
  });
});
