import { setTimeout as sleep } from 'node:timers/promises';
import { InterruptedError } from '../../errors.ts';
import { takeLock } from '../../store/lock.ts';
import { openWritableMirror } from '../../store/open.ts';
import { findImportFiles, importFiles } from '../../sync/import.ts';
import { figure, say, wordPhrase } from '../../words/speech.ts';
import { acceptClockFlag, clockOf } from '../accepted-clock.ts';
import { HemicycleCommand } from '../base-command.ts';
import { embed, embedFlag } from '../embedding.ts';
import { Args } from '../oclif.ts';
import { onEndSignal } from '../process.ts';

const again = say`to go on: ${'hemicycle sync --embed only'}`;

export default class Import extends HemicycleCommand {
  static override summary = 'fill the mirror from files';
  static override description =
    'Files are named after the kinds: politicians.ndjson, ballots.ndjson.gz, sources.csv, parties.parquet. A file with a bad line is named and left out whole.';
  static override examples = [
    { description: 'A folder of records', command: '<%= config.bin %> import data/' },
    {
      description: 'One file, into a mirror of its own',
      command: '<%= config.bin %> import politicians.csv --db mine.db',
    },
  ];
  static override args = {
    path: Args.string({ ignoreStdin: true, description: 'a folder, or one file', required: true }),
  };

  static override flags = { embed: embedFlag(['also', 'none']), 'accept-clock': acceptClockFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Import);
    const files = findImportFiles(args.path);
    const settings = this.settingsWith(flags);
    const progress = this.progress(flags);
    const lock = await takeLock(settings.db, { sleep: (ms) => sleep(ms) });
    this.closing({ close: () => lock.release() });
    const mirror = this.closing(openWritableMirror(settings.db));
    const clock = clockOf(mirror, {
      isAccepted: flags['accept-clock'],
      note: (line) => progress.note(line),
    });
    const results = await importFiles(mirror, files, {
      at: new Date(clock.now()).toISOString(),
      note: (text) => progress.note(text),
      progress: ({ kind }, saved) => progress.update(say`${wordPhrase(kind.plural)}: ${figure(saved)}`),
    });
    progress.stop();
    for (const { file, outcomes } of results) {
      if (outcomes)
        progress.done(
          say`${wordPhrase(file.kind.plural)}: ${figure(outcomes.added)} added, ${figure(outcomes.edited + outcomes.returned)} changed, ${figure(outcomes.same + outcomes.touched)} unchanged`,
        );
    }
    for (const { leftOut } of results) {
      if (leftOut.size > 0)
        progress.note(say`audit: left out, for it may identify a person: ${[...leftOut.keys()].join(', ')}`);
    }
    const failures = results.flatMap(({ error }) => error ?? []);
    for (const failure of failures.slice(1)) progress.note(failure.phrase);
    if (failures[0]) throw failures[0];
    if (!flags.quiet) this.sinks().stderr(say`the mirror is ${settings.db}`);
    if (flags.embed === 'none' || settings.embeddings === null) return;
    const controller = new AbortController();
    onEndSignal((exit) =>
      controller.abort(new InterruptedError(exit, say`interrupted; what was saved stays`, again)),
    );
    const made = await embed({
      mirror,
      embeddings: settings.embeddings,
      userAgent: this.userAgent,
      trace: this.trace(flags),
      signal: controller.signal,
      progress,
    });
    if (made !== null) progress.done(made);
  }
}
