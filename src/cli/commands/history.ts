import { history } from '../../questions/history.ts';
import { versionBlock } from '../../terminal/change-view.ts';
import { argsOf, examplesOf } from '../question-flags.ts';
import { ReadingCommand } from '../reading-command.ts';

export default class History extends ReadingCommand {
  static override summary = history.summary;
  static override description = history.description;
  static override examples = examplesOf(history);
  static override args = argsOf(history);

  async run(): Promise<void> {
    const { args, flags } = await this.parse(History);
    await this.answer(history, this.valuesOf(history, args), flags, { block: versionBlock });
  }
}
