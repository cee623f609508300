import { fileURLToPath } from 'node:url';
import { type Command, Config } from '@oclif/core';
import type { Terminal } from '../../src/terminal/terminal.ts';
import type { Language } from '../../src/words/language.ts';
import { loadLanguage, type Phrase, speechOf } from '../../src/words/speech.ts';
import { memorySinks } from './memory-sink.ts';

/** What somebody sits at: so many columns, or a pipe (null). */
export type Seat = { columns: number | null; isColoured?: boolean; language?: Language };

/** The seat in words, as it heads a golden screen. */
export function seatName({ columns, isColoured, language = 'en' }: Seat): string {
  const where = columns === null ? 'pipe' : `${columns} columns`;
  return [where, language, ...(isColoured ? ['colour'] : [])].join(', ');
}

let config: Promise<Config> | undefined;

type Runnable = new (
  argv: string[],
  config: Config,
) => { _run(): Promise<unknown>; common: object; settingsWith(more?: object): unknown };

/**
 * What a command shows there, stdout and then each line of stderr behind `2> `. The command runs in this process: only
 * its terminal and its streams are others.
 */
export async function screenOf(
  command: Command.Class,
  argv: string[],
  { name, db, ...seat }: Seat & { name: string; db: string },
): Promise<string> {
  const { columns, isColoured = false, language = 'en' } = seat;
  config ??= Config.load(fileURLToPath(new URL('../..', import.meta.url)));
  await loadLanguage(language);
  const terminal: Terminal = {
    isTTY: columns !== null,
    columns: columns ?? Number.POSITIVE_INFINITY,
    colour: isColoured,
    hyperlinks: false,
    speech: speechOf(language, { atTerminal: columns !== null }),
  };
  const { stdout, lines } = memorySinks();
  const seated = class extends (command as unknown as Runnable) {
    static id = name;
    override settingsWith(more?: object) {
      this.common = { ...this.common, db };
      return super.settingsWith(more);
    }
    terminal() {
      return terminal;
    }
    sinks() {
      return { stdout, stderr: (userText: Phrase) => void lines.push(terminal.speech.render(userText)) };
    }
    async catch(error: Error) {
      lines.push(`Error: ${error.message}`);
    }
  };
  // The parser reads what a class states itself, not what it inherits.
  const {
    length: _length,
    name: _name,
    prototype: _prototype,
    id: _id,
    ...ownProperties
  } = Object.getOwnPropertyDescriptors(command);
  Object.defineProperties(seated, ownProperties as PropertyDescriptorMap);
  await new seated([...argv, '--lang', language], await config)._run();
  return `${stdout.text}${lines.map((line) => `2> ${line}\n`).join('')}`;
}
