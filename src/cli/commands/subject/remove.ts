import { findSubject, saveSubject } from '../../../store/subjects.ts';
import { say } from '../../../words/speech.ts';
import { HemicycleCommand } from '../../base-command.ts';
import { subjectArgument } from '../../subject-command.ts';

export default class SubjectRemove extends HemicycleCommand {
  static override args = { name: subjectArgument };

  async run(): Promise<void> {
    const { args } = await this.parse(SubjectRemove);
    const mirror = this.mirror();
    const { name } = findSubject(mirror, args.name);
    await saveSubject(mirror.path, name, null);
    await this.print({ removed: name }, say`removed the subject ${name}`);
  }
}
