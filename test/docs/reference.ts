import { commandGroups } from '../../src/cli/help.ts';
import { helpSubjects } from '../../src/cli/help-subjects.ts';
import { type ManifestCommand, type ManifestFlag, readManifest } from '../../src/cli/manifest.ts';
import { type SettingRow, settingTable } from '../../src/cli/setting-table.ts';
import { allTables, isTidyTable, nameOfTable } from '../../src/export/tables.ts';
import { formats } from '../../src/format/formats.ts';
import { type Column, kinds } from '../../src/model/kinds.ts';
import type { Question } from '../../src/questions/question.ts';
import { questions } from '../../src/questions/table.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { loadLanguage, type Speech, speechOf } from '../../src/words/speech.ts';
import { type GuideLanguage, inFrench } from './guide.ts';

/** Blocks of the reference by the page that they stand on and the name in their marks, in one language. */
export type ReferenceBlocks = Record<string, Record<string, string>>;

await loadLanguage('fr');

/** The tables of the reference, as the program has them. */
export function referenceBlocks(root: string, language: GuideLanguage): ReferenceBlocks {
  const speech = speechOf(language);
  const commands = readManifest(root).commands;
  const word = (english: string) => (language === 'fr' ? inFrench(english, speech.word) : english);
  const table = (...rows: string[][]) => tableOf(rows.map((row, at) => (at === 0 ? row.map(word) : row)));
  const columnRows = (columns: readonly Column[]) =>
    table(
      ['column', 'type', 'what it says'],
      ...columns.map(({ name, type, description }) => [`\`${name}\``, type, word(description)]),
    );
  return {
    commands: {
      commands: commandLists(commands, word),
      flags: sharedFlags(commands, word),
    },
    settings: {
      settings: table(
        ['setting', 'variable', 'default', 'what it is'],
        ...Object.entries<SettingRow>(settingTable).map(([name, row]) => [
          `\`${name}\``,
          `\`${row.variable}\``,
          typeof row.default === 'string' ? `\`${row.default}\`` : '',
          word(row.description),
        ]),
      ),
      environment: ['TERMINAL', 'NETWORK AND FILES']
        .map((heading) => table([heading, ''], ...termsOf('environment', heading, word)))
        .join('\n\n'),
    },
    'exit-codes': {
      exits: table(
        ['exit', 'code', 'when'],
        ...termsOf('exit-codes', 'EXIT CODES', word).map(([term, when]) => {
          const [exit = '', code = ''] = term!.replaceAll('`', '').split(/ (?=[A-Z])/);
          return [exit.replaceAll(' ', ', '), code && `\`${code}\``, when!];
        }),
      ),
    },
    formats: { formats: formatRows(table, word) },
    fields: {
      fields: kinds
        .map(
          ({ name, plural, description, columns, added = [] }) =>
            `## ${plural}\n\n\`${name}\`: ${word(description)}\n\n${columnRows([...columns, ...added])}`,
        )
        .join('\n\n'),
    },
    columns: {
      columns: allTables
        .filter(isTidyTable)
        .map((each) => {
          const { columns, key } = each.content({} as Mirror, {});
          const keyed = `${word('Key')}: ${key.map((column) => `\`${column}\``).join(', ')}.`;
          return `## ${nameOfTable(each)}\n\n${word(each.description)} ${keyed}\n\n${columnRows(columns)}`;
        })
        .join('\n\n'),
    },
    api: {
      questions: table(
        ['path', 'parameters', 'answers with'],
        ...questions.map((question) => [
          `\`${question.path}\`${question.isInterface ? '' : ' *'}`,
          parameterNames(question),
          word(question.summary),
        ]),
      ),
    },
  };
}

type Word = Speech['word'];

function tableOf([head = [], ...rows]: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`.replaceAll('  |', ' |');
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** The rows of a help subject that are terms with their meaning. */
function termsOf(subject: string, heading: string, word: Word): string[][] {
  const body = helpSubjects[subject]!.sections[heading]!;
  return body.map(([term = '', meaning = '']) => [`\`${term}\``, word(meaning)]);
}

/** Every command with its arguments and its own flags, in the groups of the help. */
function commandLists(commands: Record<string, ManifestCommand>, word: Word): string {
  const all = Object.values(commands);
  const listed = Object.values(commandGroups).flatMap((heads) => heads.split(' '));
  const headOf = ({ id }: ManifestCommand) => id.split(':')[0]!;
  return Object.entries(commandGroups)
    .map(([heading, heads]) => {
      const unlistedHeads = heading === 'BEGIN' ? all.map(headOf).filter((head) => !listed.includes(head)) : [];
      const names = [...new Set([...heads.split(' '), ...unlistedHeads])];
      const shown = names.flatMap((head) => all.filter((command) => headOf(command) === head));
      return `## ${sentenceCase(word(heading))}\n\n${shown.map((each) => commandText(each, word)).join('\n\n')}`;
    })
    .join('\n\n');
}

const sentenceCase = (heading: string) => heading[0] + heading.slice(1).toLowerCase();

function commandText({ id, summary, args, flags }: ManifestCommand, word: Word): string {
  const own = Object.values(flags).filter(({ helpGroup }) => !['COMMON', 'OUTPUT', 'SOURCE'].includes(`${helpGroup}`));
  const argumentRows = Object.values(args).map(({ name, description = '' }) => [
    `\`${name.toUpperCase()}\``,
    word(description),
  ]);
  const rows = [...argumentRows, ...own.map((flag) => flagRow(flag, word))];
  const head = `### \`${id.replace(':', ' ')}\`\n\n${word(summary)}`;
  return rows.length === 0 ? head : `${head}\n\n${tableOf([['', ''], ...rows])}`;
}

function sharedFlags(commands: Record<string, ManifestCommand>, word: Word): string {
  const all = Object.values(commands).flatMap(({ flags }) => Object.values(flags));
  const shared = all.filter(({ helpGroup }) => ['COMMON', 'OUTPUT', 'SOURCE'].includes(`${helpGroup}`));
  const byName = new Map(shared.map((flag) => [flag.name, flag]));
  return tableOf([['', ''], ...[...byName.values()].map((flag) => flagRow(flag, word))]);
}

function flagRow(flag: ManifestFlag, word: Word): string[] {
  const { name, char, type, allowNo, options, helpValue = 'VALUE', description = '' } = flag;
  const value = type === 'boolean' ? '' : ` ${options ? options.join('|') : word(helpValue)}`;
  const dashed = name.length === 1 ? `-${name}` : `--${allowNo ? '[no-]' : ''}${name}`;
  const preset = flag.default === undefined ? '' : ` (${word('default')}: \`${String(flag.default)}\`)`;
  return [`\`${char ? `-${char}, ` : ''}${dashed}${value}\``, `${word(description)}${preset}`];
}

/** The parameters of a question over HTTP, by their names in an address. */
function parameterNames({ parameters, path }: Question): string {
  return Object.entries(parameters)
    .filter(([name, { surface }]) => surface !== 'cli' && !path.includes(`{${name}}`))
    .map(([name, { isRequired }]) => `\`${name}\`${isRequired ? '!' : ''}`)
    .join(' ');
}

function formatRows(table: (...rows: string[][]) => string, word: Word): string {
  const yes = (can: unknown) => (can ? word('yes') : '');
  return table(
    ['format', 'media type', '`--format`', '`export`', '`import`'],
    ...formats.map(({ name, mediaType, rowFormat, isExported, reading }) => [
      `\`${name}\``,
      `\`${mediaType}\``,
      yes(rowFormat),
      yes(isExported),
      yes(reading),
    ]),
  );
}
