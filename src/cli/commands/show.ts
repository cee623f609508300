import { record } from '../../questions/record.ts';
import { examplesOf } from '../question-flags.ts';
import { ReadingCommand } from '../reading-command.ts';
import { referenceArgs, referenceHelp } from '../reference-args.ts';

export default class Show extends ReadingCommand {
  static override summary = record.summary;
  static override description = referenceHelp;
  static override examples = examplesOf(record);
  static override strict = false;
  static override args = referenceArgs;

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Show);
    await this.show(record, this.recordNamed(argv as string[], flags), flags);
  }
}
