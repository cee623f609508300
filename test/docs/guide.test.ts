import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { helpText } from '../../src/cli/help.ts';
import { subjectNames } from '../../src/cli/help-subjects.ts';
import { findCommand, readManifest } from '../../src/cli/manifest.ts';
import { frenchAreas } from '../../src/words/french.ts';
import { loadLanguage, speechOf } from '../../src/words/speech.ts';
import { guidePage, pagePath, pages, sections } from './guide.ts';

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
    ([, block, inlineCode]) => block ?? inlineCode!,
  );
  return spans.flatMap((each) => [...each.matchAll(/\bhemicycle ([a-z][^\n|;&>)]*)/g)].map(([, line]) => line!));
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
        const command = findCommand(words, Object.keys(manifest.commands));
        if (words[0] === 'help' && subjectNames.includes(words[1]!)) return [];
        if (!command) return [`${path}: hemicycle ${line}`];
        const { flags } = manifest.commands[command.id]!;
        const flagNames =
          words[0] === 'watch' ? [] : [...line.matchAll(/ --(?:no-)?([a-z][\w-]*)/g)].map(([, flag]) => flag!);
        return flagNames
          .filter((flag) => !Object.hasOwn(flags, flag) && flag !== 'help')
          .map((flag) => `${path}: hemicycle ${line}: --${flag}`);
      }),
    );
    expect(wrong).to.deep.equal([]);
  });
});

describe('the help, in both languages', () => {
  const program = { root, pjson: JSON.parse(readFileSync(`${root}package.json`, 'utf8')) };
  const heads = new Set(Object.keys(manifest.commands).map((id) => id.split(':')[0]));
  const commands = [
    [],
    ...Object.keys(manifest.commands).map((id) => id.split(':')),
    ...subjectNames.map((each) => [each]),
  ];
  before(() => loadLanguage('fr'));

  for (const language of ['en', 'fr'] as const) {
    it(`has people type commands that exist: ${language}`, async () => {
      const texts = await Promise.all(
        commands.map((argv) => helpText(argv, program, { width: 80, speech: speechOf(language) })),
      );
      const typed = texts.flatMap((text) => [...text.matchAll(/(?<=\$ |`)hemicycle ([a-z][\w-]*)/g)]);
      expect(typed.length).to.be.greaterThan(100);
      expect(typed.map(([, head]) => head).filter((head) => !heads.has(head!))).to.deep.equal([]);
    });

    it(`lists the same commands, and cuts no summary at 80 columns: ${language}`, async () => {
      const text = await helpText([], program, { width: 80, speech: speechOf(language) });
      expect(text).not.to.match(/…$/m);
      expect(text.split('\n').filter((line) => line.length > 80)).to.deep.equal([]);
      for (const head of heads) if (head !== 'help') expect(text).to.match(new RegExp(`^  ${head} `, 'm'));
    });
  }

  it('agrees with every message on what commands are called', () => {
    const texts = Object.values(frenchAreas).flatMap((room) =>
      Object.values(room).flatMap((each) => Object.entries(each ?? {}).flat(2)),
    );
    const mentionedHeads = texts
      .map(String)
      .flatMap((text) => [...text.matchAll(/`hemicycle ([a-zé][\wé-]*)/g)].map(([, head]) => head!));
    expect(mentionedHeads.length).to.be.greaterThan(20);
    expect(mentionedHeads.filter((head) => !heads.has(head))).to.deep.equal([]);
  });
});

describe('what a new user asks', () => {
  /** Questions with the pages that answer them, at most two, and what the answer holds. */
  const questions: [en: string, fr: string, pages: string[], answer: RegExp][] = [
    [
      "How do I get last night's changes as a CSV?",
      'Comment obtenir les changements de la nuit en CSV ?',
      ['every-night'],
      /changes --since last --format csv/,
    ],
    [
      'Where is the token kept?',
      'Où le jeton est-il conservé ?',
      ['first-mirror', 'settings'],
      /config set token <[^`]*`[\s\S]*0600/,
    ],
    [
      'How long does the first sync take?',
      'Combien de temps dure la première synchronisation ?',
      ['first-mirror'],
      /ten minutes|dizaine de minutes/,
    ],
    [
      'How did a group vote on the last motion of censure?',
      'Qu’a voté un groupe sur la dernière motion de censure ?',
      ['ballots'],
      /vote motion de censure --latest/,
    ],
    [
      'What did a profile say before?',
      'Que disait une fiche auparavant ?',
      ['changes', 'dates'],
      /history politician[\s\S]*--as-of/,
    ],
    [
      'How do I open it in a French Excel?',
      'Comment l’ouvrir dans un Excel français ?',
      ['spreadsheets'],
      /--excel-fr/,
    ],
    ['May I publish it, and whom do I cite?', 'Puis-je publier, et qui citer ?', ['licences'], /Open Database License/],
    ['How do I put it behind nginx?', 'Comment le mettre derrière nginx ?', ['proxy'], /proxy_pass/],
    [
      'How do I tell a chat of what is new?',
      'Comment avertir une messagerie ?',
      ['watches', 'channels'],
      /--webhook-format slack/,
    ],
    [
      'Somebody objects to a record: what do I do?',
      'Quelqu’un s’oppose à un enregistrement : que faire ?',
      ['withhold'],
      /hemicycle withhold /,
    ],
  ];
  for (const language of ['en', 'fr'] as const)
    for (const [en, fr, names, answer] of questions)
      it(`is answered within two pages: ${language === 'fr' ? fr : en}`, () => {
        expect(names.length).to.be.at.most(2);
        expect(names.map((name) => guidePage(name, language)).join('\n')).to.match(answer);
      });
});
