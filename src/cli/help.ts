import { CommandHelp, Help } from '@oclif/core';
import { unknownCommand } from './unknown-command.ts';

/** Help of one command that opens with its examples: that is what most people came for. */
class ExamplesFirst extends CommandHelp {
  protected override sections(): ReturnType<CommandHelp['sections']> {
    const sections = super.sections();
    const isExamples = ({ header }: { header: string }) => header === 'EXAMPLES';
    return [...sections.filter(isExamples), ...sections.filter((section) => !isExamples(section))];
  }
}

/** The program's help. */
export default class HemicycleHelp extends Help {
  protected override CommandHelpClass = ExamplesFirst;

  /** Words that begin no command are told as they are where they were to be run. */
  override async showHelp(argv: string[]): Promise<void> {
    const typed = argv.filter((word) => !['--help', '-h'].includes(word));
    if (typed[0] === 'help') typed.shift();
    const flagAt = typed.findIndex((word) => word.startsWith('-'));
    const words = flagAt < 0 ? typed : typed.slice(0, flagAt);
    if (words.length > 0 && !this.isKnown(words)) throw unknownCommand(this.config, words);
    await super.showHelp(argv);
  }

  private isKnown([first = '', second]: string[]): boolean {
    if (this.config.findCommand(first)) return true;
    if (!this.config.findTopic(first)) return false;
    return second === undefined || this.config.findCommand(`${first}:${second}`) !== undefined;
  }
}
