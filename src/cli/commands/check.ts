import { UsageError } from '../../errors.ts';
import { check } from '../../questions/check.ts';
import { createCheckRenderer } from '../../terminal/check-view.ts';
import { say } from '../../words/speech.ts';
import { readTextFile } from '../flag-values.ts';
import { optionalArgument, valueFlag } from '../oclif.ts';
import { commandAbout } from '../question-command.ts';
import { flagsOf } from '../question-flags.ts';

const { limit } = flagsOf(check);

export default class Check extends commandAbout(check) {
  static override args = { quotation: optionalArgument('the quotation to check') };
  static override flags = {
    limit: limit!,
    file: valueFlag('file with one quotation per line; - for stdin', 'FILE'),
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Check);
    const q = flags.file === undefined ? argv.join(' ') : readTextFile(flags.file);
    if (q.trim() === '')
      throw new UsageError(say`there is nothing to check`, say`as in \`hemicycle check "…"\`, or --file draft.txt`);
    // A draft may exceed the length limit of the parameter `q`.
    const values = { ...this.valuesOf(check, { ...flags, q: 'q' }), q };
    await this.answer(check, values, flags, this.terminal().isTTY ? { blocks: () => createCheckRenderer() } : {});
  }
}
