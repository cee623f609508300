import { audit } from '../../questions/audit.ts';
import { examplesOf, flagsOf } from '../question-flags.ts';
import { ReadingCommand } from '../reading-command.ts';

export default class Audit extends ReadingCommand {
  static override summary = 'the anonymised log of moderation actions, newest first';
  static override examples = examplesOf(audit);
  static override flags = flagsOf(audit);

  async run(): Promise<void> {
    const { flags } = await this.parse(Audit);
    await this.answer(audit, this.valuesOf(audit, flags), flags);
  }
}
