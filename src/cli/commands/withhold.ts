import { setTimeout as sleep } from 'node:timers/promises';
import { NotFoundError, UsageError } from '../../errors.ts';
import { findKind, type Kind, kindOf, kinds } from '../../model/kinds.ts';
import { takeLock } from '../../store/lock.ts';
import type { Mirror } from '../../store/mirror.ts';
import { openWritableMirror } from '../../store/open.ts';
import { lastChanged } from '../../store/record.ts';
import { withhold } from '../../store/saving/withhold.ts';
import { forgetAnswers } from '../../store/syncs/validators.ts';
import { forgetTombstone, isOfPerson, tombstoneOf, withholding } from '../../store/tombstones.ts';
import { atOnce } from '../../store/transaction.ts';
import { openWatchesIfAny } from '../../store/watch-book.ts';
import { forgetToldOf } from '../../store/watches.ts';
import { say, saying, wordPhrase } from '../../words/speech.ts';
import { HemicycleCommand } from '../base-command.ts';
import { examples, Flags } from '../oclif.ts';
import { referenceArgs, referredTo } from '../reference-args.ts';

export default class Withhold extends HemicycleCommand {
  static override summary = 'erase a record about a person, and keep it out for good';
  static override description =
    'To honour an objection. What is left is a tombstone without content: kind, day, reason, and a keyed hash of the key. A politician takes every record about them along. It holds against every later sync and import, goes to mirrors that follow this one, and to exports, sites and databases with their next run; lists and figures say that they lack it. Exports, releases, backups and evidence made before are not rewritten.';
  static override examples = examples(
    ['One text', 'withhold promise promise-bruyevre-2025-001 --reason "objection of 3 November"'],
    [
      'Take it back: the next full sync brings the record again',
      'withhold promise promise-bruyevre-2025-001 --undo',
    ],
  );
  static override strict = false;
  static override args = referenceArgs;
  static override flags = {
    reason: Flags.string({ description: 'why, in words that anybody may read; no names', helpValue: 'TEXT' }),
    undo: Flags.boolean({ description: 'withhold it no more' }),
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Withhold);
    const words = argv as string[];
    const settings = this.settingsWith();
    this.closing(await takeLock(settings.db, { sleep }));
    const mirror = this.closing(openWritableMirror(settings.db, settings));
    if (flags.undo) return this.undo(mirror, words);
    const reason = flags.reason?.trim();
    if (!reason)
      throw new UsageError(say`--reason is missing`, say`as in \`--reason "objection of 3 November"\``);
    const { kind, key } = namedIn(words);
    const found = referredTo(mirror, key, kind);
    if (!isOfPerson(kindOf(found.kind)))
      throw new UsageError(
        say`a ${wordPhrase(found.kind)} cannot be withheld`,
        say`only records about persons can: what parliament decided stays`,
      );
    if (lastChanged(mirror, found.kind, found.key) === null)
      throw new NotFoundError(say`no ${wordPhrase(found.kind)} has the key "${found.key}" in the mirror`);
    const progress = this.progress();
    progress.stage(say`erasing`);
    const book = openWatchesIfAny(settings.db);
    const erased = withhold(mirror, [tombstoneOf(mirror, { ...found, reason })]);
    if (book) {
      forgetToldOf(book, found.key);
      book.close();
    }
    const records = saying((speech) => speech.count(erased, 'record'));
    if (flags.json) return this.print({ kind: found.kind, records: erased, reason }, '');
    progress.done(say`${records} withheld; exports, sites and databases lack them with their next run`);
    this.note(
      say`files made before are not rewritten: look through exports, releases, evidence and backups, and delete what holds them`,
    );
  }

  private async undo(mirror: Mirror, words: string[]): Promise<void> {
    const { kind, key } = namedIn(words);
    const asked = kind === null ? kinds : [kind];
    const held = asked.flatMap(({ name }) => withholding(mirror)?.of(name, key) ?? []);
    if (held.length === 0)
      throw new NotFoundError(
        say`nothing is withheld by the key "${key}"`,
        [],
        say`name its kind and its whole key`,
      );
    const [foreign] = held.filter(({ of }) => of !== null);
    if (foreign) throw new UsageError(say`it is withheld by ${foreign.of!}, which this mirror follows`);
    atOnce(mirror, () => {
      for (const each of held) forgetTombstone(mirror, each);
      // What did not change since would not be read again.
      forgetAnswers(mirror);
    });
    this.note(say`no longer withheld; the next sync or import brings it back, without its history`);
  }
}

/** Kind and key of a record that may be gone: KIND KEY, KIND:KEY, or a key alone. */
function namedIn(words: string[]): { kind: Kind | null; key: string } {
  const [first = '', ...others] = words;
  const colon = first.indexOf(':');
  const stated = findKind(others.length > 0 ? first : first.slice(0, Math.max(0, colon)));
  if (!stated) return { kind: null, key: words.join(' ') };
  return { kind: stated, key: others.length > 0 ? others.join(' ') : first.slice(colon + 1) };
}
