import { NotFoundError, UsageError, VerificationError } from '../../errors.ts';
import type { Document } from '../../model/document.ts';
import { findKind, type Kind, type KindName, kinds } from '../../model/kinds.ts';
import { resolveReference } from '../../questions/references.ts';
import type { Mirror } from '../../store/mirror.ts';
import { openWritableMirror } from '../../store/open.ts';
import { lastChangeAt } from '../../store/record.ts';
import { maxReasonLength, withhold } from '../../store/saving/withhold.ts';
import { deleteResponses } from '../../store/syncs/validators.ts';
import {
  createTombstone,
  deleteTombstone,
  isAboutPerson,
  readAdmissionFilter,
  type Tombstone,
} from '../../store/tombstones.ts';
import { transaction } from '../../store/transaction.ts';
import { deleteTraces } from '../../store/withheld-traces.ts';
import { say, saying, wordPhrase } from '../../words/speech.ts';
import { HemicycleCommand } from '../base-command.ts';
import { checkCopies, copyAdvice, copyPhrase, mayContainWithheld } from '../copy-list.ts';
import { optionalArgument, switchFlag, valueFlag } from '../oclif.ts';
import type { Settings } from '../settings.ts';
import { referenceArgs } from '../typed-words.ts';
import { eraseWithheldFromWatches } from '../watch-command.ts';

export default class Withhold extends HemicycleCommand {
  static override strict = false;
  static override args = {
    ...referenceArgs,
    reference: optionalArgument('kind of record, or a whole reference such as KIND:KEY'),
  };
  static override flags = {
    reason: valueFlag('public reason, without names', 'TEXT'),
    undo: switchFlag('stop withholding the record'),
    check: switchFlag('search all written copies for withheld records (exit 12 if any is found)'),
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Withhold);
    const words = argv as string[];
    const settings = this.settingsWith();
    if (flags.check) return this.check(settings, words);
    if (words.length === 0)
      throw new UsageError(say`no record was given`, say`as in \`hemicycle withhold promise ID --reason TEXT\``);
    await this.lock(settings.db);
    const mirror = this.closeAtEnd(openWritableMirror(settings.db, settings));
    if (flags.undo) return this.undo(mirror, words);
    const [tombstone] = tombstonesFor(mirror, words);
    const { kind, key } = tombstone
      ? { kind: tombstone.kind, key: parseRecordReference(words).key }
      : this.resolvePersonRecord(mirror, words);
    const reason = tombstone?.reason ?? flags.reason?.trim();
    if (!reason) throw new UsageError(say`--reason is missing`, say`as in \`--reason "objection of 3 November"\``);
    if (reason.length > maxReasonLength)
      throw new UsageError(say`--reason has more than ${maxReasonLength} characters`);
    const progress = this.progress();
    progress.stage(say`erasing`);
    // For an existing tombstone, the call without new ones completes an interrupted erasure.
    const erasedRecords = withhold(mirror, tombstone ? [] : [createTombstone(mirror, { kind, key, reason })]);
    await eraseWithheldFromWatches(this, settings, mirror);
    if (flags.json) return this.print({ kind, records: erasedRecords.length, reason }, '');
    progress.done(
      tombstone
        ? say`withheld since ${tombstone.day}`
        : say`${saying((speech) => speech.count(erasedRecords.length, 'record'))} withheld; exports, sites and databases remove them on their next run`,
    );
    this.note(say`existing files are not rewritten; \`hemicycle withhold --check\` lists those that contain it`);
  }

  private async check(settings: Settings, words: string[]): Promise<void> {
    if (words.length > 0) throw new UsageError(say`--check searches for all withheld records`, say`remove the record`);
    const copies = await checkCopies(this, this.mirror(settings));
    if (copies.length === 0) this.note(say`no copy of this mirror has been registered yet`);
    const rows = copies.map((copy) => ({ ...copy, state: this.speech.render(copyPhrase(copy)) }));
    const jsonCopies = copies.map((copy) => ({ ...copy, reason: copy.reason && `${copy.reason}` }));
    await this.printTable({ copies: jsonCopies }, rows as Document[], ['copy', 'kind', 'written_at', 'state']);
    const staleCount = copies.filter(mayContainWithheld).length;
    if (staleCount > 0)
      throw new VerificationError(say`copies that may still contain withheld records: ${staleCount}`, copyAdvice);
  }

  /** Resolves the words to a record about a person by its exact key; throws a NotFoundError or UsageError. */
  private resolvePersonRecord(mirror: Mirror, words: string[]): { kind: KindName; key: string } {
    const { kind, key } = parseRecordReference(words);
    const reference = resolveReference(mirror, key, kind);
    const kindPhrase = wordPhrase(reference.kind);
    if (lastChangeAt(mirror, reference.kind, reference.key) === null)
      throw new NotFoundError(say`no ${kindPhrase} in the mirror has the key "${reference.key}"`);
    if (!isAboutPerson(mirror, reference))
      throw new UsageError(
        say`this ${kindPhrase} cannot be withheld`,
        say`only records about people can be withheld, not decisions of parliament`,
      );
    // A name may match another person than intended, and erasure is permanent.
    if (reference.key !== key)
      throw new UsageError(
        say`"${key}" means the ${kindPhrase} ${reference.key}`,
        say`to erase it for good, type its key: \`hemicycle withhold ${reference.kind} ${reference.key} --reason TEXT\``,
      );
    return reference;
  }

  private async undo(mirror: Mirror, words: string[]): Promise<void> {
    const existingTombstones = tombstonesFor(mirror, words);
    if (existingTombstones.length === 0)
      throw new NotFoundError(
        say`no withheld record has the key "${parseRecordReference(words).key}"`,
        say`give its kind and its full key`,
      );
    const [tombstone] = existingTombstones.filter(({ of }) => of !== null); // withheld by a followed mirror
    if (tombstone) throw new UsageError(say`it is withheld by ${tombstone.of!}, which this mirror follows`);
    if (existingTombstones.some(({ under }) => under !== null))
      throw new UsageError(say`it is withheld with the record that it belongs to`, say`--undo that one`);
    transaction(mirror, () => {
      for (const each of existingTombstones) deleteTombstone(mirror, each);
      deleteTraces(mirror);
      // Without stored validators, the next response is complete instead of 304 Not Modified.
      deleteResponses(mirror);
    });
    this.note(say`no longer withheld; the next sync or import brings it back, without its history`);
  }
}

function tombstonesFor(mirror: Mirror, words: string[]): Tombstone[] {
  const { kind, key } = parseRecordReference(words);
  const candidateKinds = kind === null ? kinds : [kind];
  return candidateKinds.flatMap(({ name }) => readAdmissionFilter(mirror)?.findTombstone(name, key) ?? []);
}

/** Parses KIND KEY, KIND:KEY, or a key alone (kind null); the mirror may have no such record. */
function parseRecordReference(words: string[]): { kind: Kind | null; key: string } {
  const [first = '', ...keyWords] = words;
  const colon = first.indexOf(':');
  const typedKind = findKind(keyWords.length > 0 ? first : first.slice(0, Math.max(0, colon)));
  if (!typedKind) return { kind: null, key: words.join(' ') };
  return { kind: typedKind, key: keyWords.length > 0 ? keyWords.join(' ') : first.slice(colon + 1) };
}
