import { Flags } from '@oclif/core';
import { exitCodes, UsageError } from '../../errors.ts';
import { attributionOf } from '../../model/attribution.ts';
import type { Document } from '../../model/document.ts';
import { type Kind, kinds } from '../../model/kinds.ts';
import { momentOf } from '../../model/moment.ts';
import { changes, historyBegins } from '../../store/changes.ts';
import { citationOf, lastFilled } from '../../store/contents.ts';
import type { Mirror } from '../../store/mirror.ts';
import { findFilterSlug } from '../../store/name-lookup.ts';
import { lastFillBegan } from '../../store/runs.ts';
import { kindNamed } from '../../sync/import.ts';
import { writeAnswer } from '../../terminal/answer.ts';
import { changeBlock } from '../../terminal/change-view.ts';
import { ReadingCommand, refuseAsOf, refuseStale } from '../reading-command.ts';

export default class Changes extends ReadingCommand {
  static override summary = 'what was added, edited, withdrawn or returned, as this mirror saw it';
  static override description =
    'The moments are those at which this mirror saw a change; when it happened at the service is not known.';
  static override examples = [
    {
      description: 'What the last sync or import brought',
      command: '<%= config.bin %> changes --since last',
    },
    {
      description: 'A week of one politician, edits word by word',
      command: '<%= config.bin %> changes --since 7d --politician oceane-bruyevre',
    },
    {
      description: 'For a script: exit 20 if a promise changed since yesterday',
      command: '<%= config.bin %> changes --since 1d --kind promise --exit-status --format ndjson',
    },
  ];
  static override flags = {
    since: Flags.string({
      description: '7d, a date (its beginning, UTC), a moment, or last: the last sync or import',
      helpValue: '7d|DATE|last',
      default: 'last',
    }),
    kind: Flags.string({ description: 'only these kinds of record', helpValue: 'KIND,…' }),
    politician: Flags.string({ description: 'slug or name: only what concerns this politician' }),
    'exit-status': Flags.boolean({ description: 'exit 20 if anything changed, 0 if nothing did' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Changes);
    refuseAsOf(flags, 'changes are told since a moment, with --since');
    if (flags.source === 'service')
      throw new UsageError('the service does not say what changed', 'the mirror does: leave --source out');
    const settings = this.settingsWith(flags);
    const mirror = this.mirror(settings);
    refuseStale(mirror, flags['max-age']);
    const chosen = flags.kind?.split(',').map((word) => kindNamed(word.trim()));
    const since = sinceOf(mirror, flags.since);
    const politician = flags.politician && findFilterSlug(mirror, 'politician', flags.politician);
    const count = { shown: 0 };
    const asOf = lastFilled(mirror);
    await writeAnswer(
      {
        items: counted(changes(mirror, { since, kinds: chosen, politician }) as Iterable<Document>, count),
        columns: ['seen_at', 'change', 'kind', 'key', 'title', 'fields'],
        allColumns: ['seen_at', 'change', 'kind', 'key', 'politician', 'title', 'fields'],
        total: () => count.shown,
        nextCursor: null,
        origin: { from: 'mirror', as_of: asOf },
        extra: { since },
        notes: flags.quiet ? [] : notesOf(mirror, since, chosen),
        attribution: attributionOf(citationOf(settings, mirror), { retrievedAt: asOf }),
        block: changeBlock,
      },
      this.outputOptions(flags),
      this.sinks(),
    );
    if (flags['exit-status'] && count.shown > 0) process.exitCode = exitCodes.changesFound;
  }
}

function* counted(items: Iterable<Document>, count: { shown: number }): Generator<Document> {
  for (const item of items) {
    count.shown += 1;
    yield item;
  }
}

/** The moment that `--since` names, ISO 8601. */
function sinceOf(mirror: Mirror, text: string): string {
  const since = text === 'last' ? lastFillBegan(mirror) : momentOf(text, Date.now(), 'start');
  if (since !== null) return since;
  if (text === 'last') throw new UsageError('this mirror was never filled', 'name a moment with --since');
  throw new UsageError(
    `--since "${text}" is not a moment`,
    'write 7d, 2026-11-01, 2026-11-01T08:00:00Z, or last',
  );
}

function notesOf(mirror: Mirror, since: string, chosen: Kind[] | undefined): string[] {
  const begins = historyBegins(mirror, chosen ?? kinds);
  const isBefore = begins !== null && since < begins;
  return [
    `seen by this mirror since ${since}`,
    ...(isBefore ? [`its history begins at ${begins}: what is older was added then`] : []),
  ];
}
