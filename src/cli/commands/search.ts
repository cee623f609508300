import { UsageError } from '../../errors.ts';
import type { Document } from '../../model/document.ts';
import { countsBeyond, kindsOfPeople, search, searchSemantic } from '../../questions/search.ts';
import type { Mirror } from '../../store/mirror.ts';
import { hitBlocks, hitCounts, hitsBeyond } from '../../terminal/search-view.ts';
import { say } from '../../words/speech.ts';
import { argument, type Interfaces, switchFlag } from '../oclif.ts';
import { examplesOf, flagsOf } from '../question-flags.ts';
import { ReadingCommand } from '../reading-command.ts';

const { type, limit, topic, cursor, all, politician, party, since, until } = flagsOf(search);
const { k } = flagsOf(searchSemantic);

export default class Search extends ReadingCommand {
  static override examples = examplesOf(search, searchSemantic);
  static override strict = false;
  static override args = { query: argument('search words') };
  static override flags: Interfaces.FlagInput = {
    type: type!,
    limit: limit!,
    semantic: switchFlag('semantic search; full-text search if it is not available, with a notice'),
    topic: topic!,
    ...{ politician: politician!, party: party!, since: since!, until: until! },
    cursor: cursor!,
    all: all!,
    'all-copies': switchFlag('list every copy of identical texts, as pipes and files do'),
    k: { ...k!, default: undefined },
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Search, withoutsLast(this.argv, { ...Search.baseFlags, ...Search.flags }));
    const q = searchTyped(argv as string[]);
    if (q.trim() === '') throw new UsageError(say`there is nothing to search for`, say`give a word or a name`);
    const number = flags.k ?? flags.limit;
    const terminal = this.terminal();
    // The service has its own default kinds; records with topics are not of the kinds of people.
    const isOwn = flags.source !== 'service' && flags.topic === undefined;
    const isOfAll = isOwn && !flags.semantic && flags.type === undefined && flags.cursor === undefined;
    const lead = ({ mirror, extra }: { mirror: Mirror; extra: Document }) => [
      ...hitCounts(extra, terminal),
      ...(isOfAll ? hitsBeyond(countsBeyond(mirror, q), terminal) : []),
    ];
    const view = terminal.isTTY ? { blocks: hitBlocks, lead } : {};
    // Screens fold copies; pipes and files have every record.
    const isFolded = terminal.isTTY && this.outputOptions(flags).format === 'table' && !flags.all;
    const copies = { 'all-copies': !isFolded || flags['all-copies'] };
    const input = { ...(isOwn ? { type: [...kindsOfPeople] } : {}), ...flags, ...copies, q, limit: number, k: number };
    if (flags.semantic) await this.answer(searchSemantic, this.valuesOf(searchSemantic, input), flags, view);
    else await this.answer(search, this.valuesOf(search, input), flags, view);
  }
}

/** Moves each excluded word (`-word`) behind `--`, so that it is not parsed as a flag. */
function withoutsLast(typed: string[], flags: Interfaces.FlagInput): string[] {
  const end = typed.includes('--') ? typed.indexOf('--') : typed.length;
  const isValue = (position: number) => flags[typed[position - 1]?.replace(/^--?/, '') ?? '']?.type === 'option';
  const isWithout = (word: string, position: number) =>
    position < end &&
    /^-(?:[\p{L}\p{N}"“„«‹].|[^\0-\x7f])/u.test(word) &&
    !/^-[kn]\d/.test(word) &&
    flags[word.slice(1).split('=', 1)[0]!] === undefined &&
    !(typed[position - 1]?.startsWith('-') && isValue(position));
  const withouts = typed.filter(isWithout);
  if (withouts.length === 0) return typed;
  const otherWords = typed.filter((word, position) => position < end && !isWithout(word, position));
  return [...otherWords, '--', ...withouts, ...typed.slice(end + 1)];
}

/** The search text; restores the quotes that a shell strips from `politician:"Le Pen"` among several words. */
function searchTyped(argv: string[]): string {
  if (argv.length === 1) return argv[0]!;
  return argv.map((word) => word.replace(/^(-?[a-z]+:)([^"]*\s[^"]*)$/, '$1"$2"')).join(' ');
}
