import { topics } from '../../questions/topics.ts';
import { examplesOf } from '../question-flags.ts';
import { ReadingCommand } from '../reading-command.ts';

export default class Topics extends ReadingCommand {
  static override summary = topics.summary;
  static override examples = examplesOf(topics);

  async run(): Promise<void> {
    const { flags } = await this.parse(Topics);
    await this.answer(topics, {}, flags);
  }
}
