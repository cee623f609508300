import { exitCodes } from '../../errors.ts';
import { brief } from '../../questions/brief.ts';
import { sectionParagraphs } from '../../terminal/change-view.ts';
import { Flags, switchFlag } from '../oclif.ts';
import { commandAbout } from '../question-command.ts';
import { flagsOf } from '../question-flags.ts';

export default class Brief extends commandAbout(brief) {
  static override strict = true;
  static override flags = {
    ...flagsOf(brief),
    limit: Flags.string({ char: 'n', description: 'number of sentences, shared by the sections', default: '10' }),
    'exit-status': switchFlag('exit 20 if there is news, otherwise 0'),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Brief);
    if (flags.format === 'table' && flags.columns === undefined && !this.terminal().isTTY) flags.format = 'markdown';
    const { shown } = await this.answer(brief, this.valuesOf(brief, flags), flags, { paragraphs: sectionParagraphs });
    if (flags['exit-status'] && shown > 0) process.exitCode = exitCodes.changesFound;
  }
}
