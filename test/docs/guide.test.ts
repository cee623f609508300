import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { subjectNames } from '../../src/cli/help-subjects.ts';
import { readManifest, typedCommand } from '../../src/cli/manifest.ts';
import { pagePath, pages, sections } from './guide.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest = readManifest(root);
const written = pages.filter(({ path }) => !path.includes('/reference/'));

/** The prose of a page in sentences: no code, tables, links or marks. */
function sentencesOf(text: string): string[] {
  const prose = text
    .replace(/```[\s\S]*?```|<!--.*?-->/g, '.')
    .replace(/^(?:\||#).*$/gm, '.')
    .replace(/^(?:- |\d+\. )/gm, '.\n')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/`[^`]*`/g, 'x');
  return prose.split(/[.?!:;](?=\s|$)|\n\n/).map((each) => each.replace(/\s+/g, ' ').trim());
}

/** What a page has people type, the words behind `hemicycle`. */
function typedOn(text: string): string[] {
  const spans = [...text.matchAll(/```(?:sh|console)?\n([\s\S]*?)```|`([^`\n]*)`/g)].map(
    ([, block, span]) => block ?? span!,
  );
  return spans.flatMap((each) =>
    [...each.matchAll(/\bhemicycle ([a-z][^\n|;&>)]*)/g)].map(([, line]) => line!),
  );
}

describe('the pages of the guide', () => {
  it('are those of docs/guide.json, and no others', () => {
    const listed = (['en', 'fr'] as const).flatMap((language) =>
      sections.flatMap(({ name, pages: own }) => own.map((page) => pagePath(name, page.name, language))),
    );
    expect(globSync('docs/{en,fr,reference/*}/*.md', { cwd: root }).sort()).to.deep.equal(listed.sort());
  });

  for (const page of pages)
    it(`begin with the title that the list has: ${page.path}`, () => {
      expect(page.text.split('\n', 1)[0]!.replaceAll('’', "'")).to.equal(
        `# ${page[page.language].replaceAll('’', "'")}`,
      );
    });

  for (const { path, text } of written) {
    it(`fit on two screens, in short sentences: ${path}`, () => {
      if (!path.endsWith('recipes.md')) expect(text.split('\n').length).to.be.at.most(80);
      const limit = path.startsWith('docs/fr') ? 30 : 25;
      expect(sentencesOf(text).filter((each) => each.split(' ').length > limit)).to.deep.equal([]);
    });
  }

  it('name commands and flags that exist, in both languages', () => {
    const wrong = pages.flatMap(({ path, text }) =>
      typedOn(text).flatMap((line) => {
        const words = line.trim().split(/\s+/);
        const command = typedCommand(words, Object.keys(manifest.commands));
        if (words[0] === 'help' && subjectNames.includes(words[1]!)) return [];
        if (!command) return [`${path}: hemicycle ${line}`];
        const { flags } = manifest.commands[command.id]!;
        const asked =
          words[0] === 'watch'
            ? []
            : [...line.matchAll(/ --(?:no-)?([a-z][\w-]*)/g)].map(([, flag]) => flag!);
        return asked
          .filter((flag) => !Object.hasOwn(flags, flag) && flag !== 'help')
          .map((flag) => `${path}: hemicycle ${line}: --${flag}`);
      }),
    );
    expect(wrong).to.deep.equal([]);
  });
});
