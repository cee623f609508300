import { UsageError } from '../errors.ts';
import type { ListQuestion } from '../questions/question.ts';
import { say } from '../words/speech.ts';
import { Args, type Command } from './oclif.ts';
import { examplesOf, flagsOf } from './question-flags.ts';
import { ReadingCommand } from './reading-command.ts';

/** The command of a question about groups, which are typed without a flag: `compare ADR PDV`. */
export function groupsCommand(question: ListQuestion): Command.Class {
  const { group: described } = question.parameters;
  const { group: _group, ...flags } = flagsOf(question);
  return class extends ReadingCommand {
    static override summary = question.summary;
    static override description = question.description as string;
    static override examples = examplesOf(question);
    static override strict = false;
    static override args = {
      groups: Args.string({ ignoreStdin: true, description: described!.description, required: false }),
    };
    static override flags = flags;

    async run(): Promise<void> {
      const { argv, flags } = await this.parse(this.constructor as typeof ReadingCommand);
      if (described!.isRequired && argv.length < 2)
        throw new UsageError(
          say`name two groups at least, or one and \`majority\``,
          say`as in \`hemicycle compare ADR majority\``,
        );
      const group = argv.length > 0 ? argv.map(String) : undefined;
      await this.answer(question, this.valuesOf(question, { ...flags, group }), flags);
    }
  } as unknown as Command.Class;
}
