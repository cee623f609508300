import { readFileSync } from 'node:fs';
import { type GuideLanguage, pagePath, sections } from './guide.ts';
import { referenceBlocks } from './reference.ts';

/** The blocks of the README and the guide that follow from the program: in which file, and the name in their marks. */
export function generatedBlocks(root: string): { path: string; name: string; text: string }[] {
  return [
    { path: 'README.md', name: 'vote', text: votePicture(root) },
    { path: 'README.md', name: 'pages', text: pagesList() },
    ...(['en', 'fr'] as const).flatMap((language) => ofReference(root, language)),
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

/** The pages of the guide in English, a line for each section. */
function pagesList(): string {
  return sections
    .map(({ name, en, pages }) => {
      const links = pages.map((page) => `[${page.en}](${pagePath(name, page.name, 'en')})`);
      return `- **${en}**: ${links.join(' · ')}`;
    })
    .join('\n');
}

/** A ballot as a terminal shows it, from its golden output. */
function votePicture(root: string): string {
  const golden = readFileSync(`${root}fixtures/golden/vote-tie.terminal.txt`, 'utf8');
  const plain = golden.replace(/␛\[[\d;]*m/g, '').split('\n');
  return ['```console', '$ hemicycle vote VAL1V11', ...plain.slice(2, -2), '```'].join('\n');
}
