import { UsageError } from '../errors.ts';
import { channelKinds } from '../watches/channels.ts';
import { say } from '../words/speech.ts';
import { readTextFile } from './flag-values.ts';
import { Flags, type Interfaces, listFlag, valueFlag } from './oclif.ts';

export const watchNamePattern = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u; // also of subjects

/** `new` and `gone`: a row entered or left the answer; `silent` and `over`: a silence began or ended. */
const changeTypes = ['added', 'new', 'edited', 'withdrawn', 'gone', 'returned', 'renamed', 'silent', 'over'];

/** The flags that choose which changes a watch reports, and through which channels. */
export const watchFlags: Interfaces.FlagInput = {
  ...channelFlags(),
  only: valueFlag(`types of change to report (${changeTypes.join(', ')})`, 'TYPE,…'),
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
    for (const [optionName, { description, helpValue }] of Object.entries(optionFlags)) {
      const flagOptions = { description, dependsOn: [name] };
      flags[optionName] = helpValue ? Flags.string({ ...flagOptions, helpValue }) : Flags.boolean(flagOptions);
    }
  }
  return flags;
}

/** The channels that the flags of `channelFlags` name; throws a UsageError for an invalid one. */
export function parseChannels(flags: Record<string, unknown>) {
  const options = { folder: process.cwd(), flags, readText: readTextFile };
  return channelKinds.flatMap(({ name, parse }) => parse((flags[name] as string[] | undefined) ?? [], options));
}

/** Parses the types of change of `--only`; null for all. Throws a UsageError for an unknown type. */
export function parseChangeTypes(text: string | undefined): string[] | null {
  if (text === undefined) return null;
  const words = text.split(',').map((word) => word.trim());
  const unknownType = words.find((word) => !changeTypes.includes(word));
  if (unknownType === undefined) return words;
  throw new UsageError(say`--only ${unknownType} is not a type of change`, say`one of ${changeTypes.join(', ')}`);
}
