import { readFileSync } from 'node:fs';
import { flagName, type Parameter } from '../../src/questions/parameter.ts';
import type { Question } from '../../src/questions/question.ts';
import { questions } from '../../src/questions/table.ts';
import { pagePath, sections } from './guide.ts';

/** The blocks of the README and the guide that follow from the program: in which file, and the name in their marks. */
export function generatedBlocks(root: string): { path: string; name: string; text: string }[] {
  return [
    { path: 'README.md', name: 'vote', text: votePicture(root) },
    { path: 'README.md', name: 'pages', text: pagesList() },
    { path: 'docs/reference/en/commands.md', name: 'questions', text: questionsTable() },
  ];
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

/** Every question: its command with the flags, its path, and what it asks for. */
function questionsTable(): string {
  const rows = questions.map((question) => {
    const path = `${question.path}${question.isInterface ? '' : '*'}`;
    return `| ${commandOf(question)} | \`${path}\` | ${question.summary} |`;
  });
  return ['| command | HTTP | answers with |', '|---|---|---|', ...rows].join('\n');
}

function commandOf({ examples, parameters }: Question): string {
  const [name] = examples[0]!.command.split(' ');
  const all = Object.entries(parameters).filter(([, { surface }]) => surface !== 'http');
  const places = all.filter(([, { isPlace }]) => isPlace).map(([place]) => place.toUpperCase());
  const flags = all
    .filter(([, { isPlace, isRequired }]) => !isPlace && !isRequired)
    .map(([each, parameter]) => flagText(each, parameter));
  if (examples[0]!.command.includes('--semantic')) flags.unshift('`--semantic`');
  const words = name === 'search' ? ['QUERY…'] : places;
  return [`\`${[name, ...words].join(' ')}\``, ...flags].join(' ');
}

function flagText(name: string, parameter: Parameter): string {
  const { schema, isList } = parameter;
  const choices = isList ? undefined : (schema.enum as string[] | undefined);
  const flag = flagName(name, parameter);
  const dashed = flag.length === 1 ? `-${flag}` : `--${flag}`;
  return `\`${dashed}${choices ? ` ${choices.join('\\|')}` : ''}\``;
}
