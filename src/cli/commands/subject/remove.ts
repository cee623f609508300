import { UsageError } from '../../../errors.ts';
import { fold } from '../../../language/fold.ts';
import { findUserSubject, saveSubject } from '../../../store/subjects.ts';
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
    const { name } = findUserSubject(mirror, args.name);
    const watchBook = this.watchesIfAny();
    const isThisSubject = (each: string) => fold(each) === fold(name);
    const dependentWatches = (watchBook ? listWatches(watchBook) : []).filter((each) =>
      watchedSubjects(parseWatch(each.words)).some(isThisSubject),
    );
    if (dependentWatches.length > 0)
      throw new UsageError(
        say`watches filter by the subject ${name}: ${dependentWatches.map((each) => each.name).join(', ')}`,
        say`remove them first, as in \`hemicycle watch remove ${dependentWatches[0]!.name}\``,
      );
    await saveSubject(mirror.path, name, null); // removes it
    await this.print({ removed: name }, say`removed the subject ${name}`);
  }
}
