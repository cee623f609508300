import type { ListQuestion } from '../questions/question.ts';
import type { Command } from './oclif.ts';
import { argsOf, examplesOf, flagsOf } from './question-flags.ts';
import { ReadingCommand } from './reading-command.ts';

/** Creates a command from a list question alone: its arguments, flags and table columns. */
export function questionCommand(question: ListQuestion): Command.Class {
  return class extends ReadingCommand {
    static override summary = question.summary;
    static override description = question.description as string;
    static override examples = examplesOf(question);
    static override args = argsOf(question);
    static override flags = flagsOf(question);

    async run(): Promise<void> {
      const { args, flags } = await this.parse(this.constructor as typeof ReadingCommand);
      await this.answer(question, this.valuesOf(question, { ...args, ...flags }), flags);
    }
  } as unknown as Command.Class;
}
