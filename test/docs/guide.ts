import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
export type GuideLanguage = 'en' | 'fr';
type Named = { name: string; en: string; fr: string };

/** The sections of the guide in their order, with their pages: `docs/guide.json` is the one list of them. */
export const sections = JSON.parse(readFileSync(`${root}docs/guide.json`, 'utf8')) as (Named & {
  pages: Named[];
})[];

/** Every page of the guide that is written, in both languages, and those of the reference. */
export const pages = (['en', 'fr'] as const).flatMap((language) =>
  sections.flatMap((section) =>
    section.pages
      .map((page) => ({ ...page, language, path: pagePath(section.name, page.name, language) }))
      .filter(({ path }) => existsSync(root + path))
      .map((page) => ({
        ...page,
        get text() {
          return readFileSync(root + page.path, 'utf8');
        },
      })),
  ),
);

/** The file of a page. */
export function pagePath(section: string, name: string, language: GuideLanguage): string {
  return section === 'reference' ? `docs/reference/${language}/${name}.md` : `docs/${language}/${name}.md`;
}

/** The text of one page of the guide. */
export function guidePage(name: string, language: GuideLanguage = 'en'): string {
  return pages.find((page) => page.name === name && page.language === language)!.text;
}

const french = JSON.parse(readFileSync(`${root}docs/reference/french.json`, 'utf8')) as Record<string, string>;
const usedTexts = new Set<string>();
const missed = new Set<string>();

/** What the reference says of that in French: its own words first, then those of the program. */
export function inFrench(english: string, word: (english: string) => string): string {
  const translated = french[english] ?? word(english);
  usedTexts.add(english);
  if (translated === english && french[english] === undefined && / /.test(english)) missed.add(english);
  return translated;
}

/** Once the reference is made: the sentences of it without French, and the French that nothing of it is. */
export const untold = () => ({
  missing: [...missed],
  unused: Object.keys(french).filter((english) => !usedTexts.has(english)),
});

/** The program in TypeScript that the page of the client shows. */
export function clientExample(): string {
  const [, example = ''] =
    /```ts\n(import \{[^}]*\} from 'hemicycle\/client';[\s\S]*?)```/.exec(guidePage('client')) ?? [];
  return example;
}
