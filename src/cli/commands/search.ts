import { Args, Flags, type Interfaces } from '@oclif/core';
import { UsageError } from '../../errors.ts';
import { search, searchSemantic } from '../../questions/search.ts';
import { examplesOf, flagsOf } from '../question-flags.ts';
import { ReadingCommand } from '../reading-command.ts';

const { type, limit, topic } = flagsOf(search);
const { k } = flagsOf(searchSemantic);

export default class Search extends ReadingCommand {
  static override summary = 'search politicians, parties, content and speeches';
  static override description =
    `Accents, hyphens, apostrophes and endings do not matter; "quoted words" must stand together; word* finds what begins so.`;
  static override examples = examplesOf(search, searchSemantic);
  static override strict = false;
  static override args = {
    query: Args.string({ ignoreStdin: true, description: 'what to look for', required: true }),
  };
  static override flags: Interfaces.FlagInput = {
    type: type!,
    limit: limit!,
    semantic: Flags.boolean({
      description: 'search by meaning where the source can, else full text, said so',
    }),
    topic: topic!,
    k: { ...k!, default: undefined },
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Search);
    const q = argv.join(' ');
    if (q.trim() === '') throw new UsageError('there is nothing to search for', 'name a word or a name');
    const given = { ...flags, q, limit: flags.k ?? flags.limit, k: flags.k ?? flags.limit };
    if (!flags.semantic) return void (await this.answer(search, this.valuesOf(search, given), flags));
    await this.answer(searchSemantic, this.valuesOf(searchSemantic, given), flags);
  }
}
