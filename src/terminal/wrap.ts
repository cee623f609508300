import { displayWidth } from './width.ts';

/** The lines of a text broken at spaces to `width` columns; a word that is longer stands alone, uncut. */
export function wrap(text: string, width: number): string[] {
  return text
    .split('\n')
    .flatMap((line) => (displayWidth(line) <= width ? [line.trimEnd()] : broken(line, width)));
}

function broken(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  let used = 0;
  for (const word of line.split(' ').filter((each) => each !== '')) {
    const length = displayWidth(word);
    if (current !== '' && used + 1 + length > width) {
      lines.push(current);
      current = word;
      used = length;
    } else {
      used += length + (current === '' ? 0 : 1);
      current = current === '' ? word : `${current} ${word}`;
    }
  }
  return [...lines, current];
}
