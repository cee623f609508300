import { sanitiseTold } from '../format/sanitise.ts';
import type { UserText } from '../words/speech.ts';
import { renderTable } from './table.ts';
import { type Colour, type Style, styleOf, type Terminal } from './terminal.ts';
import { wrap } from './view.ts';
import { displayWidth, padded } from './width.ts';

/** How a check ended: nothing to do, worth a look, or something is wrong. */
export type Level = 'ok' | 'warning' | 'problem';

/** One thing that was looked at: what it says, and what to do about it where anything is to be done. */
export type Check = {
  name: string;
  level: Level;
  says: UserText;
  todo: UserText | null;
  /** What it found one by one. */
  lines?: UserText[];
};

/** A setting, its value as it may be shown, and where it came from. */
export type ShownSetting = { setting: string; value: string | null; origin: string; variable: string };

const signs: Record<Level, [sign: string, colour: Colour]> = {
  ok: ['✓', 'green'],
  warning: ['!', 'yellow'],
  problem: ['✗', 'red'],
};

/** The checks for people: a sign and a word for how each ended, what it says, and below what to do; then the settings. */
export async function checksText(
  checks: readonly Check[],
  settings: readonly ShownSetting[],
  terminal: Terminal,
): Promise<string> {
  const { speech } = terminal;
  const style = styleOf(terminal);
  const words = [...checks.map(({ name }) => speech.word(name)), ''];
  const levels = (Object.keys(signs) as Level[]).map((level) => speech.word(level));
  const widths = {
    name: Math.max(...words.map(displayWidth)),
    level: Math.max(...levels.map(displayWidth)),
  };
  const lines = checks.flatMap((check) => checkLines(check, { terminal, style, widths }));
  const table =
    settings.length === 0
      ? ''
      : `\n${await renderTable([...settings], {
          columns: ['setting', 'value', 'origin'],
          header: true,
          terminal,
        })}`;
  return `${lines.map((line) => `${line}\n`).join('')}${table}`;
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
  const [first = '', ...rest] = told(check.says, terminal, room);
  const more = [...(check.lines ?? []).flatMap((line) => told(line, terminal, room, '- '))];
  const todo = check.todo === null ? [] : told(check.todo, terminal, room, '→ ');
  const indented = (line: string) => `${' '.repeat(margin)}${line}`;
  const head = `${style.colour(colour, level)}  ${style.bold(isNarrow ? speech.word(check.name) : padded(speech.word(check.name), widths.name))}`;
  return [
    ...(isNarrow ? [head, indented(first)] : [`${head}  ${first}`]),
    ...[...rest, ...more].map(indented),
    ...todo.map((line) => indented(style.bold(line))),
  ];
}

/** The lines of a text behind a mark, those that go on below it. */
function told(text: UserText, { speech }: Terminal, room: number, mark = ''): string[] {
  return wrap(sanitiseTold(speech.tell(text)), room - mark.length).map(
    (line, at) => `${at === 0 ? mark : ' '.repeat(mark.length)}${line}`,
  );
}
