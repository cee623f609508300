import { setImmediate } from 'node:timers/promises';
import type { Ora } from 'ora';
import type { ExportWatch } from '../export/table.ts';
import { sanitiseLine } from '../format/sanitise.ts';
import { figure, type Phrase, type ShownText, say } from '../words/speech.ts';
import type { Terminal } from './terminal.ts';

/** Progress of a long run; `stop` restores the terminal. */
export type Progress = {
  stage(text: Phrase): void; // starts a stage, which the current line names
  update(text: Phrase): void; // replaces the current line; without effect in a pipe
  done(text: Phrase): void; // ends the current line and prints a line that remains
  note(line: Phrase): void; // prints a line that remains above the current one
  whenDrawn(): Promise<void>; // resolves once the current line is drawn, for runs that block the event loop
  stop(): void;
};

export type ProgressOptions = {
  terminal: Terminal;
  quiet: boolean;
  write: (text: string) => void;
  stream?: NodeJS.WritableStream | undefined;
};

/** Creates a spinner at a terminal that has a width and allows redrawing, else plain lines; nothing if quiet. */
export function createProgress(options: ProgressOptions): Progress {
  if (options.quiet) return createPlainProgress({ ...options, write: noop });
  const { isTTY, forbidsRedraw } = options.terminal;
  // At a terminal without a size (`docker -t`, `script` in a job) ora would loop for ever.
  const lacksWidth = (options.stream as { columns?: number } | undefined)?.columns === 0;
  return isTTY && !forbidsRedraw && !lacksWidth ? createSpinnerProgress(options) : createPlainProgress(options);
}

const noop = () => {};

function createPlainProgress({ write, terminal }: ProgressOptions): Progress {
  const writeLine = (text: Phrase) => write(`${sanitiseLine(terminal.speech.render(text))}\n`);
  return { stage: writeLine, update: noop, done: writeLine, note: writeLine, whenDrawn: async () => {}, stop: noop };
}

function createSpinnerProgress({ write, stream, terminal }: ProgressOptions): Progress {
  let text: string | null = null;
  let spinner: Ora | null = null;
  let moduleLoad: Promise<void> | null = null;
  const load = async () => {
    const { default: ora } = await import('ora');
    spinner = ora({
      // Raw mode would block Ctrl-C while SQLite is busy.
      discardStdin: false,
      isEnabled: true,
      color: terminal.colour ? 'cyan' : false,
      spinner: { interval: 240, frames: ['·  ', '·· ', '···', ' ··', '  ·', '   '] },
      ...(stream ? { stream } : {}),
    });
    draw();
  };
  const draw = () => {
    if (!spinner || text === null) return;
    spinner.text = text;
    if (!spinner.isSpinning) spinner.start();
  };
  const show = (line: ShownText) => {
    text = sanitiseLine(terminal.speech.render(line));
    moduleLoad ??= load();
    draw();
  };
  const stop = () => {
    text = null;
    spinner?.stop();
  };
  const writeLine = (line: Phrase) => write(`${sanitiseLine(terminal.speech.render(line))}\n`);
  return {
    stage: show,
    update: show,
    stop,
    async whenDrawn() {
      await moduleLoad;
      if (text !== null) spinner?.render();
      await setImmediate();
    },
    done(line) {
      stop();
      writeLine(line);
    },
    note(line) {
      const previousText = text;
      stop();
      writeLine(line);
      if (previousText !== null) show(previousText);
    },
  };
}

const showAfterMs = 500; // time until the first progress line, so that short exports show none

const updateEveryMs = 100;

/** Returns a listener that shows the progress of an export: table, rows written, total rows. */
export function exportProgress(progress: Progress, now: () => number): ExportWatch {
  let nextUpdateMs = now() + showAfterMs;
  const totals = new Map<string, number | null>();
  return (table, rows) => {
    const ms = now();
    if (ms < nextUpdateMs) return;
    nextUpdateMs = ms + updateEveryMs;
    const { name } = table;
    if (!totals.has(name)) totals.set(name, table.count());
    const total = totals.get(name) ?? null;
    // Rows are counted in batches of a hundred, which can exceed the total.
    const done = Math.min(rows, total ?? rows);
    progress.update(
      total === null ? say`${name}: ${figure(done)} rows` : say`${name}: ${figure(done)} of ${figure(total)} rows`,
    );
    return progress.whenDrawn();
  };
}
