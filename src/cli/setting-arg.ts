import { Args } from './oclif.ts';
import { settingKeys } from './setting-table.ts';

/** The argument that names one setting. */
export function settingArg() {
  return Args.string({
    ignoreStdin: true,
    description: 'name of the setting',
    options: settingKeys,
    required: true,
  });
}
