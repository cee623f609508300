/** Languages of the interface; the first is the language of sources, JSON and files. */
export const languages = ['en', 'fr'] as const;

/** A language of the interface. */
export type Language = (typeof languages)[number];

/** Language of a POSIX locale (LC_ALL before LC_MESSAGES before LANG); English if unsupported. */
export function localeLanguage(environment: Record<string, string | undefined>): Language {
  const { LC_ALL, LC_MESSAGES, LANG } = environment;
  return languageOfTag(LC_ALL || LC_MESSAGES || LANG) ?? 'en';
}

/** Language of a tag such as `fr`, `fr-FR` or `fr_FR.UTF-8`; null if unsupported. */
export function languageOfTag(tag: string | undefined): Language | null {
  const [, primary] = /^([a-z]+)(?:[-_.@].*)?$/i.exec(tag?.trim() ?? '') ?? [];
  return languages.find((language) => language === primary?.toLowerCase()) ?? null;
}
