import { CommandHelp, Help } from '@oclif/core';

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
}
