import { type Language, languageOfTag, localeLanguage } from '../words/language.ts';
import { loadLanguage, type Speech, speechOf } from '../words/speech.ts';
import { settingTable } from './setting-table.ts';
import { userConfigPath } from './settings.ts';
import { readUserConfig } from './user-config.ts';

type Environment = Record<string, string | undefined>;

/** How whoever typed this is spoken to, at a terminal or not; that language is at hand from here on. */
export async function speechTo(
  argv: readonly string[],
  { environment, atTerminal = false }: { environment: Environment; atTerminal?: boolean },
): Promise<Speech> {
  const language = spokenLanguage(argv, environment);
  await loadLanguage(language);
  return speechOf(language, { atTerminal });
}

/**
 * The language of whoever typed this: `--lang`, else the setting, else the locale. It is needed before flags are
 * parsed, since what is wrong with them is told in it: what makes no sense here is refused there.
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
    // A file of settings that cannot be read is told of where they are needed.
    return undefined;
  }
}
