import { UsageError } from '../../../errors.ts';
import { kindOf } from '../../../model/kinds.ts';
import { flagName } from '../../../questions/parameter.ts';
import { openPast } from '../../../store/history/past.ts';
import type { Mirror } from '../../../store/mirror.ts';
import { openWatches } from '../../../store/watch-book.ts';
import type { NewWatch } from '../../../store/watches.ts';
import { createWatch } from '../../../watches/watch-check.ts';
import { parseWatch, splitFlags, type WatchedQuestion } from '../../../watches/watched-question.ts';
import { instant, say } from '../../../words/speech.ts';
import { parseName, parsePastFlag } from '../../flag-values.ts';
import { type Interfaces, optionalArgument, valueFlag } from '../../oclif.ts';
import { inferFlags } from '../../typed-words.ts';
import { splitWatchWords, WatchCommand, watchNameArgument } from '../../watch-command.ts';
import { parseChangeTypes, parseChannels, watchFlags, watchNamePattern } from '../../watch-flags.ts';

export default class WatchAdd extends WatchCommand {
  static override strict = false;
  static override args = { name: watchNameArgument, question: optionalArgument('a command, as you would type it') };
  static override flags: Interfaces.FlagInput = {
    ...watchFlags,
    from: valueFlag('report changes since this date or time, or 7d ago (default: now)', 'DATE'),
  };

  async run(): Promise<void> {
    const { ownWords, question: typedWords } = splitWatchWords(this.argv, { ...WatchAdd.baseFlags, ...WatchAdd.flags });
    const [address = ''] = typedWords.length === 1 ? typedWords : [];
    // Import the table of pages only for an address.
    const commandWords = /^https?:\/\//.test(address)
      ? (await import('../../page-question.ts')).commandLineOfPage(address)
      : typedWords;
    const { args, flags } = await this.parse(WatchAdd, ownWords);
    const channels = parseChannels(flags);
    const watch: NewWatch = {
      name: parseName(args.name, watchNamePattern, say`"${args.name}" is not a name for a watch`),
      words: commandWords,
      changeTypes: parseChangeTypes(flags.only),
      digest: flags.digest ?? 'run',
      language: this.speech.language,
      createdAt: new Date().toISOString(),
      channels,
    };
    const [firstWord = ''] = commandWords;
    if (firstWord === '' || firstWord.startsWith('-'))
      throw new UsageError(
        firstWord === '' ? say`no command was given` : say`unknown flag ${firstWord}`,
        say`as in \`hemicycle watch add ${args.name} search ${args.name} --file ${args.name}.atom\``,
      );
    const watched = parseWatch(commandWords);
    const settings = this.settingsWith();
    const mirror = this.mirror(settings);
    if (watched.asks === 'question') watch.words = withInferredFlags(mirror, watched, commandWords);
    const at = flags.from === undefined ? null : parsePastFlag('--from', flags.from, 'start');
    const kinds = watched.asks === 'question' ? watched.question.kindsRead(watched.values).map(kindOf) : [];
    const readsPast = at !== null && watched.asks !== 'changes'; // changes have no baseline rows
    const baselineMirror = readsPast ? this.closeAtEnd(openPast(settings.db, at, kinds)) : mirror;
    const from = at === null ? null : { mirror: baselineMirror, at };
    await this.checkChannels(watch, { mirror, settings, sendsTest: flags.test });
    const checkOptions = { nowMs: Date.now(), from, questions: settings.questions, places: settings.places };
    const knownRowCount = await createWatch(this.closeAtEnd(openWatches(settings.db)), mirror, watch, checkOptions);
    // Undefined: the name exists; null: a watch of changes, which has no rows.
    if (knownRowCount === undefined)
      throw new UsageError(
        say`a watch named ${watch.name} already exists`,
        say`choose another name, or \`hemicycle watch remove ${watch.name}\``,
      );
    const secrets = channels.flatMap(({ secret, isNewSecret }) => (isNewSecret && secret) || []);
    await this.reportNewWatch(watch, { startsAt: at, knownRowCount, secrets });
  }

  /** Prints new webhook secrets on stdout, this one time, and notes from when on the watch reports changes. */
  private async reportNewWatch(
    { name, words, channels }: NewWatch,
    { startsAt, knownRowCount, secrets }: { startsAt: string | null; knownRowCount: number | null; secrets: string[] },
  ) {
    if (this.common.json)
      return this.print({ name, question: words, channels: channels.length, known: knownRowCount, secrets }, '');
    for (const secret of secrets) await this.print(secret, secret);
    if (secrets.length > 0) this.note(say`the secret of a webhook is only shown this time; its recipient needs it`);
    const reportedChanges = startsAt === null ? say`changes from now on` : say`changes since ${instant(startsAt)}`;
    this.note(
      knownRowCount === null
        ? say`the watch ${name} reports ${reportedChanges}`
        : say`the watch ${name} starts with ${this.speech.count(knownRowCount, 'row')}, and reports ${reportedChanges}`,
    );
    this.note(say`run \`hemicycle watch run\` after each sync`);
  }
}

/** The command line of a watched question, whose search words are replaced by the flags that its command infers. */
function withInferredFlags(
  mirror: Mirror,
  { question, values }: Extract<WatchedQuestion, { asks: 'question' }>,
  [command = '', ...tokens]: readonly string[],
): string[] {
  const { parameters } = question;
  const { flags, positionals: words, flagWords } = splitFlags(question, tokens);
  const areSearchWords = words.length > 0 && values.q === words.join(' ') && !parameters.q!.isRequired;
  const typedFlags = Object.fromEntries(
    Object.entries(flags).map(([name, texts]) => [flagName(name, parameters[name]!), texts]),
  );
  const inferredFlags = areSearchWords ? inferFlags(() => mirror, parameters, { words, flags: typedFlags }) : null;
  if (inferredFlags === null) return [command, ...tokens];
  return [command, ...inferredFlags.flatMap(({ flag, text }) => [`--${flag}`, text]), ...flagWords];
}
