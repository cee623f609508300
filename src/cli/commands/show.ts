import { record } from '../../questions/record.ts';
import { commandAbout } from '../question-command.ts';
import { referenceArgs, referenceHelp } from '../typed-words.ts';

export default class Show extends commandAbout(record) {
  static override description = referenceHelp;
  static override args = referenceArgs;

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Show);
    await this.show(record, this.resolveRecord(argv as string[], flags), flags);
  }
}
