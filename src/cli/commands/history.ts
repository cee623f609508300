import { Args } from '@oclif/core';
import { UsageError } from '../../errors.ts';
import { attributionOf } from '../../model/attribution.ts';
import type { Document } from '../../model/document.ts';
import { citationOf, lastFilled } from '../../store/contents.ts';
import { history } from '../../store/history.ts';
import { kindNamed } from '../../sync/import.ts';
import { writeAnswer } from '../../terminal/answer.ts';
import { versionBlock } from '../../terminal/change-view.ts';
import { ReadingCommand, refuseAsOf } from '../reading-command.ts';

export default class History extends ReadingCommand {
  static override summary = 'every version of one record that this mirror has seen, the newest first';
  static override description =
    'The moments are those at which this mirror saw a version; the service itself keeps none.';
  static override examples = [
    {
      description: 'A politician, by slug or by name',
      command: '<%= config.bin %> history politician oceane-bruyevre',
    },
    { description: 'A ballot', command: '<%= config.bin %> history ballot AN:VAL1V4' },
    {
      description: 'A promise with every document in full',
      command: '<%= config.bin %> history promise promise-bruyevre-2025-001 --json',
    },
  ];
  static override args = {
    kind: Args.string({ ignoreStdin: true, description: 'kind of record', required: true }),
    key: Args.string({
      ignoreStdin: true,
      description: 'slug, name, id, or CHAMBER:ID of a ballot',
      required: true,
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(History);
    refuseAsOf(flags, 'history tells every version with its moments');
    if (flags.source === 'service')
      throw new UsageError('the service keeps no versions', 'the mirror does: leave --source out');
    const settings = this.settingsWith(flags);
    const mirror = this.mirror(settings);
    const kind = kindNamed(args.kind);
    const { key, versions } = history(mirror, kind, args.key);
    const asOf = lastFilled(mirror);
    await writeAnswer(
      {
        items: versions as unknown as Document[],
        columns: ['seen_from', 'seen_to', 'ended_by', 'part', 'changes'],
        allColumns: ['seen_from', 'seen_to', 'ended_by', 'part', 'changes', 'document'],
        total: versions.length,
        nextCursor: null,
        origin: { from: 'mirror', as_of: asOf },
        extra: { kind: kind.name, key },
        notes: flags.quiet ? [] : [`${kind.name} ${key}, as seen by this mirror`],
        attribution: attributionOf(citationOf(settings, mirror), { retrievedAt: asOf }),
        block: versionBlock,
      },
      this.outputOptions(flags),
      this.sinks(),
    );
  }
}
