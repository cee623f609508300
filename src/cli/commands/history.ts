import { kindOf } from '../../model/kinds.ts';
import { history } from '../../questions/history.ts';
import { versionBlock } from '../../terminal/change-view.ts';
import { argsOf, examplesOf } from '../question-flags.ts';
import { ReadingCommand } from '../reading-command.ts';
import { referredTo } from '../reference-args.ts';

export default class History extends ReadingCommand {
  static override summary = history.summary;
  static override description = history.description;
  static override examples = examplesOf(history);
  static override args = argsOf(history);

  async run(): Promise<void> {
    const { args, flags } = await this.parse(History);
    const values = this.valuesOf(history, args);
    if (values.kind === 'ballot') {
      // A ballot may be named by its number too, as in `show`.
      const mirror = this.mirror();
      values.key = referredTo(mirror, values.key, kindOf('ballot')).key;
    }
    await this.answer(history, values, flags, { blocks: () => versionBlock });
  }
}
