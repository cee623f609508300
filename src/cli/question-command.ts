import { UsageError, WithdrawnError } from '../errors.ts';
import { history } from '../questions/history.ts';
import { flagName, type Parameter, type Parameters } from '../questions/parameter.ts';
import type { ListQuestion, Question, RecordQuestion } from '../questions/question.ts';
import { say } from '../words/speech.ts';
import { cardFlag } from './card-file.ts';
import { optionalArgument } from './oclif.ts';
import { argsOf, examplesOf, flagsOf } from './question-flags.ts';
import { type ListView, ReadingCommand } from './reading-command.ts';
import { takesWords, wordsArg } from './typed-words.ts';

/** Creates the base class of a command about a question, with its texts, arguments and flags, without `run`. */
export function commandAbout(question: Question): typeof ReadingCommand {
  abstract class About extends ReadingCommand {
    static override strict = false;
    static override summary = question.summary;
    static override description = question.description as string;
    static override examples = examplesOf(question);
    static override args = argsOf(question);
    static override flags = flagsOf(question);
  }
  return About;
}

/** Creates the command of a list question; with `takesName`, all words are the value of its one argument. */
export function questionCommand(
  question: ListQuestion,
  { takesName = false, blocks, paragraphs }: Pick<ListView, 'blocks' | 'paragraphs'> & { takesName?: boolean } = {},
): typeof ReadingCommand {
  const positionalArgs = argsOf(question);
  return class extends commandAbout(question) {
    static override strict = !takesName && !takesWords(question.parameters);
    static override args = this.strict || takesName ? positionalArgs : { ...positionalArgs, ...wordsArg };

    async run(): Promise<void> {
      const { args, argv, flags } = await this.parse(this.constructor as typeof ReadingCommand);
      const namedValues = takesName ? { [Object.keys(args)[0]!]: argv.join(' ') } : args;
      const words = takesName ? [] : argv.slice(Object.keys(positionalArgs).length);
      const flagValues = this.withWords(question, words, flags);
      const view = { paragraphs, ...(this.terminal().isTTY && { blocks }) };
      await this.answer(question, await this.readTypedValues(question, { ...namedValues, ...flagValues }), flags, view);
    }
  };
}

/** Creates the command of a question about groups, typed as words: `compare ADR PDV`; `cardOf` draws its card. */
export function groupsCommand(question: ListQuestion, cardOf?: ListView['cardOf']): typeof ReadingCommand {
  const { group: groupParameter } = question.parameters;
  const { group: groupFlag, ...ownFlags } = flagsOf(question);
  const flags = { ...ownFlags, group: { ...groupFlag!, hidden: true } };
  return class extends commandAbout(question) {
    static override args = { groups: optionalArgument(groupParameter!.description) };
    static override flags = cardOf ? { ...flags, card: cardFlag } : flags;

    async run(): Promise<void> {
      const { argv: words, flags } = await this.parse(this.constructor as typeof ReadingCommand);
      // Ignore words between groups, as in `compare RN et LR`; the last word is always a group.
      const separatorPattern = /^(et|and|vs\.?|versus|avec|with|contre|d[eu]s?|l[ea]s?|the|of)$/;
      const argv = words.map(String).filter((word, at) => at === words.length - 1 || !separatorPattern.test(word));
      const names = [...argv, ...[flags.group ?? []].flat().flatMap((list) => String(list).split(','))];
      if (groupParameter!.isRequired && names.length < 2)
        throw new UsageError(
          say`give at least two groups, or one group and \`majority\``,
          say`\`hemicycle parties\` lists them`,
        ).propose(names.length > 0 ? [[this.id!, ...this.argv, 'majority']] : []);
      const group = names.length > 0 ? names : undefined;
      await this.answer(question, await this.readTypedValues(question, { ...flags, group }), flags, { cardOf });
    }
  };
}

/** Creates a command that lists records, or shows the one with a typed slug or name: `parties ADR`. */
export function listOrOneCommand<Ps extends Parameters>(
  summary: string,
  list: ListQuestion<Ps>,
  recordQuestion: RecordQuestion<{ slug: Parameter<string> }>,
): typeof ReadingCommand {
  return class extends ReadingCommand {
    static override summary = summary;
    static override examples = examplesOf(list, recordQuestion);
    static override strict = false;
    static override args = argsOf(recordQuestion, { isRequired: false });
    static override flags = flagsOf(list);

    async run(): Promise<void> {
      const { argv, flags } = await this.parse(this.constructor as typeof ReadingCommand);
      if (argv.length === 0) return void (await this.answer(list, this.valuesOf(list, flags), flags));
      const words = argv.map(String);
      // Flags that only arrange a list are no filters.
      const filters = Object.entries(list.parameters).filter(([name]) => !/^(limit|sort|cursor)$/.test(name));
      const filterFlag = filters.map((each) => flagName(...each)).find((name) => flags[name] !== undefined);
      if (filterFlag)
        throw new UsageError(say`--${filterFlag} applies to the list, not to one record`, say`remove it, or the name`);
      try {
        // A name may be typed without quotes.
        await this.show(recordQuestion, this.valuesOf(recordQuestion, { slug: words.join(' ') }), flags);
      } catch (error) {
        // For a person, list the former versions of a withdrawn record before the error.
        if (this.outputOptions(flags).format === 'table' && error instanceof WithdrawnError) {
          const values = this.valuesOf(history, { kind: recordQuestion.name, key: error.key });
          await this.answer(history, values, { ...flags, columns: undefined });
        }
        throw error;
      }
    }
  };
}
