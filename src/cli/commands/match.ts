import { createReadStream, statSync } from 'node:fs';
import { UsageError } from '../../errors.ts';
import { matchTable } from '../../export/matched-table.ts';
import { openAtomicFile } from '../../format/atomic-file.ts';
import { missingReason } from '../../format/foreign-file.ts';
import { sanitise, sanitiseLine } from '../../format/sanitise.ts';
import { type ListEncoding, listEncodings, plainUtf8, transcode } from '../../format/transcoding.ts';
import { attributionOf } from '../../model/attribution.ts';
import { type NamedKind, namedKinds } from '../../names/database.ts';
import { citationOf, lastFilledAt } from '../../store/records/contents.ts';
import { attributionLine } from '../../terminal/list.ts';
import { amount, figure, say } from '../../words/speech.ts';
import { refuseStale } from '../answerer.ts';
import { HemicycleCommand } from '../base-command.ts';
import { maxAgeFlag } from '../flag-values.ts';
import { argument, choiceFlag, Flags, integerFlag, valueFlag } from '../oclif.ts';
import { limitHeapGrowth, stopSignal } from '../process.ts';

export default class Match extends HemicycleCommand {
  static override args = { file: argument('a CSV file; - for stdin') };
  static override flags = {
    column: valueFlag(
      'column with the names, or the columns with first and last names (FIRST,LAST): headers or numbers; ' +
        'by default found by their headings, with the department and the constituency',
      'COLUMN',
    ),
    party: valueFlag('column with the party or group', 'COLUMN'),
    department: valueFlag('column with the name or code of the department', 'COLUMN'),
    constituency: valueFlag('column with the number of the constituency', 'COLUMN'),
    born: valueFlag('column with the date or year of birth', 'COLUMN'),
    date: valueFlag('column with the date to which the party applies', 'COLUMN'),
    decide: Flags.string({
      description: 'use an exact date of birth (--born) to choose between homonyms',
      options: ['birth'],
      dependsOn: ['born'],
    }),
    threshold: integerFlag('minimum score of a candidate (0 to 100)', [0, 100], 0),
    kind: choiceFlag('kind of the names', [...namedKinds, 'any'], 'politician'),
    limit: integerFlag('maximum number of candidates per name', [1, 25], 5),
    format: choiceFlag(
      'output format: the CSV file with more columns, or one JSON object per row',
      ['csv', 'ndjson'],
      'csv',
    ),
    encoding: Flags.string({
      description: 'encoding of the file; by default from its byte order mark, otherwise utf-8',
      options: [...listEncodings],
    }),
    prefix: Flags.string({ description: 'prefix of the new column names', default: '' }),
    output: valueFlag('output file, never left incomplete (default: stdout)', 'FILE', { char: 'o' }),
    'max-age': maxAgeFlag,
  };

  protected override readonly jsonFormat = 'ndjson';

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Match);
    const { column, party, department, constituency, born, date, kind, limit, prefix, output } = flags;
    const isFile = output !== undefined && output !== '-';
    const printsToTerminal = output === undefined && this.terminal().isTTY;
    const declaredEncoding = (flags.encoding ?? null) as ListEncoding | null;
    const { source, ...encoding } = await transcode(this.openSource(args.file), { declaredEncoding, name: args.file });
    limitHeapGrowth({ nurseryMb: 4 });
    const settings = this.settingsWith();
    const mirror = this.mirror(settings);
    refuseStale(mirror, flags['max-age']);
    const sink = isFile ? await openAtomicFile(output) : this.sinks().stdout;
    const progress = this.progress();
    const stop = stopSignal(
      isFile ? say`interrupted; nothing was written` : say`interrupted; the output is incomplete`,
      say`to run it again: ${this.commandLine}`,
    );
    this.closeAtEnd({ close: () => sink.abort() });
    const { matchedRows, ambiguous, none, empty } = await matchTable(mirror, source, sink, {
      file: args.file,
      columns: { name: column, party, department, constituency, born, date },
      kinds: kind === 'any' ? namedKinds : [kind as NamedKind],
      limit,
      threshold: flags.threshold,
      birthDecides: flags.decide === 'birth',
      prefix,
      isJson: flags.json || flags.format === 'ndjson',
      transcoding: printsToTerminal ? plainUtf8 : encoding,
      sanitise: printsToTerminal ? sanitise : (text) => text,
      reportColumns: (names, facts) => {
        this.note(say`the names are read from ${sanitiseLine(names.join(', '))}`);
        if (facts.length > 0) this.note(say`also compared: ${sanitiseLine(facts.join(', '))}`);
      },
      progress({ rows }) {
        stop.throwIfAborted();
        progress.update(amount(rows, 'row'));
      },
    });
    await sink.end();
    progress.stop();
    this.note(
      say`${figure(matchedRows)} matched, ${figure(ambiguous)} with candidates only, ${figure(none)} not found`,
    );
    if (empty > 0) this.note(say`rows without a name: ${figure(empty)}`);
    const attribution = attributionOf(citationOf(settings, mirror), { retrievedAt: lastFilledAt(mirror) });
    this.note(attributionLine(attribution, this.speech));
  }

  private openSource(file: string): AsyncIterable<Uint8Array> {
    if (file === '-') return process.stdin;
    const fileStats = statSync(file, { throwIfNoEntry: false });
    if (!fileStats) throw new UsageError(say`${file}: ${missingReason}`, say`name a CSV file`);
    if (fileStats.isDirectory()) throw new UsageError(say`${file} is a folder`, say`name a CSV file`);
    return createReadStream(file);
  }
}
