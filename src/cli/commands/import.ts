import { isBackup } from '../../export/backup.ts';
import { whyUnreadableInput } from '../../format/formats.ts';
import { openWritableMirror } from '../../store/open.ts';
import { createRunClock } from '../../sync/clock.ts';
import { findImportFiles, importFiles, skippedFileNotes } from '../../sync/import.ts';
import { figure, say, wordPhrase } from '../../words/speech.ts';
import { HemicycleCommand } from '../base-command.ts';
import { diskSpaceForFiles, lowSpaceWarning } from '../disk-space.ts';
import { embed, embedFlag } from '../embedding.ts';
import { acceptClockFlag } from '../flag-values.ts';
import { importBackup } from '../import-backup.ts';
import { argument } from '../oclif.ts';
import { limitHeapGrowth, stopSignal } from '../process.ts';

export default class Import extends HemicycleCommand {
  static override args = { path: argument('a folder, or one file') };
  static override flags = { embed: embedFlag(['also', 'none']), 'accept-clock': acceptClockFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Import);
    const settings = this.settingsWith();
    if (await isBackup(args.path)) return importBackup(this, args.path, settings);
    const files = findImportFiles(args.path);
    limitHeapGrowth({ nurseryMb: 8 });
    const progress = this.progress();
    await this.lock(settings.db);
    for (const note of skippedFileNotes(args.path, files)) progress.note(note);
    const paths = files.filter((file) => whyUnreadableInput(file) === null).map(({ path }) => path);
    const spaceWarning = lowSpaceWarning(diskSpaceForFiles(settings.db, paths));
    if (spaceWarning) progress.note(spaceWarning);
    const mirror = this.closeAtEnd(openWritableMirror(settings.db, settings));
    const clock = createRunClock(mirror, { isAccepted: flags['accept-clock'] });
    const results = await importFiles(mirror, files, {
      at: new Date(clock.now()).toISOString(),
      note: progress.note,
      progress: ({ kind }, saved) => progress.update(say`${wordPhrase(kind.plural)}: ${figure(saved)}`),
    });
    progress.stop();
    for (const { file, outcomes } of results)
      if (outcomes)
        progress.done(
          say`${wordPhrase(file.kind.plural)}: ${figure(outcomes.added)} added, ${figure(outcomes.edited + outcomes.returned)} changed, ${figure(outcomes.same + outcomes.touched)} unchanged`,
        );
    for (const { omittedCounts } of results)
      if (omittedCounts.size > 0)
        progress.note(say`audit: omitted because it may identify a person: ${[...omittedCounts.keys()].join(', ')}`);
    const [failure, ...otherFailures] = results.flatMap(({ error }) => error ?? []);
    for (const other of otherFailures.toReversed()) failure!.withRemark(other.phrase); // prepends
    if (failure) throw failure;
    this.note(say`the mirror is ${settings.db}`);
    if (flags.embed === 'none' || settings.embeddings === null) return;
    const signal = stopSignal(say`interrupted; saved data is kept`, say`to continue: ${'hemicycle sync --embed only'}`);
    const embedSummary = await embed(this, { mirror, embeddings: settings.embeddings, signal, progress });
    if (embedSummary !== null) progress.done(embedSummary);
  }
}
