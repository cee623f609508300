import type { ListQuestion } from '../questions/question.ts';
import type { Command } from './oclif.ts';
import { examplesOf, flagsOf } from './question-flags.ts';
import { ReadingCommand } from './reading-command.ts';

/** The command of a list question that needs nothing of its own: its flags, and a table of its columns. */
export function questionCommand(question: Pick<ListQuestion, 'name'>): Command.Class {
  const asked = question as ListQuestion;
  return class extends ReadingCommand {
    static override summary = asked.summary;
    static override description = asked.description as string;
    static override examples = examplesOf(asked);
    static override flags = flagsOf(asked);

    async run(): Promise<void> {
      const { flags } = await this.parse(this.constructor as typeof ReadingCommand);
      await this.answer(asked, this.valuesOf(asked, flags), flags);
    }
  } as unknown as Command.Class;
}
