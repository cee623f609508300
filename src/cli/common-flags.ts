import { Flags, groupFlags, type Interfaces, switchFlag } from './oclif.ts';
import { settingKeys, settingRow } from './setting-table.ts';

const settingFlags = settingKeys.flatMap((key) => {
  const { flag, description } = settingRow(key);
  return flag ? [[key, Flags.string({ description, ...flag })]] : [];
});

/** The flags that every command accepts. */
export const commonFlags = groupFlags('COMMON', {
  ...(Object.fromEntries(settingFlags) as Record<'db' | 'lang', Interfaces.OptionFlag<string | undefined>>),
  json: switchFlag('output JSON; errors are one JSON object on stderr'),
  quiet: switchFlag('no progress or notes on stderr; truncation and the source are still stated'),
  color: Flags.boolean({ description: 'use colour (--no-color: never)', allowNo: true }),
  debug: switchFlag('print HTTP requests and responses to stderr, without the token'),
});

export type CommonFlags = Partial<Interfaces.InferredFlags<typeof commonFlags>>;
