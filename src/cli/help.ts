import { existsSync } from 'node:fs';
import { CommandHelp } from '@oclif/core/help';
import { orNull } from '../errors.ts';
import { shellLine } from '../format/sanitise.ts';
import { processTerminal, styleOf } from '../terminal/terminal.ts';
import type { Speech } from '../words/speech.ts';
import { type HelpSubject, helpSubjects, subjectNames } from './help-subjects.ts';
import { loadSpeech } from './language.ts';
import { findCommand, type ManifestCommand, type ManifestFlag, readManifest } from './manifest.ts';
import { type Command, Config, type Interfaces } from './oclif.ts';
import { programWords } from './process.ts';
import { readSettings } from './settings.ts';
import { unknownCommand } from './unknown-command.ts';

/** Commands in the order of first use; unlisted ones join the last group. */
export const commandGroups = {
  READ: 'politicians parties search feed vote ballots text compare cohesion check topics affiliations records ask sql',
  'FOLLOW AND CITE': 'brief changes history show open cite dossier evidence audit contradictions watch subject match',
  'KEEP A MIRROR': 'sync import status doctor backup restore withhold schedule config',
  'PASS ON': 'export serve site mcp token',
  BEGIN: 'demo init',
};

/** Groups of flags that several commands share; `help flags` describes them once. */
const sharedGroups = new Set<string | undefined>(['COMMON', 'OUTPUT', 'SOURCE']);

const helpFlagPattern = /^(--(no-)?color|--nested-commands|-n|--lang(=.*)?|en|fr)$/; // valid without a command

type Topics = Record<string, { description: string }>;
type Program = { root: string; pjson: { description?: string; oclif: { topics?: unknown } } };

/** Prints help on what `argv` names: the program, a command, a group of commands or a subject. */
export async function showHelp(argv: string[], program: Program): Promise<void> {
  const speech = await loadSpeech(argv, { environment: process.env });
  const colourFlag = argv.findLast((word) => /^--(no-)?color$/.test(word));
  const terminal = processTerminal('stdout', { colour: colourFlag ? colourFlag === '--color' : undefined });
  const width = Number.isFinite(terminal.columns) ? Math.min(100, terminal.columns) : 80;
  const bold = terminal.colour ? styleOf(terminal).bold : undefined;
  process.stdout.write(await helpText(argv, program, { width, speech, bold }));
}

/** Prints how to create a first mirror and returns true; false if one exists or a command was typed. */
export async function showFirstSteps(argv: string[]): Promise<boolean> {
  if (!(argv[0] ?? '-').startsWith('-') || !argv.every((word) => helpFlagPattern.test(word))) return false;
  // An invalid setting is reported by the command that needs it.
  const db = orNull(() => readSettings(process.env).db);
  if (db === null || existsSync(db)) return false;
  const { say, render, word } = await loadSpeech(argv, { environment: process.env });
  const ways = {
    demo: say`try everything offline, with fictional data`,
    [`init ${word('URL')}`]: say`mirror a service: asks for missing settings, shows the cost first`,
    [`import ${word('FOLDER')}`]: say`fill a mirror from files`,
    help: say`all commands`,
  };
  const command = shellLine(programWords());
  const lines = Object.entries(ways).map(([words, meaning]) => `  ${command} ${words.padEnd(15)} ${render(meaning)}`);
  process.stdout.write(`${say`There is no mirror yet. Three ways to start:`}\n${lines.join('\n')}\n`);
  return true;
}

type HelpStyle = { width: number; speech: Speech; bold?: ((text: string) => string) | undefined };

/** Help on what `argv` names, with plain headings without `bold`; throws a UsageError if it is unknown. */
export async function helpText(argv: string[], { root, pjson }: Program, style: HelpStyle): Promise<string> {
  const pages = new HelpPages({} as Command.Loadable, new Config({ root }), {
    ...style,
    // oclif moves text that does not fit beside its term two columns beyond its wrap width.
    maxWidth: Math.max(40, style.width < 80 ? style.width - 2 : style.width),
    stripAnsi: !style.bold,
  });
  const sections = selectSections(argv, pages, { root, pjson }).filter((text) => text !== '');
  return `${sections.join('\n\n').trimEnd()}\n`;
}

/** Sections of help, first match: program, `flags`, command, subject, topic; throws a UsageError if none matches. */
function selectSections(argv: string[], pages: HelpPages, { root, pjson }: Program): string[] {
  const manifest = readManifest(root);
  const { commands } = manifest;
  const topics = (pjson.oclif.topics ?? {}) as Topics;
  const firstFlagIndex = argv.findIndex((word) => word.startsWith('-'));
  const words = firstFlagIndex < 0 ? argv : argv.slice(0, firstFlagIndex);
  const [first] = words;
  if (first === undefined) {
    if (!argv.every((word) => helpFlagPattern.test(word))) throw unknownCommand(argv, manifest);
    const isFlat = argv.includes('--nested-commands') || argv.includes('-n');
    return pages.programSections(pjson.description ?? '', Object.values(commands), isFlat ? {} : topics);
  }
  const subcommands = Object.values(commands).filter(({ id }) => id.startsWith(`${first}:`));
  const command = findCommand(words, Object.keys(commands));
  if (first === 'flags') return pages.commandSections(flagsCommand(Object.values(commands)));
  if (command) return pages.commandSections(commands[command.id]!, command.id === first ? subcommands : []);
  if (Object.hasOwn(helpSubjects, first)) return pages.subjectSections(helpSubjects[first]!);
  if (subcommands.length === 0 || words.length > 1) throw unknownCommand(words, manifest, argv.slice(words.length));
  const examples = subcommands.flatMap((each) => each.examples?.slice(0, 1) ?? []).slice(0, 4);
  const summary = topics[first]?.description ?? '';
  const topicCommand = { id: `${first} COMMAND`, summary, examples, strict: true, args: {}, flags: {} };
  return pages.commandSections(topicCommand, subcommands);
}

type Row = [term: string, meaning: string | undefined];

/** The sections of each page of help, in the user's language. */
class HelpPages extends CommandHelp {
  declare opts: Interfaces.HelpOptions & HelpStyle;
  /** oclif renders every text as an EJS template; our texts are plain. */
  override render = String;
  private readonly translate = (english: string) => this.opts.speech.word(english);

  programSections(description: string, commands: ManifestCommand[], topics: Topics): string[] {
    const firstWords = new Set(commands.map(({ id }) => id.split(':')[0]!));
    const groupedWords = Object.values(commandGroups).flatMap((group) => group.split(' '));
    const otherWords = [...firstWords].filter((each) => each !== 'help' && !groupedWords.includes(each));
    const groups = { ...commandGroups, BEGIN: [commandGroups.BEGIN, ...otherWords].join(' ') };
    const rowsOf = (firstWord: string): Row[] => {
      const all = commands.filter(({ id }) => id.split(':')[0] === firstWord);
      const topic = topics[firstWord]?.description;
      if (!topic) return this.commandRows(all);
      // More subcommands would leave no room for the description; `help TOPIC` lists them.
      const subcommandNames = all.length > 4 ? ['COMMAND'] : all.map(({ id }) => id.slice(firstWord.length + 1));
      return [[`${firstWord} ${subcommandNames.join('|')}`, this.translate(topic)]];
    };
    return [
      this.wrap(this.translate(description), 0),
      this.section('USAGE', '$ hemicycle COMMAND [FLAG…]'),
      ...Object.entries(groups).map(([header, group]) => this.section(header, group.split(' ').flatMap(rowsOf))),
      this.section('MORE', [
        ['COMMAND --help', this.translate('help on one command, with examples')],
        ['help recipes', this.translate('journalists’ questions, each with the command that answers it')],
        ['help SUBJECT', `${this.translate('subjects shared by several commands:')} ${subjectNames.join(', ')}`],
      ]),
    ];
  }

  /** The sections on a command: examples first, its own flags with their meaning, only the labels of shared flags. */
  commandSections(command: ManifestCommand, subcommands: ManifestCommand[] = []): string[] {
    const { id, summary, description = '', examples = [], args, strict } = command;
    const exampleTexts = examples.map((each) => `${each.description}\n  $ ${each.command}`);
    const argumentRows = Object.values(args).map(({ name, required, description: meaning = '' }): Row => {
      const label = `${name.toUpperCase()}${strict ? '' : '...'}`;
      return [required ? label : `[${label}]`, this.translate(meaning)];
    });
    const labels = argumentRows.map(([label]) => label);
    // `help flags` has the empty id and describes the shared flags.
    const isShared = (group: string | undefined) => id !== '' && sharedGroups.has(group);
    const groups = [...Map.groupBy(Object.values(command.flags), ({ helpGroup }) => helpGroup)];
    const sharedFlags = groups.flatMap(([group, flags]) => (isShared(group) ? flags : []));
    const sharedLabels = sharedFlags.map((flag) => this.flagHelpLabel(this.localisedFlag(flag)).trim());
    const referenceLine = `\nhemicycle help flags  ${this.translate('describes them')}`;
    return [
      this.wrap(this.translate(summary), 0),
      this.section('EXAMPLES', this.localisedLines(exampleTexts.join('\n'))),
      this.section('USAGE', id && ['$ hemicycle', id.replace(':', ' '), ...labels, '[FLAG…]'].join(' ')),
      this.section('ARGUMENTS', argumentRows),
      ...groups.map(([group, flags]) =>
        isShared(group) ? '' : this.section(group ? `${group} FLAGS` : 'FLAGS', this.flagRows(flags)),
      ),
      this.section('SHARED FLAGS', sharedFlags.length > 0 ? this.wrap(sharedLabels.join(' ')) + referenceLine : ''),
      this.section('DESCRIPTION', this.localisedLines(description)),
      this.section('COMMANDS', this.commandRows(subcommands)),
    ];
  }

  subjectSections({ summary, sections }: HelpSubject): string[] {
    const localise = (body: HelpSubject['sections'][string]) =>
      typeof body[0] === 'string'
        ? this.localisedLines(body.join('\n'))
        : body.map(([term = '', text = '']): Row => [term, this.translate(text)]);
    const sectionTexts = Object.entries(sections).map(([header, body]) => this.section(header, localise(body)));
    return [this.wrap(this.translate(summary), 0), ...sectionTexts];
  }

  override section(header: string, body: Row[] | string): string {
    if (body.length === 0) return '';
    const { bold = String, stripAnsi } = this.opts;
    const isPlaceholder = (word: string) => /^\[?[A-Z]{2}/.test(word); // FILE, [NAME]
    const localiseWord = (word: string) => (isPlaceholder(word) ? this.translate(word) : word);
    const localise = (text: string) => text.split(' ').map(localiseWord).join(' ');
    const withHeader = (text: string) => `${bold(this.translate(header))}\n${this.indent(text)}`;
    if (typeof body === 'string') return withHeader(header === 'USAGE' ? localise(body) : body);
    const rows = body.map(([term, meaning]): Row => [localise(term), meaning]);
    return withHeader(this.renderList(rows, { indentation: 2, stripAnsi }));
  }

  private commandRows(commands: ManifestCommand[]): Row[] {
    return commands.map(({ id, summary }) => [id.replace(':', ' '), this.translate(summary)]);
  }

  private flagRows(flags: ManifestFlag[]): Row[] {
    return this.flags(flags.map((flag) => this.localisedFlag(flag))) as Row[];
  }

  /** Translates and wraps each line that is not a command. */
  private localisedLines(text: string): string {
    const localise = (line: string) => (/^ *\$ /.test(line) ? line : this.wrap(this.translate(line)));
    return text.split('\n').map(localise).join('\n');
  }

  /** The flag for oclif's lists: localised, with its default in the description and, without a letter, a label. */
  private localisedFlag(flag: ManifestFlag): Command.Flag.Any {
    const { name, type, char, allowNo, options, default: preset, helpValue = 'VALUE' } = flag;
    const texts = [this.translate(flag.description ?? '')];
    if (type === 'option' && preset !== undefined) texts.push(this.opts.speech.say`[default: ${String(preset)}]`);
    return {
      ...flag,
      default: undefined,
      description: texts.join(' '),
      helpLabel: char ? undefined : `${name.length === 1 ? '-' : allowNo ? '--[no-]' : '--'}${name}`,
      helpValue: options ? undefined : this.translate(helpValue),
    } as Command.Flag.Any;
  }
}

/** The flags that several commands share, as a command that help can describe. */
function flagsCommand(commands: ManifestCommand[]): ManifestCommand {
  const allFlags = commands.flatMap(({ flags }) => Object.entries(flags));
  const flags = Object.fromEntries(allFlags.filter(([, { helpGroup }]) => sharedGroups.has(helpGroup)));
  return { id: '', summary: 'flags shared by all commands', strict: true, args: {}, flags };
}
