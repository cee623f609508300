import { history } from '../../questions/history.ts';
import { renderVersion } from '../../terminal/change-view.ts';
import { commandAbout } from '../question-command.ts';
import { referenceArgs } from '../typed-words.ts';

export default class History extends commandAbout(history) {
  static override args = referenceArgs;

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(History);
    const values = this.resolveRecord(argv as string[], flags);
    await this.answer(history, values, flags, { blocks: () => renderVersion });
  }
}
