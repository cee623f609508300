import { parseArgs } from 'node:util';
import { orNull } from '../errors.ts';
import { languageOfTag, localeLanguage } from '../words/language.ts';
import { loadLanguage, type Speech, speechOf } from '../words/speech.ts';
import { settingTable } from './setting-table.ts';
import { readFolderPaths, readUserConfig } from './settings.ts';

/** Loads the user's language (`--lang`, else setting, else locale) before flags are parsed; returns its speech. */
export async function loadSpeech(
  argv: readonly string[],
  { environment, atTerminal = false }: { environment: NodeJS.ProcessEnv; atTerminal?: boolean },
): Promise<Speech> {
  // Invalid values are skipped here, and refused when the flags are parsed.
  const language =
    languageOfTag(typedLanguage(argv)) ??
    languageOfTag(environment[settingTable.lang.variable]) ??
    languageOfTag(configuredLanguage(environment)) ??
    localeLanguage(environment);
  await loadLanguage(language);
  return speechOf(language, { atTerminal });
}

function typedLanguage(argv: readonly string[]): string | undefined {
  // Parsing takes a millisecond, and few command lines have the flag.
  if (!argv.some((word) => word.startsWith('--lang'))) return undefined;
  const { lang } = parseArgs({ args: [...argv], options: { lang: { type: 'string' } }, strict: false }).values;
  return typeof lang === 'string' ? lang : undefined;
}

function configuredLanguage(environment: NodeJS.ProcessEnv): string | undefined {
  // An unreadable settings file is reported where settings are read.
  const storedLanguage = orNull(() => readUserConfig(readFolderPaths(environment).configPath).lang);
  return typeof storedLanguage === 'string' ? storedLanguage : undefined;
}
