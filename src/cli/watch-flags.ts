import { HemicycleError, UsageError } from '../errors.ts';
import type { Mirror } from '../store/mirror.ts';
import { citationOf } from '../store/records/citation.ts';
import { lastFilled } from '../store/records/contents.ts';
import type { NewWatch, Watch } from '../store/watches.ts';
import { channelKindOf, channelKinds, channelText } from '../watches/channels.ts';
import { newMessageId, testBody } from '../watches/message.ts';
import { say } from '../words/speech.ts';
import type { HemicycleCommand } from './base-command.ts';
import { textOfFile } from './flag-values.ts';
import { Flags, type Interfaces, listFlag, valueFlag } from './oclif.ts';
import type { Settings } from './settings.ts';
import { sendingSettings } from './watch-command.ts';

/** Valid names of watches. */
export const watchNamePattern = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u;

const sorts = ['added', 'new', 'edited', 'withdrawn', 'gone', 'returned', 'renamed', 'silent', 'over'];

/** The flags that choose which changes a watch reports, and through which channels. */
export const watchFlags: Interfaces.FlagInput = {
  ...channelFlags(),
  only: valueFlag(`types of change to report: ${sorts.join(', ')}`, 'SORT,…'),
  digest: Flags.string({
    description: 'one message per run (default), or per completed day (UTC)',
    options: ['run', 'day'],
  }),
  test: Flags.boolean({
    description: 'send a test to webhooks and email addresses, and refuse those that do not accept it',
    default: true,
    allowNo: true,
  }),
};

function channelFlags(): Interfaces.FlagInput {
  const flags: Interfaces.FlagInput = {};
  for (const { name, description, helpValue, flags: optionFlags = {} } of channelKinds) {
    flags[name] = listFlag(description, helpValue);
    for (const [other, { description, helpValue }] of Object.entries(optionFlags)) {
      const flagOptions = { description, dependsOn: [name] };
      flags[other] = helpValue ? Flags.string({ ...flagOptions, helpValue }) : Flags.boolean(flagOptions);
    }
  }
  return flags;
}

/** Parses the typed channels. */
export function channelsIn(flags: Record<string, unknown>) {
  const options = { folder: process.cwd(), flags, readText: textOfFile };
  return channelKinds.flatMap(({ name, parse }) => parse((flags[name] as string[] | undefined) ?? [], options));
}

/** Parses the typed sorts of change; null for all. */
export function sortsIn(text: string | undefined): string[] | null {
  if (text === undefined) return null;
  const words = text.split(',').map((word) => word.trim());
  const unknown = words.find((word) => !sorts.includes(word));
  if (unknown === undefined) return words;
  throw new UsageError(say`--only ${unknown} is not a type of change`, say`one of ${sorts.join(', ')}`);
}

/** Validates new channels and sends a test where possible; throws a UsageError if one fails. */
export async function acceptChannels(
  command: HemicycleCommand,
  options: { mirror: Mirror; settings: Settings; watch: NewWatch; isTested: boolean },
): Promise<void> {
  const { mirror, settings, watch, isTested } = options;
  const sending = sendingSettings(command, settings);
  const cited = { citation: citationOf(settings, mirror), retrievedAt: lastFilled(mirror) };
  for (const channel of watch.channels) {
    const kind = channelKindOf(channel);
    await kind.check?.(channel, sending);
    if (!isTested || kind.delivers !== 'messages' || !kind.isTested) continue;
    const tested: Watch = { ...watch, ...unsaved, channels: [] };
    const body = testBody([], tested, { id: newMessageId(), at: watch.createdAt, cited });
    const addressed = { ...channel, id: 0, uid: '', bundled: 0, disabledAt: null, former: null };
    try {
      await kind.send(addressed, { watch: tested, body }, sending);
    } catch (error) {
      if (!(error instanceof HemicycleError)) throw error;
      const hint = say`nothing was added; correct the address, or add it without a test (--no-test)`;
      throw new UsageError(say`${channelText(channel)} did not accept a test message: ${error.phrase}`, hint);
    }
    command.note(say`${channelText(channel)} accepted a test message`);
  }
}

const nowhere = { journal: null, state: null, at: null };
const unsaved = { id: 0, uid: '', lookedAt: null, pausedAt: null, mark: nowhere, trouble: null };
