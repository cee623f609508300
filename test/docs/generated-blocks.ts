import { readFileSync } from 'node:fs';
import { helpSubjects } from '../../src/cli/help-subjects.ts';
import { speechOf } from '../../src/words/speech.ts';
import { type GuideLanguage, pagePath, sections } from './guide.ts';
import { referenceBlocks } from './reference.ts';

/** The blocks of the README and the guide that follow from the program: in which file, and the name in their marks. */
export function generatedBlocks(root: string): { path: string; name: string; text: string }[] {
  return [
    { path: 'README.md', name: 'vote', text: votePicture(root) },
    { path: 'README.md', name: 'pages', text: pagesList('en', '') },
    { path: 'docs/README.md', name: 'pages', text: pagesList('fr', '../') },
    ...(['en', 'fr'] as const).flatMap((language) => [
      { path: `docs/${language}/recipes.md`, name: 'recipes', text: recipes(language) },
      ...ofReference(root, language),
    ]),
  ];
}

function ofReference(root: string, language: GuideLanguage): { path: string; name: string; text: string }[] {
  return Object.entries(referenceBlocks(root, language)).flatMap(([page, blocks]) =>
    Object.entries(blocks).map(([name, text]) => ({
      path: pagePath('reference', page, language),
      name,
      text,
    })),
  );
}

/** The questions of `help recipes`, each with the line that answers it. */
function recipes(language: GuideLanguage): string {
  const lines = helpSubjects.recipes!.sections.RECIPES!.map(String).map(speechOf(language).word);
  return lines
    .map((line) => (line.startsWith('  $') ? `\`\`\`console\n${line.trim()}\n\`\`\`` : `**${line}**`))
    .join('\n\n');
}

/** The pages of the guide, a line for each section; `up` leads from the file to the root. */
function pagesList(language: GuideLanguage, up: string): string {
  return sections
    .map((section) => {
      const links = section.pages.map(
        (page) => `[${page[language]}](${up}${pagePath(section.name, page.name, language)})`,
      );
      return `- **${section[language]}** : ${links.join(' · ')}`.replace(' :', language === 'fr' ? ' :' : ':');
    })
    .join('\n');
}

/** A ballot as a terminal shows it, from its golden output. */
function votePicture(root: string): string {
  const golden = readFileSync(`${root}fixtures/golden/vote-tie.terminal.txt`, 'utf8');
  const plain = golden.replace(/␛\[[\d;]*m/g, '').split('\n');
  return [
    '```console',
    '$ hemicycle vote VAL1V11',
    ...plain.slice(
      1,
      plain.findLastIndex((line) => line.startsWith('from the mirror')),
    ),
    '```',
  ].join('\n');
}
