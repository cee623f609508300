import { expect } from 'chai';
import { changeBlock, differenceText, wordDiff } from '../../src/terminal/change-view.ts';
import { speechOf } from '../../src/words/speech.ts';

const pipe = { isTTY: false, columns: 100, colour: false, hyperlinks: false, speech: speechOf('en') };
const terminal = { ...pipe, isTTY: true };
const long = (ending: string) =>
  `Gardiens de phare, éclusiers, veilleurs de sémaphore et agents de nuit des hôpitaux acquerront ${ending}`;

describe('a change, for people,', () => {
  it('is a line that says what was seen when, and a line a field', () => {
    const block = changeBlock(
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
    expect(differenceText(long('un trimestre.'), long('deux trimestres.'), pipe)).to.equal(
      long('[-un-]{+deux+} [-trimestre-]{+trimestres+}.'),
    );
  });

  it('of a long text leaves out at a terminal what did not change', () => {
    const text = differenceText(long('un an.'), long('deux ans.'), terminal);
    expect(text).to.match(/^… .*hôpitaux acquerront \[-un-\]\{\+deux\+\} \[-an-\]\{\+ans\+\}\.$/);
  });

  it('of a list names the items that went and came', () => {
    expect(differenceText(['a', 'b'], ['b', { id: 'c' }], pipe)).to.equal('- a\n+ {"id":"c"}');
    expect(differenceText(['a', 'b'], ['b', 'a'], pipe)).to.equal('in another order');
  });

  it('brings no control character to the screen', () => {
    expect(differenceText('a\x1b[2J', 'b\u202e', terminal)).to.equal('a[2J → b');
  });

  it('gives the older and the newer text back when its marks are read', () => {
    const [before, after] = [long('un trimestre par an, l’été.'), long('rien  du tout, l’hiver : 49.3 !')];
    const diff = wordDiff(before, after)!;
    expect(diff.replace(/\{\+.*?\+\}/gs, '').replace(/\[-(.*?)-\]/gs, '$1')).to.equal(before);
    expect(diff.replace(/\[-.*?-\]/gs, '').replace(/\{\+(.*?)\+\}/gs, '$1')).to.equal(after);
  });
});
