import { sanitiseProse } from '../format/sanitise.ts';
import type { UserText } from '../words/speech.ts';
import { type Colour, type Style, styleOf, type Terminal } from './terminal.ts';
import { ended, wrap } from './view.ts';
import { displayWidth, padded } from './width.ts';

/** Result level of a check. */
export type Level = 'ok' | 'warning' | 'problem';

/** A check with its result and, if needed, advice. */
export type Check = { name: string; level: Level; says: UserText; todo: UserText | null; lines?: UserText[] };

const signs: Record<Level, [sign: string, colour: Colour]> = {
  ok: ['✓', 'green'],
  warning: ['!', 'yellow'],
  problem: ['✗', 'red'],
};

/** Renders checks with sign, level, result and advice. */
export function checksText(checks: readonly Check[], terminal: Terminal): string {
  const { speech } = terminal;
  const style = styleOf(terminal);
  const words = [...checks.map(({ name }) => speech.word(name)), ''];
  const levels = (Object.keys(signs) as Level[]).map((level) => speech.word(level));
  const widths = { name: Math.max(...words.map(displayWidth)), level: Math.max(...levels.map(displayWidth)) };
  return ended(checks.flatMap((check) => checkLines(check, { terminal, style, widths })));
}

const narrow = 60;

type Drawing = { terminal: Terminal; style: Style; widths: { name: number; level: number } };

function checkLines(check: Check, { terminal, style, widths }: Drawing): string[] {
  const { speech, columns } = terminal;
  const [sign, colour] = signs[check.level];
  const level = `${sign} ${padded(speech.word(check.level), widths.level)}`;
  const isNarrow = columns < narrow;
  const margin = isNarrow ? 2 : 2 + widths.level + 2 + widths.name + 2;
  const room = Math.max(20, columns - margin);
  const [first = '', ...otherLines] = hangingLines(check.says, terminal, room);
  const more = (check.lines ?? []).flatMap((line) => hangingLines(line, terminal, room, '- '));
  const todo = check.todo === null ? [] : hangingLines(check.todo, terminal, room, '→ ');
  const indented = (line: string) => `${' '.repeat(margin)}${line}`;
  const name = speech.word(check.name);
  const head = `${style.colour(colour, level)}  ${style.bold(isNarrow ? name : padded(name, widths.name))}`;
  return [
    ...(isNarrow ? [head, indented(first)] : [`${head}  ${first}`]),
    ...[...otherLines, ...more].map(indented),
    ...todo.map((line) => indented(style.bold(line))),
  ];
}

function hangingLines(text: UserText, { speech }: Terminal, room: number, mark = ''): string[] {
  return wrap(sanitiseProse(speech.render(text)), room - mark.length).map(
    (line, at) => `${at === 0 ? mark : ' '.repeat(mark.length)}${line}`,
  );
}
