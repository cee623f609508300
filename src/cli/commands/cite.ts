import { type CitationStyle, citationStyles, citationText } from '../../format/reference-text.ts';
import { citedWork } from '../../model/cited-work.ts';
import { slugOf } from '../../model/document.ts';
import { record } from '../../questions/record.ts';
import { recordName } from '../../store/record.ts';
import { sourcesOf } from '../../store/records/profile.ts';
import { proseFormats } from '../../terminal/list.ts';
import { writeRecord } from '../../terminal/record-view.ts';
import { choiceFlag, type Interfaces } from '../oclif.ts';
import { ReadingCommand } from '../reading-command.ts';
import { referenceArgs, referenceHelp } from '../typed-words.ts';

export default class Cite extends ReadingCommand {
  static override description =
    'Every style states the service, the retrieval date, the date of --as-of if given, and a hash of the ' +
    `content as printed by \`hemicycle show\`. ${referenceHelp}`;
  static override strict = false;
  static override args = referenceArgs;
  static override flags: Interfaces.FlagInput = { style: choiceFlag('citation style', citationStyles, 'text') };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Cite);
    const values = this.resolveRecord(argv as string[], flags);
    const result = await this.record(record, values, flags);
    const { item, kind, attribution } = result;
    const mirror = this.mirror();
    const author = recordName(mirror, 'politician', slugOf(item.politician) ?? '');
    const work = citedWork(item, { kind, author, attribution, sources: sourcesOf(mirror, item) });
    const style = flags.style as CitationStyle;
    const citation = citationText(work, { style, speech: this.speech });
    const options = this.outputOptions(flags);
    if (proseFormats.includes(options.format)) return this.sinks().stdout.write(citation);
    const outputItem = { kind, key: values.key, style, citation: citation.trimEnd() };
    const columns = options.columns ?? Object.keys(outputItem);
    await writeRecord({ ...result, item: outputItem, ballot: undefined }, { ...options, columns }, this.sinks());
  }
}
