import { history } from '../../questions/history.ts';
import { versionBlock } from '../../terminal/change-view.ts';
import { examplesOf } from '../question-flags.ts';
import { ReadingCommand } from '../reading-command.ts';
import { referenceArgs } from '../reference-args.ts';

export default class History extends ReadingCommand {
  static override summary = history.summary;
  static override description = history.description;
  static override examples = examplesOf(history);
  static override strict = false;
  static override args = referenceArgs;

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(History);
    await this.answer(history, this.recordNamed(argv as string[], flags), flags, {
      blocks: () => versionBlock,
    });
  }
}
