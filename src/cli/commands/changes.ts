import { exitCodes } from '../../errors.ts';
import { changes } from '../../questions/changes.ts';
import type { Listing } from '../../questions/question.ts';
import { createFirstFillTest } from '../../store/history/past.ts';
import { changeSummary, createChangeRenderer, firstFillLines, renderChange } from '../../terminal/change-view.ts';
import { Flags, switchFlag } from '../oclif.ts';
import { commandAbout } from '../question-command.ts';
import { flagsOf, fullListCommand } from '../question-flags.ts';
import { wordsArg } from '../typed-words.ts';

export default class Changes extends commandAbout(changes) {
  static override args = wordsArg;
  static override flags = {
    ...flagsOf(changes),
    limit: Flags.string({ char: 'n', description: 'maximum number of changes (default: all)' }),
    'exit-status': switchFlag('exit 20 if there are changes, otherwise 0'),
  };

  async run(): Promise<void> {
    const { argv, flags: typedFlags } = await this.parse(Changes);
    const flags = this.withWords(changes, argv, typedFlags);
    const readsAllPages = flags.all || flags.limit === undefined;
    const parsedValues = this.valuesOf(changes, flags);
    const values = readsAllPages ? { ...parsedValues, limit: Number.POSITIVE_INFINITY } : parsedValues;
    const terminal = this.terminal();
    const isCurrent = flags['as-of'] === undefined;
    // At a terminal, unless flags ask for them, omit additions of the first import or sync; `lead` notes the omission.
    const omitsFirstFill = terminal.isTTY && isCurrent && !flags.all && flags.limit === undefined && !flags.only;
    const isOfFirstFill = omitsFirstFill ? createFirstFillTest(this.mirror()) : null;
    const lead = ({ countAll }: Pick<Listing, 'countAll'>) => {
      if (!isCurrent) return [];
      const summary = countAll?.() ?? null;
      const command = fullListCommand(this.id!, this.argv, null);
      const omission = isOfFirstFill ? firstFillLines(summary, isOfFirstFill, { command, terminal }) : [];
      return [...changeSummary(summary, terminal), ...omission];
    };
    const blocks = terminal.isTTY ? createChangeRenderer(isOfFirstFill) : () => renderChange;
    const { shown } = await this.answer(changes, values, flags, { blocks, lead, readsAllPages });
    if (flags['exit-status'] && shown > 0) process.exitCode = exitCodes.changesFound;
  }
}
