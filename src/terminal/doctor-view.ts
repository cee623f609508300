import { sanitiseProse } from '../format/sanitise.ts';
import type { Phrase, ShownText } from '../words/speech.ts';
import { styleOf, type Terminal } from './terminal.ts';
import { joinLines, wrapWithHangingIndent } from './view.ts';
import { displayWidth, padText } from './width.ts';

type Level = keyof typeof levelSigns;

/** A check of the installation: its result (`says`), advice (`todo`, null if none) and details (`lines`). */
export type InstallationCheck = { name: string; level: Level; says: Phrase; todo: Phrase | null; lines?: ShownText[] };

const levelSigns = {
  ok: ['✓', 'green'],
  warning: ['!', 'yellow'],
  problem: ['✗', 'red'],
} as const;

/** Renders checks, each with sign, level, name, result, details and advice. */
export function checksText(checks: readonly InstallationCheck[], terminal: Terminal): string {
  const { speech, columns } = terminal;
  const style = styleOf(terminal);
  const widths = {
    name: Math.max(0, ...checks.map(({ name }) => displayWidth(speech.word(name)))),
    level: Math.max(...(Object.keys(levelSigns) as Level[]).map((level) => displayWidth(speech.word(level)))),
  };
  const isNarrow = columns < narrowWidth;
  const margin = isNarrow ? 2 : 2 + widths.level + 2 + widths.name + 2;
  const textWidth = Math.max(20, columns - margin);
  const linesOf = (text: ShownText, mark = '') =>
    wrapWithHangingIndent(sanitiseProse(speech.render(text)), textWidth - mark.length, mark);
  const indentLine = (line: string) => `${' '.repeat(margin)}${line}`;
  const checkLines = (check: InstallationCheck) => {
    const [sign, colour] = levelSigns[check.level];
    const level = `${sign} ${padText(speech.word(check.level), widths.level)}`;
    const [firstLine = '', ...otherLines] = linesOf(check.says);
    const detailLines = (check.lines ?? []).flatMap((line) => linesOf(line, '- '));
    const adviceLines = check.todo === null ? [] : linesOf(check.todo, '→ ');
    const name = speech.word(check.name);
    const head = `${style.colour(colour, level)}  ${style.bold(isNarrow ? name : padText(name, widths.name))}`;
    return [
      ...(isNarrow ? [head, indentLine(firstLine)] : [`${head}  ${firstLine}`]),
      ...[...otherLines, ...detailLines].map(indentLine),
      ...adviceLines.map((line) => indentLine(style.bold(line))),
    ];
  };
  return joinLines(checks.flatMap(checkLines));
}

const narrowWidth = 60;
