import { expect } from 'chai';
import { linkAddress, styleOf, terminalOf } from '../../src/terminal/terminal.ts';
import { speechOf } from '../../src/words/speech.ts';

const screen = { isTTY: true, columns: 100 };

describe('a terminal', () => {
  const cases: [string, object, Record<string, string>, { colour?: boolean }, boolean][] = [
    ['shows colour at a terminal', screen, {}, {}, true],
    ['shows none in a pipe', {}, {}, {}, false],
    ['honours NO_COLOR', screen, { NO_COLOR: '1' }, {}, false],
    ['ignores an empty NO_COLOR', screen, { NO_COLOR: '' }, {}, true],
    ['honours FORCE_COLOR in a pipe', {}, { FORCE_COLOR: '1' }, {}, true],
    ['honours FORCE_COLOR=0', screen, { FORCE_COLOR: '0' }, {}, false],
    ['honours CLICOLOR_FORCE in a pipe', {}, { CLICOLOR_FORCE: '1' }, {}, true],
    ['ignores CLICOLOR_FORCE=0', {}, { CLICOLOR_FORCE: '0' }, {}, false],
    ['honours CLICOLOR=0', screen, { CLICOLOR: '0' }, {}, false],
    ['honours TERM=dumb', screen, { TERM: 'dumb' }, {}, false],
    ['lets a refusal win over a demand', screen, { NO_COLOR: '1', FORCE_COLOR: '1' }, {}, false],
    ['lets --no-color win over all', screen, { FORCE_COLOR: '1' }, { colour: false }, false],
  ];
  for (const [name, stream, environment, flags, colour] of cases)
    it(name, () => expect(terminalOf(stream, environment, flags).colour).to.equal(colour));

  it('is 80 columns wide if it does not say, and endless in a pipe', () => {
    expect(terminalOf({ isTTY: true, columns: 0 }, {}).columns).to.equal(80);
    expect(terminalOf({ columns: 40 }, {}).columns).to.equal(Number.POSITIVE_INFINITY);
  });

  it('is as wide as COLUMNS says, in a pipe too, where that is a number', () => {
    expect(terminalOf(screen, { COLUMNS: '60' }).columns).to.equal(60);
    expect(terminalOf({}, { COLUMNS: '60' }).columns).to.equal(60);
    for (const COLUMNS of ['', '0', 'wide', '-3']) expect(terminalOf(screen, { COLUMNS }).columns).to.equal(100);
  });

  it('moves nothing for a dumb terminal, and draws nothing where ACCESSIBLE is set', () => {
    const screenTraits = (environment: Record<string, string>) => {
      const { forbidsRedraw, usesTextForGraphics } = terminalOf(screen, environment);
      return [forbidsRedraw, usesTextForGraphics];
    };
    expect(screenTraits({})).to.deep.equal([false, false]);
    expect(screenTraits({ TERM: 'dumb' })).to.deep.equal([true, false]);
    expect(screenTraits({ ACCESSIBLE: '1' })).to.deep.equal([true, true]);
    expect(screenTraits({ ACCESSIBLE: '0' })).to.deep.equal([false, false]);
  });

  it('shows hyperlinks only where they are known to work, never in a pipe', () => {
    const wezTerm = { TERM_PROGRAM: 'WezTerm' };
    expect(terminalOf(screen, wezTerm).hyperlinks).to.equal(true);
    expect(terminalOf(screen, {}).hyperlinks).to.equal(false);
    expect(terminalOf({}, { ...wezTerm, FORCE_COLOR: '1' }).hyperlinks).to.equal(false);
    expect(terminalOf(screen, { ...wezTerm, NO_COLOR: '1' }).hyperlinks).to.equal(false);
  });
});

describe('a style', () => {
  it('gives the text back untouched where the terminal shows nothing', () => {
    const style = styleOf(terminalOf({}, {}));
    const texts = [style.bold('a'), style.dim('b'), style.colour('red', 'c'), style.link('d', 'https://e.example')];
    expect(texts).to.deep.equal(['a', 'b', 'c', 'd']);
  });

  it('writes escapes where it does', () => {
    const style = styleOf({
      isTTY: true,
      columns: 80,
      colour: true,
      hyperlinks: true,
      speech: speechOf('en'),
    });
    expect(style.bold('a')).to.equal('\x1b[1ma\x1b[22m');
    expect(style.link('d', 'https://e.example/\x1bé')).to.equal(
      '\x1b]8;;https://e.example/%1B%C3%A9\x1b\\d\x1b]8;;\x1b\\',
    );
  });

  it('tints with a contrast of 3 to 1 on black and on white, in the palette as in all colours', () => {
    const screen = { isTTY: true, columns: 80, colour: true, hyperlinks: true, speech: speechOf('en') };
    const light = (rgb: number[]) =>
      rgb
        .map((value) => value / 255)
        .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
        .reduce((sum, share, at) => sum + share * [0.2126, 0.7152, 0.0722][at]!, 0.05);
    const levels = [0, 95, 135, 175, 215, 255];
    for (const trueColour of [true, false])
      for (const hex of ['#0d378a', '#ffffff', '#000000', '#ffed00', '#cc2443', '#2e7d9a', '#00ff00', '#b0c4de']) {
        const tinted = styleOf({ ...screen, trueColour }).tint(hex, 'x');
        const code = /\[38;[25];([\d;]+)m/.exec(tinted)![1]!.split(';').map(Number);
        const cube = code[0]! - 16;
        const rgb = trueColour
          ? code
          : [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((at) => levels[at]!);
        expect(light(rgb) / 0.05, `${hex} on black`).to.be.at.least(3);
        expect(1.05 / light(rgb), `${hex} on white`).to.be.at.least(3);
      }
  });

  it('links the web and nothing else', () => {
    const addresses = ['https://e.example/', 'file:///etc/passwd', 'javascript:alert(1)', 'no address', null];
    expect(addresses.map(linkAddress)).to.deep.equal(['https://e.example/', null, null, null, null]);
  });
});
