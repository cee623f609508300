import { expect } from 'chai';
import { asciiText } from '../../src/terminal/ascii.ts';
import { seatMarks } from '../../src/terminal/hemicycle-view.ts';
import { terminalOf } from '../../src/terminal/terminal.ts';

describe('a terminal that shows no more than ASCII', () => {
  it('is one whose locale says so; where nothing is said it shows UTF-8', () => {
    const isAscii = (environment: Record<string, string>) => terminalOf({ isTTY: true }, environment).isAscii;
    for (const LC_ALL of ['C', 'POSIX', 'fr_FR.ISO-8859-1'])
      expect(isAscii({ LC_ALL }), LC_ALL).to.equal(true);
    for (const LC_ALL of ['C.UTF-8', 'fr_FR.utf8', 'fr_FR@euro', 'fr_FR'])
      expect(isAscii({ LC_ALL }), LC_ALL).to.equal(false);
    expect([isAscii({}), isAscii({ LANG: 'C' }), isAscii({ LC_ALL: 'C.UTF-8', LANG: 'C' })]).to.deep.equal([
      ...[false, true, false],
    ]);
  });

  it('is given letters without what they bear, and signs that stay apart', () => {
    expect(asciiText('« Nœud » – Noël… à l’Île ✓ → 中 e\u0301')).to.equal(
      '" Noeud " - Noel~ a l\'Ile + > ?? e',
    );
    const marks = Object.values(seatMarks).map(asciiText);
    expect(new Set(marks).size).to.equal(marks.length);
    expect(new Set(['█', '▒', '·', '│'].map(asciiText)).size).to.equal(4);
  });

  it('keeps columns where they are', () => {
    expect(asciiText('Œuvre commune   8\nParti du Verger 4')).to.equal(
      'OEuvre commune  8\nParti du Verger 4',
    );
    const coloured = '\x1b[1mÎle\x1b[22m  2';
    expect(asciiText(coloured)).to.equal('\x1b[1mIle\x1b[22m  2');
  });
});
