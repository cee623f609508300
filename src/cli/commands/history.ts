import { history } from '../../questions/history.ts';
import { renderVersion } from '../../terminal/change-view.ts';
import { commandAbout } from '../question-command.ts';
import { referenceArgs } from '../typed-words.ts';

export default class History extends commandAbout(history) {
  static override args = referenceArgs;

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(History);
    await this.answer(history, this.resolveRecord(argv as string[], flags), flags, { blocks: () => renderVersion });
  }
}
