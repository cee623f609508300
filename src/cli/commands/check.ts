import { UsageError } from '../../errors.ts';
import { plainTextOf } from '../../format/plain-text.ts';
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
    file: valueFlag('article or speech (text, Markdown, HTML) to check; - for stdin', 'FILE'),
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Check);
    const isArticle = flags.file !== undefined;
    if (isArticle && argv.length > 0) throw new UsageError(say`give a quotation or --file, not both`);
    const [firstWord] = argv.map(String);
    if (argv.length === 1 && /^\S+\.(?:txt|md|html?)$/.test(firstWord!))
      throw new UsageError(say`"${firstWord!}" is the name of a file`).propose([['check', '--file', firstWord!]]);
    const q = isArticle ? await plainTextOf(readTextFile(flags.file!)) : argv.join(' ');
    if (q.trim() === '' || q.includes('\0'))
      throw new UsageError(say`there is nothing to check`, say`as in \`hemicycle check "…"\`, or --file draft.txt`);
    if (q.length > 2 ** 20) throw new UsageError(say`the text is longer than 1 MB, the most that is checked`);
    // Validated with a placeholder: a draft may exceed the length limit of the parameter `q`.
    const values = { ...this.valuesOf(check, { ...flags, q: 'q' }), q, article: isArticle };
    const { format } = this.outputOptions(flags);
    const paragraphs = createCheckRenderer(format === 'html' ? q : null); // only HTML highlights the text
    // Piped tables stay tables; other formats show articles as prose.
    const isProse = format === 'table' ? this.terminal().isTTY : isArticle;
    await this.answer(check, values, flags, isProse ? { paragraphs } : {});
  }
}
