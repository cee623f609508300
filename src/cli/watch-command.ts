import { DeliveryError, HemicycleError, NotFoundError, UsageError } from '../errors.ts';
import { sanitiseLine } from '../format/sanitise.ts';
import type { Mirror } from '../store/mirror.ts';
import { reviveDeadMessages } from '../store/outbox.ts';
import { openWatchesIfAny, type WatchBook, watchPath } from '../store/watch-book.ts';
import { listWatches, type NewWatch, type Watch } from '../store/watches.ts';
import { messageText } from '../terminal/watch-text.ts';
import type { SendingSettings } from '../watches/channel.ts';
import { channelKindOf, channelKinds, channelText } from '../watches/channels.ts';
import { sourceCitationOf, testBody } from '../watches/message.ts';
import { rewriteFeeds, runWatches, type WatchReport } from '../watches/run.ts';
import { amount, figure, type Phrase, say } from '../words/speech.ts';
import { HemicycleCommand } from './base-command.ts';
import { splitCommand } from './manifest.ts';
import { argument, type Interfaces } from './oclif.ts';
import { onEndSignal } from './process.ts';
import { settingKeys, settingRow } from './setting-table.ts';
import type { Settings } from './settings.ts';

export const watchNameArgument = argument('name of the watch: letters, digits, dots, hyphens and underscores');

export abstract class WatchCommand extends HemicycleCommand {
  /** Opens the file with the watches of the mirror until the command ends; null if there is none. */
  protected watchesIfAny(): WatchBook | null {
    const book = openWatchesIfAny(this.settingsWith().db);
    return book && this.closeAtEnd(book);
  }

  /** Opens the file of the watches, and finds the one with the name; throws a NotFoundError if there is none. */
  protected openWatch(name: string): { book: WatchBook; watch: Watch } {
    const book = this.watchesIfAny(); // if null, `findWatch` throws
    return { book: book!, watch: findWatch(book, name) };
  }

  /** Checks new channels; with `sendsTest`, sends each a test message. Throws a UsageError if one is refused. */
  protected async checkChannels(
    newWatch: Omit<NewWatch, 'createdAt'>,
    { mirror, settings, sendsTest }: { mirror: Mirror; settings: Settings; sendsTest: boolean },
  ): Promise<void> {
    const sendSettings = sendingSettings(this, settings);
    const source = sourceCitationOf(mirror, settings);
    const watch = { ...newWatch, ...unsavedWatch, channels: [] };
    for (const channel of newWatch.channels) {
      const kind = channelKindOf(channel);
      await kind.check?.(channel, sendSettings);
      if (!sendsTest || kind.delivers !== 'messages' || kind.isUntestable) continue;
      const draft = { ...channel, id: 0, uid: '', bundled: 0, disabledAt: null, previousSecret: null };
      await kind.send(draft, { watch, body: testBody([], watch, source) }, sendSettings).catch((error: unknown) => {
        if (!(error instanceof HemicycleError)) throw error;
        const hint = say`nothing was added; correct the address, or add it without a test (--no-test)`;
        throw new UsageError(say`${channelText(channel)} did not accept a test message: ${error.phrase}`, hint);
      });
      this.note(say`${channelText(channel)} accepted a test message`);
    }
  }
}

const noMark = { journal: null, state: null, at: null };
/** Values of a watch that is not stored yet; `mark` is the position of its last check. */
const unsavedWatch = { id: 0, uid: '', createdAt: '', lookedAt: null, pausedAt: null, mark: noMark, trouble: null };

/** Environment variables that every program of a watch receives: user, language and session, never a secret. */
const commonVariables = /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|XDG_\w+)$/;

/** Settings of watch channels: user agent, mail server, program variables and mail composition. */
export function sendingSettings(command: HemicycleCommand, settings: Settings): SendingSettings {
  const { smtpUrl: url, mailFrom: from, commandEnv, contact } = settings;
  const settingVariables = settingKeys.map(settingRow).flatMap((row) => (row.isSecret ? [] : row.variable));
  const passedVariables = new Set([...settingVariables, ...(commandEnv ?? [])]);
  return {
    userAgent: command.userAgent,
    commandEnv: Object.fromEntries(
      Object.entries(process.env).filter(([name]) => passedVariables.has(name) || commonVariables.test(name)),
    ),
    mailServer: url === null || from === null ? null : { url, from },
    textOf: messageText,
    operator: contact,
  };
}

/** Returns the watch with a name; throws a NotFoundError if there is none. */
export function findWatch(book: WatchBook | null, name: string): Watch {
  const [watch] = book ? listWatches(book, name) : [];
  if (watch) return watch;
  throw new NotFoundError(say`there is no watch named "${name}"`, say`list them with \`hemicycle watch list\``);
}

/** Signal aborted by the first end signal, whose exit code the run then has; the current message is still sent. */
export function createEndSignal(): AbortSignal {
  const controller = new AbortController();
  onEndSignal((exit) => {
    controller.abort();
    process.exitCode = exit;
  });
  return controller.signal;
}

type WatchRunOptions = {
  signal: AbortSignal;
  name?: string | undefined;
  retriesDead?: boolean;
  /** Longest wait for another run's lock. */
  waitMs?: number;
};

/** Runs all watches or only `name`; null without a watch file. `error`: undelivered messages, else first failure. */
export async function runWatchesOf(
  command: HemicycleCommand,
  settings: Settings,
  { name, retriesDead = false, waitMs = 0, signal }: WatchRunOptions,
): Promise<{ report: WatchReport; text: Phrase; error: HemicycleError | null } | null> {
  const book = openWatchesIfAny(settings.db);
  if (!book) {
    if (name !== undefined) findWatch(book, name); // throws a NotFoundError
    return null;
  }
  command.closeAtEnd(book);
  await command.lock(watchPath(settings.db), waitMs);
  const mirror = command.mirror(settings);
  if (retriesDead) reviveDeadMessages(book, new Date().toISOString());
  const refusals: Phrase[] = [];
  const failures = new Map<string, HemicycleError>();
  const report = await runWatches(book, mirror, {
    ...(name === undefined ? {} : { watchIdsToRun: [findWatch(book, name).id] }),
    citation: settings,
    questions: settings.questions,
    places: settings.places,
    settings: sendingSettings(command, settings),
    signal,
    kinds: channelKinds,
    now: Date.now,
    onFailure: (watch, error) => failures.set(watch, error),
    note({ watch, channel, reason, outcome }) {
      const line = sanitiseLine(reason);
      refusals.push(say`${watch}: ${line}`);
      command.note(
        {
          waiting: say`${watch}, ${channel.kind}: ${line}`,
          dead: say`${watch}, ${channel.kind}: ${line}; abandoned, see \`hemicycle watch log ${watch}\``,
          gone: say`${watch}, ${channel.kind}: ${line}; nothing more is sent to it (to retry: \`hemicycle watch run --retry-dead\`)`,
        }[outcome],
      );
    },
  });
  for (const { watch, trouble } of report.troubles)
    command.note(say`${watch}: ${failures.get(watch)?.phrase ?? sanitiseLine(trouble)}`);
  const failed = report.failed + report.dead;
  const [failure = null] = failures.values();
  const error = failed === 0 ? failure : new DeliveryError(say`${failed} messages were not delivered`, refusals[0]!);
  return { report, text: reportSentence(report), error };
}

/** Removes withheld records from the watches of a mirror, if any, and from their feeds. */
export async function eraseWithheldFromWatches(command: HemicycleCommand, settings: Settings, mirror: Mirror) {
  const book = openWatchesIfAny(settings.db);
  if (!book) return;
  command.closeAtEnd(book);
  await command.lock(watchPath(settings.db));
  await rewriteFeeds(book, mirror, settings);
}

function reportSentence({ watches, changes, told: sent, waiting, dead_in_all }: WatchReport): Phrase {
  const parts = say`${amount(watches, 'watch')}, ${amount(changes, 'change')}, ${amount(sent, 'message')} delivered`;
  const waitingText = waiting > 0 ? say`; ${figure(waiting)} pending` : '';
  const deadText = dead_in_all > 0 ? say`; ${figure(dead_in_all)} abandoned` : '';
  return say`${parts}${waitingText}${deadText}`;
}

/** Splits the words of `watch add` into its flags and name (`ownWords`) and the question; UsageError without a name. */
export function splitWatchWords(typedWords: readonly string[], flags: Interfaces.FlagInput) {
  const end = typedWords.includes('--') ? typedWords.indexOf('--') : typedWords.length;
  // Words after `--` belong to the question.
  const parts = splitCommand(typedWords.slice(0, end), flags);
  const ownFlags = parts.flatMap(({ flag, words }) => (flag ? words : []));
  const [name, ...question] = parts.flatMap(({ flag, words }) => (flag ? [] : words));
  if (name === undefined || name.startsWith('-'))
    throw new UsageError(
      say`the watch has no name`,
      say`as in \`hemicycle watch add logement search logement --type promise\``,
    );
  const words = [...question, ...typedWords.slice(end + 1)];
  // A quoted question is one word to a shell.
  const [singleWord = ''] = words.length === 1 ? words : [];
  return { ownWords: [...ownFlags, name], question: /\s/.test(singleWord) ? singleWord.trim().split(/\s+/) : words };
}
