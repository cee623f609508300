import { sanitiseLine } from '../../format/sanitise.ts';
import { savedAnswer, savedList } from '../../questions/ask.ts';
import { individualVoteNotes } from '../../questions/individual-votes.ts';
import { findSavedQuestion, readSavedQuestions } from '../../questions/saved-questions.ts';
import { say } from '../../words/speech.ts';
import { timeoutFlag } from '../flag-values.ts';
import { optionalArgument } from '../oclif.ts';
import { examplesOf, flagsOf, sqlAssignments, sqlParameterFlags } from '../question-flags.ts';
import { ReadingCommand } from '../reading-command.ts';

export default class Ask extends ReadingCommand {
  static override summary = 'run a saved question, or list all of them';
  static override description = savedAnswer.description as string;
  static override examples = examplesOf(savedList, savedAnswer);
  static override args = { name: optionalArgument(savedAnswer.parameters.name.description) };
  static override flags = { ...flagsOf(savedAnswer), timeout: timeoutFlag };

  async run(): Promise<void> {
    const questionSet = readSavedQuestions(this.settingsWith().questions);
    // oclif must know the question's parameters as flags before it parses, so find its name in the raw words.
    const question = this.argv.map((word) => questionSet.questions.get(word)).find((each) => each !== undefined);
    // Free text that asks how a person or group voted: note the commands that list these votes.
    if (question === undefined && this.argv.length > 1)
      for (const note of individualVoteNotes(this.mirror(), this.argv.join(' '))) this.note(note);
    const names = (question?.parameters ?? []).map(({ name }) => name);
    const { baseFlags } = Ask;
    const parameters = sqlParameterFlags(names, { ...baseFlags, ...Ask.flags });
    const { args, flags } = await this.parse({ ...Ask, baseFlags, flags: { ...Ask.flags, ...parameters } });
    if (args.name === undefined) return void (await this.answer(savedList, {}, flags));
    const { title, about } = findSavedQuestion(questionSet, args.name);
    this.title = this.speech.render(title);
    if (!flags.quiet) this.note(sanitiseLine(this.speech.render(about === null ? title : say`${title}. ${about}`)));
    const input = { ...flags, name: args.name, with: sqlAssignments(flags, Object.keys(parameters), flags.with) };
    await this.answer(savedAnswer, this.valuesOf(savedAnswer, input), flags);
  }
}
