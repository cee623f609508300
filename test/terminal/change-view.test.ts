import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import {
  changeSummary,
  createChangeRenderer,
  fieldDifference,
  firstFillLines,
  renderChange,
  renderVersion,
  wordDiff,
} from '../../src/terminal/change-view.ts';
import { styleOf } from '../../src/terminal/terminal.ts';
import { speechOf } from '../../src/words/speech.ts';

const pipe = { isTTY: false, columns: 100, colour: false, hyperlinks: false, speech: speechOf('en') };
const terminal = { ...pipe, isTTY: true };
const long = (ending: string) =>
  `Gardiens de phare, éclusiers, veilleurs de sémaphore et agents de nuit des hôpitaux acquerront ${ending}`;

describe('a change, for people,', () => {
  it('is a line that says what was seen when, and a line a field', () => {
    const block = renderChange(
      {
        seen_at: '2026-11-01T06:00:00.123Z',
        change: 'edited',
        kind: 'politician',
        key: 'anne',
        politician: 'anne',
        title: 'Anne Delmarais',
        fields: [
          { field: 'current_role', old: null, new: 'Ministre' },
          { field: 'votes', old: 0, new: null },
        ],
      },
      pipe,
    );
    expect(block).to.equal(
      [
        '2026-11-01 06:00:00Z  edited     politician  anne  Anne Delmarais',
        '    current_role  (nothing) → Ministre',
        '    votes         0 → (nothing)',
        '',
      ].join('\n'),
    );
  });

  it('of a long text marks the words that went and came, whole in a pipe', () => {
    expect(fieldDifference(long('un trimestre.'), long('deux trimestres.'), pipe)).to.equal(
      long('[-un-]{+deux+} [-trimestre-]{+trimestres+}.'),
    );
  });

  it('of a long text leaves out at a terminal what did not change', () => {
    const text = fieldDifference(long('un an.'), long('deux ans.'), terminal);
    expect(text).to.match(/^… .*hôpitaux acquerront \[-un-\]\{\+deux\+\} \[-an-\]\{\+ans\+\}\.$/);
  });

  it('begins with a first version as people read it, its lists by line', () => {
    const document = { roles: [{ role: 'Membre' }, { role: 'Présidente' }], source_ids: ['s1', 's2'] };
    const version = { seen_from: '2031-03-04T06:00:00.000Z', seen_to: null, part: 'record', changes: [] };
    expect(renderVersion({ ...version, document }, terminal)).to.equal(
      [
        '4 March 2031, 06:00 UTC to now  record',
        '    roles       role Membre',
        '                role Présidente',
        '    source_ids  s1, s2',
        '',
      ].join('\n'),
    );
  });

  it('of a list names the items that went and came', () => {
    expect(fieldDifference(['a', 'b'], ['b', { id: 'c' }], pipe)).to.equal('- a\n+ {"id":"c"}');
    expect(fieldDifference(['a', 'b'], ['b', 'a'], pipe)).to.equal('in another order');
  });

  it('of a list says at a terminal every field of an item that is stated, by what it is called', () => {
    const began = { party: 'crue', role: 'Membre', start: '2031-03-04', end: null };
    expect(fieldDifference([], [{ ...began, seats: 0 }], terminal)).to.equal(
      '+ party crue, role Membre, start 4 March 2031, seats 0',
    );
    expect(fieldDifference([{ of: { n: 1 } }], [], terminal), 'what is deeper stays whole').to.equal(
      '- {"of":{"n":1}}',
    );
  });

  it('brings no control character to the screen', () => {
    expect(fieldDifference('a\x1b[2J', 'b\u202e', terminal)).to.equal('a[2J → b');
  });

  it('gives the older and the newer text back when its marks are read', () => {
    const before = long('un trimestre par an, l’été.');
    const after = long('rien  du tout, l’hiver : 49.3 !');
    const diff = wordDiff(before, after, { context: undefined, style: styleOf(pipe) })!;
    expect(diff.replace(/\{\+.*?\+\}/gs, '').replace(/\[-(.*?)-\]/gs, '$1')).to.equal(before);
    expect(diff.replace(/\[-.*?-\]/gs, '').replace(/\{\+(.*?)\+\}/gs, '$1')).to.equal(after);
  });
});

describe('changes at a terminal', () => {
  const change = {
    seen_at: '2031-05-06T06:00:00.123Z',
    change: 'edited',
    kind: 'promise',
    key: 'p-1',
    politician: 'ada-brume',
    title: 'Des phares',
    fields: [{ field: 'status', old: null, new: 'en cours' }],
  };
  const nameOf = () => 'Ada Brume';

  it('stand under the moment at which they were seen, each with its title and whom it is about', () => {
    const block = createChangeRenderer(() => false)(nameOf);
    const withdrawn = { ...change, change: 'withdrawn', key: 'p-2', fields: [] };
    const text = [change, withdrawn, { ...withdrawn, seen_at: '2031-05-05T06:00:00Z' }].map((each) =>
      block(each, terminal),
    );
    expect(text.join('')).to.equal(
      [
        '6 May 2031, 06:00 UTC',
        '  edited promise  p-1',
        '    Des phares · Ada Brume',
        '    status  (nothing) → en cours',
        '  withdrawn promise  p-2',
        '    Des phares · Ada Brume',
        '',
        '5 May 2031, 06:00 UTC',
        '  withdrawn promise  p-2',
        '    Des phares · Ada Brume',
        '',
      ].join('\n'),
    );
  });

  it('have each word of an edit in a colour beside its marks, and none in a pipe', () => {
    const colours = { ...terminal, colour: true };
    const edit = fieldDifference(long('un an.'), long('deux ans.'), colours);
    expect(edit).to.contain('\x1b[31m[-un-]\x1b[39m\x1b[32m{+deux+}\x1b[39m');
    expect(fieldDifference('a b', 'c', colours)).to.equal('\x1b[31ma\x1b[39m \x1b[31mb\x1b[39m → \x1b[32mc\x1b[39m');
    expect(fieldDifference('a', 'c', { ...colours, isTTY: false })).to.equal('a → c');
  });

  it('of a first fill are counted only, with the command that lists them', () => {
    const isOfFirstFill = ({ change: sort, seen_at: at }: Document) => sort === 'added' && String(at) < '2031-05-06';
    const block = createChangeRenderer(isOfFirstFill)(nameOf);
    const added = { ...change, change: 'added', fields: [], seen_at: '2031-05-05T06:00:00Z' };
    expect([block(added, terminal), block(change, terminal)][0]).to.equal('');
    expect(block({ ...added, change: 'withdrawn' }, terminal)).to.include('withdrawn promise  p-1');
    const summary = {
      since: '2031-05-01T00:00:00Z',
      total: 9,
      counts: new Map([['promise', new Map([['added', 9]])]]),
    };
    const linesOf = (counted: typeof summary | null) =>
      firstFillLines(counted, isOfFirstFill, { command: 'hemicycle changes --all', terminal }).join(' ');
    expect(linesOf(summary)).to.include('`hemicycle changes --all` lists');
    expect(linesOf(null)).to.equal(linesOf(summary));
    expect(linesOf({ ...summary, since: '2031-05-07T00:00:00Z' })).to.equal('');
  });

  it('are counted by kind before they are told', () => {
    const counts = new Map([
      ['promise', new Map([['withdrawn', 2]])],
      [
        'politician',
        new Map([
          ['edited', 1],
          ['added', 1200],
        ]),
      ],
    ]);
    expect(changeSummary({ since: '2031-05-01T00:00:00Z', total: 1203, counts }, terminal)).to.deep.equal([
      '1,203 changes seen since 1 May 2031, 00:00 UTC',
      '  promises     2 withdrawn',
      '  politicians  1,200 added, 1 edited',
    ]);
    expect(changeSummary(null, terminal)).to.deep.equal([]);
  });
});
