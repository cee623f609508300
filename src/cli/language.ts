import { type Language, languageOfTag, localeLanguage } from '../words/language.ts';
import { loadLanguage, type Speech, speechOf } from '../words/speech.ts';
import { settingTable } from './setting-table.ts';
import { userConfigPath } from './settings.ts';
import { readUserConfig } from './user-config.ts';

type Environment = Record<string, string | undefined>;

/** Loads the user's language; returns the speech for it, at a terminal or not. */
export async function speechTo(
  argv: readonly string[],
  { environment, atTerminal = false }: { environment: Environment; atTerminal?: boolean },
): Promise<Speech> {
  const language = spokenLanguage(argv, environment);
  await loadLanguage(language);
  return speechOf(language, { atTerminal });
}

/**
 * The user's language: `--lang`, else the setting, else the locale. Errors about flags need it before flags
 * are parsed, so invalid values are skipped here and refused later.
 */
export function spokenLanguage(argv: readonly string[], environment: Environment): Language {
  return (
    languageOfTag(typedLanguage(argv)) ??
    languageOfTag(environment[settingTable.lang.variable]) ??
    languageOfTag(keptLanguage(environment)) ??
    localeLanguage(environment)
  );
}

function typedLanguage(argv: readonly string[]): string | undefined {
  const end = argv.indexOf('--');
  const flags = end < 0 ? argv : argv.slice(0, end);
  const at = flags.findLastIndex((word) => word === '--lang' || word.startsWith('--lang='));
  return at < 0 ? undefined : flags[at] === '--lang' ? flags[at + 1] : flags[at]!.slice('--lang='.length);
}

function keptLanguage(environment: Environment): string | undefined {
  try {
    const kept = readUserConfig(userConfigPath(environment)).lang;
    return typeof kept === 'string' ? kept : undefined;
  } catch {
    // An unreadable settings file is reported where settings are read.
    return undefined;
  }
}
