import { errorTable, HemicycleError, UsageError } from '../../errors.ts';
import { createStoredZip } from '../../evidence/bag.ts';
import { createEvidence } from '../../evidence/evidence.ts';
import { collectAddresses, type EvidenceFacts, type GatheredFacts, gatherFacts } from '../../evidence/facts.ts';
import { openAtomicFile } from '../../format/atomic-file.ts';
import { escapeHidden, sanitiseLine } from '../../format/sanitise.ts';
import { attributionOf, unlinkedText } from '../../model/attribution.ts';
import { findKind } from '../../model/kinds.ts';
import { resolveReference } from '../../questions/references.ts';
import { refuseBeforeFirstRecord } from '../../store/history/past.ts';
import { lastFillUntil } from '../../store/kind-state.ts';
import type { Mirror } from '../../store/mirror.ts';
import { citationOf, lastFilledAt } from '../../store/records/contents.ts';
import { openSnapshot } from '../../store/transaction.ts';
import { attributionLine } from '../../terminal/list.ts';
import { instant, say } from '../../words/speech.ts';
import { serviceSettingsOf } from '../answerer.ts';
import { HemicycleCommand } from '../base-command.ts';
import { registerCopy } from '../copy-list.ts';
import { asOfFlag, parsePastFlag, parseSourceDate, refuseMirrorAsTarget } from '../flag-values.ts';
import { argument, type Interfaces, outputFlag, switchFlag } from '../oclif.ts';
import { stopSignal } from '../process.ts';
import { allowedRate } from '../setting-table.ts';
import type { Settings } from '../settings.ts';
import { referenceHelp } from '../typed-words.ts';

export default class Evidence extends HemicycleCommand {
  static override description =
    'Writes a bag (BagIt 1.0) in a ZIP file. It contains every stored version with its times, the sources, and ' +
    'the checksums of the downloads. A page explains what the file proves, what it does not, and how to verify ' +
    'it. The same records give the same bytes, except for the time of creation, which SOURCE_DATE_EPOCH sets. ' +
    `${referenceHelp}`;
  static override strict = false;
  static override args = { reference: argument('one or more records') };
  static override flags: Interfaces.FlagInput = {
    output: outputFlag('the ZIP file to write'),
    'as-of': asOfFlag,
    capture: switchFlag('request each URL of the records and their sources once, and store the responses (WARC 1.1)'),
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Evidence);
    const path = String(flags.output);
    const settings = this.settingsWith();
    if (path === '' || path === '-')
      throw new UsageError(say`evidence requires an output file`, say`use -o evidence.zip`);
    refuseMirrorAsTarget(path, settings.db);
    const asOf = flags['as-of'] === undefined ? null : parsePastFlag('--as-of', flags['as-of'], 'end');
    const mirror = this.closeAtEnd(openSnapshot(settings.db));
    if (asOf !== null) refuseBeforeFirstRecord(mirror, asOf);
    const retrievedAt = asOf === null ? lastFilledAt(mirror) : lastFillUntil(mirror, asOf);
    const attribution = attributionOf(citationOf(settings, mirror), { retrievedAt, asOf });
    const sourceDate = parseSourceDate(process.env.SOURCE_DATE_EPOCH);
    const gatheredFacts = gatherFacts(mirror, {
      references: resolveReferences(mirror, argv as string[]),
      asOf,
      madeAt: sourceDate ?? new Date().toISOString(),
      version: this.config.version,
      attribution,
    });
    const service = serviceSettingsOf(settings, mirror);
    // Do not keep the mirror open while waiting for the network.
    mirror.close();
    // Detect an unwritable file before any request.
    const sink = await openAtomicFile(path);
    this.closeAtEnd({ close: () => sink.abort() });
    const captures = flags.capture ? await this.requestCaptures(gatheredFacts, { service, sourceDate }) : null;
    const { facts, entries } = createEvidence(gatheredFacts, captures, this.speech);
    sink.write(createStoredZip(entries));
    await sink.end();
    await registerCopy(this, settings.db, { kind: 'evidence', location: path });
    const answeredCount = captures?.filter(({ response }) => response !== null).length ?? 0;
    await this.printSummary(facts, answeredCount, { file: path, bytes: sink.bytes, sha256: sink.sha256() });
    if (captures?.length && answeredCount === 0)
      throw new HemicycleError(
        errorTable.network,
        say`none of the URLs responded; ${path} was written without responses`,
        say`check the network and run it again; without --capture no request is sent`,
      );
  }

  private async printSummary(
    { records, made_at, attribution, captures }: EvidenceFacts,
    answeredCount: number,
    { file, bytes, sha256 }: { file: string; bytes: number; sha256: string },
  ): Promise<void> {
    if (this.common.json) {
      const recordSummaries = records.map(({ kind, key, versions }) => ({ kind, key, versions: versions.length }));
      const item = { file, bytes, sha256, made_at, records: recordSummaries, captures };
      return this.sinks().stdout.write(`${escapeHidden(JSON.stringify({ item, attribution }, null, 2))}\n`);
    }
    const { speech } = this;
    const versions = records.reduce((sum, record) => sum + record.versions.length, 0);
    const versionCount = speech.count(versions, 'version');
    const lines = [
      speech.say`${file}: ${speech.count(records.length, 'record')}, ${versionCount}, ${speech.bytes(bytes)}`,
      `SHA-256 ${sha256}`,
      captures?.length &&
        speech.say`URLs requested: ${speech.number(captures.length)}, responses: ${speech.number(answeredCount)}`,
      attributionLine(attribution, speech),
    ];
    await this.print(null, lines.filter(Boolean).join('\n'));
    if (attribution.url === null) this.note(unlinkedText);
  }

  /** Requests the URLs of the records and their sources; returns the responses, and notes failures on stderr. */
  private async requestCaptures(
    gatheredFacts: GatheredFacts,
    { service, sourceDate }: { service: Settings | null; sourceDate: string | null },
  ) {
    const { as_of: asOf, attribution } = gatheredFacts.facts;
    const addresses = collectAddresses(gatheredFacts);
    if (addresses.length === 0) this.note(say`these records contain no URL: no request was sent`);
    else if (asOf !== null) this.note(say`the records are as of ${instant(asOf)}, the responses are current`);
    const { captureAddresses } = await import('../../service/capture.ts');
    const { openSharedPace } = await import('../../sync/connect.ts');
    const baseUrl = service?.baseUrl ?? null;
    // Requests carry no token, so the anonymous budget applies.
    const rate = Math.min(service?.rate ?? 0, allowedRate(null));
    const paceOptions = { ...this.network, rate, token: null, isUrgent: true };
    const sharedPace = service && baseUrl ? openSharedPace({ ...service, ...paceOptions, baseUrl }) : null;
    if (sharedPace) this.closeAtEnd(sharedPace);
    const serviceOrigins = [baseUrl, attribution.url].map((url) => url && new URL(url).origin);
    const progress = this.progress();
    const captures = await captureAddresses(addresses, {
      ...this.network,
      baseUrl,
      signal: stopSignal(say`interrupted; nothing was written`, say`to run it again: ${this.commandLine}`),
      now: () => (sourceDate === null ? Date.now() : Date.parse(sourceDate)),
      // Only requests to the service count against its shared budget.
      pace: {
        waitForSlot: async (url) =>
          serviceOrigins.includes(new URL(url).origin) ? sharedPace?.pace.waitForSlot(url) : undefined,
        pause: (ms, url) => sharedPace?.pace.pause(ms, url),
      },
      onRequest: (index) => progress.update(say`requesting URL ${index + 1} of ${addresses.length}`),
    });
    progress.stop();
    for (const { address, reason } of captures)
      if (reason !== null) this.note(sanitiseLine(this.speech.say`${address}: ${reason}`));
    return captures;
  }
}

/** Resolves typed words to records; each is one word, or a kind and a key. */
function resolveReferences(mirror: Mirror, [word, ...followingWords]: string[]): ReturnType<typeof resolveReference>[] {
  if (word === undefined) return [];
  const kind = findKind(word);
  if (!kind) return [resolveReference(mirror, word), ...resolveReferences(mirror, followingWords)];
  const [key, ...remainingWords] = followingWords;
  if (key !== undefined) return [resolveReference(mirror, key, kind), ...resolveReferences(mirror, remainingWords)];
  throw new UsageError(say`${kind.name} is a kind, not a record`, say`add a key: ${kind.name} KEY`);
}
