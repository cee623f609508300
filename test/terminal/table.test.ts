import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { createTable, renderTable } from '../../src/terminal/table.ts';
import { speechOf } from '../../src/words/speech.ts';
import { pipe, terminalOfWidth } from '../helpers/memory-sink.ts';

const columns = ['slug', 'full_name', 'party', 'votes', 'tags'];
const rows: Document[] = [
  {
    slug: 'ada-brume',
    full_name: 'Ada Brume\nd’Ormesaye',
    party: { slug: 'aube' },
    votes: 0,
    tags: ['eau', 'sel'],
  },
  {
    slug: 'zoe-vatel',
    full_name: 'Zoé Vatel',
    party: null,
    votes: null,
    tags: [{ id: 1 }, { id: 2 }, { id: 3 }],
  },
];

describe('a table', () => {
  it('in a pipe is aligned and whole', async () => {
    expect(renderTable(rows, { columns, header: true, terminal: pipe })).to.equal(
      'slug       full_name             party  votes  tags\n' +
        'ada-brume  Ada Brume d’Ormesaye  aube   0      eau, sel\n' +
        'zoe-vatel  Zoé Vatel                           3\n',
    );
  });

  it('tells where matches stand, not how many they are', async () => {
    const rows = [
      {
        offsets: [
          [3, 8],
          [21, 26],
        ],
      },
      { offsets: [] },
    ];
    expect(renderTable(rows, { columns: ['offsets'], header: false, terminal: pipe })).to.equal('3-8, 21-26\n\n');
  });

  it('at a terminal of less than 60 columns, where it does not fit, is a block for each record', async () => {
    expect(renderTable(rows, { columns, header: true, terminal: terminalOfWidth(44) })).to.equal(
      'ada-brume\n' +
        '  full_name  Ada Brume d’Ormesaye\n' +
        '  party      aube\n' +
        '  votes      0\n' +
        '  tags       eau, sel\n' +
        '\n' +
        'zoe-vatel\n' +
        '  full_name  Zoé Vatel\n' +
        '  tags       3\n',
    );
    const few = { columns: ['slug', 'votes'], header: true, terminal: terminalOfWidth(20) };
    expect(renderTable(rows, few)).to.equal('slug       votes\nada-brume      0\nzoe-vatel\n');
  });

  it('leaves out columns in the order of their worth, those that hold nothing first', async () => {
    const record = {
      slug: 'ada-brume-d-ormesaye',
      full_name: 'Ada Brume d’Ormesaye',
      party: null,
      office: 'Ministre déléguée aux marées et aux phares',
      date: '2031-05-06',
      note: 'seen',
    };
    const all = Object.keys(record);
    const shown = async (width: number, omittedFirst?: string[]) => {
      const terminal = terminalOfWidth(width);
      const table = createTable({ columns: all, header: false, terminal, omittedFirst });
      return { text: table.render([record]), out: table.omittedColumns() };
    };
    expect((await shown(86, ['office'])).out).to.deep.equal(['party']);
    expect((await shown(70, ['office'])).out).to.deep.equal(['party', 'office']);
    expect((await shown(70, [])).out).to.deep.equal(['party', 'date', 'note']);
    expect((await shown(200, [])).out).to.deep.equal([]);
    const chosen = await shown(90);
    expect(chosen.out, 'columns that somebody named').to.deep.equal([]);
    expect(chosen.text.split('\n')[1]).to.match(/^ {20} /);
  });

  it('narrows the names of an affiliation before it hides that it is a financial attachment', () => {
    const row = {
      date: '2031-12-03',
      event: 'began',
      full_name: 'Anne-Cécile d’Ormesaye',
      party_name: 'Alliance des Rivages et des Phares',
      role: 'Membre du bureau national',
      party_link: 'financial attachment (derived)',
      politician: 'anne-cecile-d-ormesaye',
      party: 'alliance-des-rivages-et-des-phares',
    };
    const omittedFirst = ['politician', 'from', 'party', 'role'];
    const options = { columns: Object.keys(row), header: true, omittedFirst, terminal: terminalOfWidth(80) };
    for (const moved of [false, true]) {
      const shown = moved ? { ...row, event: null, from_name: 'Parti du Verger', from: 'parti-du-verger' } : row;
      const table = createTable({ ...options, columns: Object.keys(shown) });
      expect(table.render([shown]))
        .to.include('attachment')
        .and.include('Rivages');
      expect(table.omittedColumns()).not.to.include.members(['party_link']);
    }
  });

  it('keeps figures for lack of space, and states above them what all rows have in common', () => {
    const row = { part: '2031-05', group: 'ADR', group_name: 'Alliance des Rivages', other: 'PDV' };
    const month = { ...row, agreement: 0.62962963, same: 73, n: 116 };
    const months = [month, { ...month, part: '2031-06', agreement: 0.5, same: 3, n: 6 }];
    const render = (documents: Document[], width: number, movesConstantsAbove = true) => {
      const options = { columns: Object.keys(month), header: true, omittedFirst: [], movesConstantsAbove };
      const table = createTable({ ...options, terminal: terminalOfWidth(width) });
      return { lines: table.render(documents).trimEnd().split('\n'), out: table.omittedColumns() };
    };
    expect(render(months, 60)).to.deep.equal({
      lines: [
        'other: PDV',
        'part     group  group_name            agreement  same    n',
        '2031-05  ADR    Alliance des Rivages      0.630    73  116',
        '2031-06  ADR    Alliance des Rivages      0.500     3    6',
      ],
      out: [],
    });
    expect(render(months, 100).lines).to.have.length(3);
    // Without that option, and of one row, names go before other labels, and these before figures.
    expect(render(months, 60, false).out).to.deep.equal(['group_name']);
    expect(render([month], 60).out).to.deep.equal(['group_name']);
    const french = createTable({
      ...{ columns: ['agreement'], header: false },
      terminal: { ...terminalOfWidth(60), speech: speechOf('fr') },
    });
    expect(french.render([month])).to.equal('0,630\n');
  });

  it('wraps text between words, and cuts neither keys nor dates nor numbers', async () => {
    const hostile = {
      key: `AN:${'V'.repeat(90)}`,
      date: '2031-05-06',
      title: 'Un projet de loi relatif à la protection des phares, des balises et des gardiens de nos côtes',
      votes: 123456,
    };
    const usual = { ...hostile, key: 'AN:V1', title: `Le ${'long'.repeat(2500)} titre` };
    for (const width of [60, 72, 80, 120]) {
      const terminal = terminalOfWidth(width);
      const text = renderTable([usual, hostile], {
        columns: Object.keys(usual),
        header: true,
        terminal,
      });
      for (const whole of [hostile.key, 'AN:V1 ', '2031-05-06', '123456', 'relatif', 'protection', 'gardiens'])
        expect(text, `${whole} at ${width}`).to.contain(whole);
      expect(text.split('\n').length).to.be.lessThan(40);
      for (const line of text.split('\n')) if (line !== hostile.key) expect(line.length, line).to.be.at.most(width);
    }
  });

  it('sets its header off and links slugs where the terminal can', async () => {
    const terminal = { isTTY: true, columns: 80, colour: true, hyperlinks: true, speech: speechOf('en') };
    const row = { slug: 'ada-brume', url: 'https://vitrine.example/ada?q=(é)+!', note: 'x' };
    expect(renderTable([row], { columns: ['slug', 'note'], header: true, terminal })).to.equal(
      '\x1b[1mslug       note\x1b[22m\n' +
        '\x1b]8;;https://vitrine.example/ada?q=(%C3%A9)+!\x1b\\ada-brume\x1b]8;;\x1b\\  x\n',
    );
  });

  it('lets no cell speak to the terminal, in a pipe neither', async () => {
    const row = { slug: '\x1b]0;pwned\x07a\u202eb', note: 'end\r\n\x1b[2J' };
    for (const terminal of [pipe, terminalOfWidth(80)]) {
      const text = renderTable([row], { columns: ['slug', 'note'], header: false, terminal });
      expect(text).to.equal(']0;pwnedab  end [2J\n');
    }
  });

  it('in a pipe lets a huge cell stick out, whole', async () => {
    const long = 'mot '.repeat(250_000).trim();
    const some = [
      { a: long, b: 'fin' },
      { a: 'x', b: 'y' },
    ];
    const text = renderTable(some, { columns: ['a', 'b'], header: false, terminal: pipe });
    expect(text.length).to.be.lessThan(long.length + 500);
    expect(text.startsWith(`${long}  fin\n`)).to.equal(true);
  });

  it('shows its header alone when there are no rows', async () => {
    expect(renderTable([], { columns: ['a', 'b'], header: true, terminal: pipe })).to.equal('a  b\n');
  });

  it('holds its columns from block to block, and shows the header once', async () => {
    const table = createTable({ columns: ['a', 'b'], header: true, terminal: pipe });
    expect(table.render([{ a: 'long one', b: 1 }])).to.equal('a         b\nlong one  1\n');
    expect(table.render([{ a: 'x', b: 2 }])).to.equal('x         2\n');
  });

  it('aligns counts at the right when asked', async () => {
    const some = [{ n: 7 }, { n: 1234 }];
    const text = renderTable(some, {
      columns: ['n'],
      header: true,
      terminal: pipe,
      rightAligned: ['n'],
    });
    expect(text).to.equal('   n\n   7\n1234\n');
  });

  it('never exceeds any terminal, unless a word does', async () => {
    for (let width = 34; width < 90; width++) {
      const text = renderTable(rows, { columns, header: true, terminal: terminalOfWidth(width) });
      for (const line of text.split('\n')) expect(line.length).to.be.at.most(width);
    }
  });

  it('cuts only what it was told may be cut', async () => {
    const row = { group: 'Rassemblement des Rivages', votes: 123456, date: '2031-05-06' };
    const terminal = terminalOfWidth(34);
    expect(renderTable([row], { columns: Object.keys(row), header: false, terminal, cutColumns: ['group'] })).to.equal(
      'Rassemblement…  123456  2031-05-06\n',
    );
  });
});
