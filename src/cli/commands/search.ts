import { UsageError } from '../../errors.ts';
import type { Document } from '../../model/document.ts';
import { commandKinds, countOtherKinds, search, searchSemantic } from '../../questions/search.ts';
import type { Mirror } from '../../store/mirror.ts';
import { createHitRenderer, hitCountLines, unsearchedHitLines } from '../../terminal/search-view.ts';
import { say } from '../../words/speech.ts';
import { splitCommand } from '../manifest.ts';
import { argument, type Interfaces, switchFlag } from '../oclif.ts';
import { examplesOf, flagsOf } from '../question-flags.ts';
import { ReadingCommand } from '../reading-command.ts';

const { q: _words, ...ownFlags } = flagsOf(search);
const { k } = flagsOf(searchSemantic);

export default class Search extends ReadingCommand {
  static override examples = examplesOf(search, searchSemantic);
  static override strict = false;
  static override args = { query: argument('search words') };
  static override flags: Interfaces.FlagInput = {
    ...ownFlags,
    semantic: switchFlag('semantic search; full-text search if it is not available, with a notice'),
    'all-copies': switchFlag('list every copy of identical texts, as pipes and files do'),
    k: { ...k!, default: undefined }, // no default, so that --limit applies
  };

  async run(): Promise<void> {
    const allFlags = { ...Search.baseFlags, ...Search.flags };
    const { argv, flags } = await this.parse(Search, moveExclusionsLast(this.argv, allFlags));
    const q = joinSearchWords(argv as string[]);
    if (q.trim() === '') throw new UsageError(say`there is nothing to search for`, say`give a word or a name`);
    const maxHits = flags.k ?? flags.limit;
    const terminal = this.terminal();
    // Restrict the search to `commandKinds`, unless the service chooses the kinds, or --topic needs others.
    const usesCommandKinds = flags.source !== 'service' && flags.topic === undefined;
    const defaultKinds = usesCommandKinds ? { type: [...commandKinds] } : {};
    // A terminal shows identical texts once; pipes and files receive every record.
    const isFolded = terminal.isTTY && this.outputOptions(flags).format === 'table' && !flags.all;
    const copyFlag = { 'all-copies': !isFolded || flags['all-copies'] };
    const input = { ...defaultKinds, ...flags, ...copyFlag, q, limit: maxHits, k: maxHits };
    const showsOtherKinds = usesCommandKinds && !flags.semantic && (flags.type ?? flags.cursor) === undefined;
    const countHitsOfOtherKinds = (mirror: Mirror) =>
      countOtherKinds(mirror, this.valuesOf(search, input), this.settingsWith().places);
    const lead = ({ mirror, extra }: { mirror: Mirror; extra: Document }) => [
      ...hitCountLines(extra, terminal),
      ...(showsOtherKinds ? unsearchedHitLines(countHitsOfOtherKinds(mirror), terminal) : []),
    ];
    const view = terminal.isTTY ? { blocks: createHitRenderer, lead } : {};
    if (flags.semantic) await this.answer(searchSemantic, this.valuesOf(searchSemantic, input), flags, view);
    else await this.answer(search, this.valuesOf(search, input), flags, view);
  }
}

/** Moves each excluded word (`-word`) behind `--`, so that it is not parsed as a flag. */
function moveExclusionsLast(argv: string[], flags: Interfaces.FlagInput): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const parts = splitCommand(argv.slice(0, end), flags);
  // A letter, digit or quote and one more character, or one character beyond ASCII: `-n` is a short flag.
  const isExclusion = ({ flag, words: [word = ''] }: (typeof parts)[number]) =>
    flag === null &&
    /^-(?:[\p{L}\p{N}"“„«‹].|[^\0-\x7f])/u.test(word) &&
    flags[word.slice(1).split('=', 1)[0]!] === undefined;
  const exclusions = parts.filter(isExclusion).flatMap(({ words }) => words);
  if (exclusions.length === 0) return argv;
  const otherWords = parts.filter((part) => !isExclusion(part)).flatMap(({ words }) => words);
  return [...otherWords, '--', ...exclusions, ...argv.slice(end + 1)];
}

/** The search text; restores the quotes that a shell strips from `politician:"Le Pen"` among several words. */
function joinSearchWords(argv: string[]): string {
  if (argv.length === 1) return argv[0]!;
  return argv.map((word) => word.replace(/^(-?[a-z]+:)([^"]*\s[^"]*)$/, '$1"$2"')).join(' ');
}
