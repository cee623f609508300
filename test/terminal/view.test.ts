import { expect } from 'chai';
import { wrapProse } from '../../src/terminal/view.ts';
import { pipe, terminalOfWidth } from '../helpers/memory-sink.ts';

describe('prose at a terminal', () => {
  const text =
    '  un texte sous une liste, plus long que la ligne\nvoir `hemicycle sync --full` ou rien\nliste : hemicycle audit --limit 60';

  it('is wrapped between words, below its indentation, and never within a command', () => {
    expect(wrapProse(text, terminalOfWidth(26))).to.deep.equal([
      '  un texte sous une liste,',
      '  plus long que la ligne',
      'voir',
      '`hemicycle sync --full` ou',
      'rien',
      'liste :',
      'hemicycle audit --limit 60',
    ]);
  });

  it('is whole in a pipe', () => {
    expect(wrapProse(text, pipe)).to.deep.equal(text.split('\n'));
  });
});
