import { UsageError } from '../../../errors.ts';
import { fold } from '../../../language/fold.ts';
import { findOwnSubject, saveSubject } from '../../../store/subjects.ts';
import { listWatches } from '../../../store/watches.ts';
import { parseWatch, watchedSubjects } from '../../../watches/watched-question.ts';
import { say } from '../../../words/speech.ts';
import { subjectArgument } from '../../subject-command.ts';
import { WatchCommand } from '../../watch-command.ts';

export default class SubjectRemove extends WatchCommand {
  static override args = { name: subjectArgument };

  async run(): Promise<void> {
    const { args } = await this.parse(SubjectRemove);
    const mirror = this.mirror();
    const { name } = findOwnSubject(mirror, args.name);
    const book = this.watchesIfAny();
    const isNamed = (each: string) => fold(each) === fold(name);
    const watches = (book ? listWatches(book) : []).filter((each) =>
      watchedSubjects(parseWatch(each.words)).some(isNamed),
    );
    if (watches.length > 0)
      throw new UsageError(
        say`watches filter by the subject ${name}: ${watches.map((each) => each.name).join(', ')}`,
        say`remove them first, as in \`hemicycle watch remove ${watches[0]!.name}\``,
      );
    await saveSubject(mirror.path, name, null);
    await this.print({ removed: name }, say`removed the subject ${name}`);
  }
}
