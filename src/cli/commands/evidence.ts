import { UsageError } from '../../errors.ts';
import { storedZip } from '../../evidence/bag.ts';
import { createEvidence } from '../../evidence/evidence.ts';
import { writeAtomically } from '../../format/atomic-file.ts';
import { attributionOf, unlinkedText } from '../../model/attribution.ts';
import { findKind, type KindName } from '../../model/kinds.ts';
import { referredTo } from '../../questions/references.ts';
import { refuseUnseen } from '../../store/history/past.ts';
import type { Mirror } from '../../store/mirror.ts';
import { citationOf } from '../../store/records/citation.ts';
import { lastFilled } from '../../store/records/contents.ts';
import { filledBy } from '../../store/retrievals.ts';
import { openSnapshot } from '../../store/transaction.ts';
import { attributionLine } from '../../terminal/list.ts';
import { say } from '../../words/speech.ts';
import { HemicycleCommand } from '../base-command.ts';
import { asOfFlag, pastTyped, refuseMirrorAsTarget, statedMoment } from '../flag-values.ts';
import { argument, type Interfaces, outputFlag } from '../oclif.ts';
import { referenceHelp } from '../typed-words.ts';

export default class Evidence extends HemicycleCommand {
  static override description =
    `A bag (BagIt 1.0) in a ZIP file: every version as the mirror keeps it, when it was seen, edited, withdrawn, its sources, the sums of what the service sent, and a page that says what all this shows, what it does not, and how to check it. The same records give the same bytes but for the moment of making, which SOURCE_DATE_EPOCH sets. ${referenceHelp}`;
  static override strict = false;
  static override args = { reference: argument('one record or more') };
  static override flags: Interfaces.FlagInput = {
    output: outputFlag('the ZIP file to write'),
    'as-of': asOfFlag,
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Evidence);
    const path = String(flags.output);
    const settings = this.settingsWith();
    if (path === '' || path === '-')
      throw new UsageError(say`evidence is written into a file`, say`name it: -o evidence.zip`);
    refuseMirrorAsTarget(path, settings.db, say`it is the mirror that would be read`);
    const asOf = flags['as-of'] === undefined ? null : pastTyped('--as-of', flags['as-of'], 'end');
    const mirror = this.closing(openSnapshot(settings.db));
    if (asOf !== null) refuseUnseen(mirror, asOf);
    const retrievedAt = asOf === null ? lastFilled(mirror) : filledBy(mirror, asOf);
    const attribution = attributionOf(citationOf(settings, mirror), { retrievedAt, asOf });
    const { facts, entries } = createEvidence(
      mirror,
      {
        references: referencesIn(mirror, argv as string[]),
        asOf,
        madeAt: statedMoment(process.env.SOURCE_DATE_EPOCH) ?? new Date().toISOString(),
        version: this.config.version,
        attribution,
      },
      this.speech,
    );
    const written = await writeAtomically(path, (sink) => sink.write(storedZip(entries)));
    const { bytes } = written;
    const sha256 = written.sha256();
    const { records, made_at } = facts;
    if (flags.json) {
      const held = records.map(({ kind, key, versions }) => ({ kind, key, versions: versions.length }));
      const item = { file: path, bytes, sha256, made_at, records: held };
      return this.sinks().stdout.write(`${JSON.stringify({ item, attribution }, null, 2)}\n`);
    }
    const { speech } = this;
    const versions = records.reduce((sum, record) => sum + record.versions.length, 0);
    const [held, seen] = [speech.count(records.length, 'record'), speech.count(versions, 'version')];
    const lines = [
      speech.say`${path}: ${held}, ${seen}, ${speech.bytes(bytes)}`,
      `SHA-256 ${sha256}`,
      attributionLine(attribution, speech),
    ];
    await this.print(null, lines.join('\n'));
    if (attribution.url === null) this.note(unlinkedText);
  }
}

/** Records named by words: one word each, or a kind followed by a key. */
function referencesIn(mirror: Mirror, words: string[]): { kind: KindName; key: string }[] {
  const found: { kind: KindName; key: string }[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const kind = findKind(words[at]!);
    if (!kind) found.push(referredTo(mirror, words[at]!));
    else if (words[at + 1] === undefined)
      throw new UsageError(
        say`${kind.name} names a kind, and no record of it`,
        say`write its key behind it: ${kind.name} KEY`,
      );
    else {
      at += 1;
      found.push(referredTo(mirror, words[at]!, kind));
    }
  }
  return found;
}
