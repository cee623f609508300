import { existsSync } from 'node:fs';
import process from 'node:process';
import { CommandHelp, Help, type HelpFormatter } from '@oclif/core/help';
import { orNull } from '../errors.ts';
import { shellLine } from '../format/sanitise.ts';
import { processTerminal, styleOf } from '../terminal/terminal.ts';
import type { Speech } from '../words/speech.ts';
import { type HelpSubject, subjectNames, subjects } from './help-subjects.ts';
import { speechTo } from './language.ts';
import { type Manifest, type ManifestCommand, readManifest, typedCommand } from './manifest.ts';
import { type Command, Config, type Interfaces } from './oclif.ts';
import { typedProgram } from './process.ts';
import { readSettings } from './settings.ts';
import { unknownCommand } from './unknown-command.ts';

/** Commands in the order of first use; unlisted ones join the last group. */
export const commandGroups = {
  READ: 'politicians parties search feed vote ballots text compare cohesion check topics affiliations records ask sql',
  'FOLLOW AND CITE': 'changes history show open cite dossier evidence audit contradictions watch match',
  'KEEP A MIRROR': 'sync import status doctor backup restore withhold schedule config',
  'PASS ON': 'export serve site mcp token',
  BEGIN: 'demo init',
};

/** Groups of flags that several commands share; `help flags` describes them once. */
const sharedGroups = new Set<string | undefined>(['COMMON', 'OUTPUT', 'SOURCE']);

const ownFlag = /^(--(no-)?color|--nested-commands|-n|--lang(=.*)?|en|fr)$/;

type Program = { root: string; pjson: { description?: string; oclif: { topics?: unknown } } };

/** Prints help on the program, a command, a group of commands or a subject, as `argv` names. */
export async function showHelp(argv: string[], program: Program): Promise<void> {
  const speech = await speechTo(argv, { environment: process.env });
  const colourFlag = argv.findLast((word) => /^--(no-)?color$/.test(word));
  const terminal = processTerminal('stdout', { colour: colourFlag ? colourFlag === '--color' : undefined });
  const width = Number.isFinite(terminal.columns) ? Math.min(100, terminal.columns) : 80;
  const bold = terminal.colour ? styleOf(terminal).bold : undefined;
  process.stdout.write(await helpText(argv, program, { width, speech, bold }));
}

/** Prints how to create a first mirror and returns true; false if one exists or a command was typed. */
export async function showFirstSteps(argv: string[]): Promise<boolean> {
  if (!(argv[0] ?? '-').startsWith('-') || !argv.every((word) => ownFlag.test(word))) return false;
  // The command that needs an invalid setting reports the error.
  const db = orNull(() => readSettings(process.env).db);
  if (db === null || existsSync(db)) return false;
  const { say, render, word } = await speechTo(argv, { environment: process.env });
  const ways = {
    demo: say`try everything offline, with fictional data`,
    [`init ${word('URL')}`]: say`mirror a service: asks for missing settings, shows the cost first`,
    [`import ${word('FOLDER')}`]: say`fill a mirror from files`,
    help: say`all commands`,
  };
  const program = shellLine(typedProgram());
  const lines = Object.entries(ways).map(([typed, what]) => `  ${program} ${typed.padEnd(15)} ${render(what)}`);
  process.stdout.write(`${say`There is no mirror yet. Three ways to start:`}\n${lines.join('\n')}\n`);
  return true;
}

type Style = { width: number; speech: Speech; bold?: ((text: string) => string) | undefined };
type Options = Interfaces.HelpOptions & Style;

/** Wrapped help on `argv`, plain without `bold`; throws a UsageError if there is none. */
export async function helpText(argv: string[], { root, pjson }: Program, style: Style): Promise<string> {
  const config = Object.assign(new Config({ root }), { root, pjson, bin: 'hemicycle', topicSeparator: ' ' });
  const help = new ProgramHelp(config, {
    ...style,
    all: argv.includes('--nested-commands') || argv.includes('-n'),
    flagSortOrder: 'none',
    // oclif moves text that does not fit beside its term two columns beyond its wrap width.
    maxWidth: Math.max(40, style.width < 80 ? style.width - 2 : style.width),
    stripAnsi: !style.bold,
  });
  await help.showHelp(argv);
  return `${help.text.trimEnd()}\n`;
}

class ProgramHelp extends Help {
  declare protected opts: Options;
  /** oclif renders every text as an EJS template; our texts are plain. */
  override render = String;
  text = '';
  private readonly word = (english: string) => this.opts.speech.word(english);
  private readonly manifest = readManifest(this.config.root);
  private readonly ids = Object.keys(this.manifest.commands);
  private readonly heads = [...new Set(this.ids.map((id) => id.split(':')[0]!))];

  private readonly commands = Object.values(this.manifest.commands).map((command) =>
    commandIn(this.opts.speech, command),
  );

  protected override get sortedCommands(): Command.Loadable[] {
    return this.commands;
  }

  /** First words that are no command themselves, such as `config`. */
  protected override get sortedTopics(): Interfaces.Topic[] {
    const { topics = {} } = this.config.pjson.oclif as { topics?: Record<string, { description: string }> };
    const heads = this.heads.filter((head) => !this.ids.includes(head));
    return heads.map((name) => ({ name, description: this.word(topics[name]?.description ?? '') }));
  }

  override async showHelp(argv: string[]): Promise<void> {
    const flagAt = argv.findIndex((word) => word.startsWith('-'));
    const words = flagAt < 0 ? argv : argv.slice(0, flagAt);
    if (words.length === 0 && !argv.every((word) => ownFlag.test(word))) throw unknownCommand(argv, this.manifest);
    const [first] = words;
    const command = typedCommand(words, this.ids);
    const topic = this.sortedTopics.find(({ name }) => name === first);
    if (first === undefined) this.showProgramHelp();
    else if (first === 'flags') await this.showCommandHelp(commandIn(this.opts.speech, flagsCommand(this.manifest)));
    else if (command) await this.showCommandHelp(this.commands.find(({ id }) => id === command.id)!);
    else if (Object.hasOwn(subjects, first)) this.showSubjectHelp(subjects[first]!);
    else if (topic && words.length === 1) await this.showTopicHelp(topic);
    else throw unknownCommand(words, this.manifest, argv.slice(words.length));
  }

  private showProgramHelp(): void {
    const listed = Object.values(commandGroups).flatMap((heads) => heads.split(' '));
    const otherHeads = this.heads.filter((head) => head !== 'help' && !listed.includes(head));
    const sections = Object.entries({
      ...commandGroups,
      BEGIN: [commandGroups.BEGIN, ...otherHeads].join(' '),
    });
    this.log(
      this.wrap(this.word(this.config.pjson.description ?? ''), 0),
      this.section('USAGE', '$ hemicycle COMMAND [FLAG…]'),
      ...sections.map(([header, heads]) => this.briefSection(header, heads.split(' '))),
      this.section('MORE', [
        ['COMMAND --help', this.word('help on one command, with examples')],
        ['help recipes', this.word('journalists’ questions, each with the command that answers it')],
        ['help SUBJECT', `${this.word('subjects shared by several commands:')} ${subjectNames.join(', ')}`],
      ]),
    );
  }

  private briefSection(header: string, heads: string[]): string {
    const topics = this.opts.all ? [] : this.sortedTopics.filter(({ description }) => description);
    const lines = heads.flatMap((head): [string, string][] => {
      const within = this.commands.filter(({ id }) => id.startsWith(`${head}:`));
      const topic = topics.find(({ name }) => name === head);
      const tails = within.map(({ id }) => id.slice(head.length + 1));
      // More subcommands would leave no room for the description; `help TOPIC` lists them.
      if (topic) return [[`${head} ${tails.length > 4 ? 'COMMAND' : tails.join('|')}`, topic.description!]];
      const own = this.commands.filter(({ id }) => id === head);
      return [...own, ...within].map(({ id, summary = '' }) => [id.replace(':', ' '), summary]);
    });
    return this.section(header, lines);
  }

  override async showCommandHelp(command: Command.Loadable): Promise<void> {
    const within = this.commands.filter(({ id }) => id.startsWith(`${command.id}:`));
    const page = new CommandPage({ ...command, id: command.id.replace(':', ' ') }, this.config, this.opts);
    this.log(this.wrap(command.summary ?? '', 0), page.generate(), this.formatCommands(within));
  }

  override async showTopicHelp({ name, description = '' }: Interfaces.Topic): Promise<void> {
    const within = this.commands.filter(({ id }) => id.startsWith(`${name}:`));
    const examples = within.flatMap((each) => each.examples?.slice(0, 1) ?? []).slice(0, 4);
    const shown = { ...within[0]!, id: `${name} COMMAND`, examples, args: {}, flags: {}, description: '' };
    const page = new CommandPage(shown, this.config, this.opts);
    this.log(this.wrap(description, 0), page.generate(), this.formatCommands(within));
  }

  private showSubjectHelp({ summary, sections }: HelpSubject): void {
    const { speech } = this.opts;
    const shown = Object.entries(sections).map(([header, body]) => {
      const localisedBody =
        typeof body === 'string'
          ? wrapLines(this, linesIn(speech, body))
          : body.map(([term, text]): [string, string] => [term, speech.word(text)]);
      return this.section(header, localisedBody);
    });
    this.log(this.wrap(this.word(summary), 0), ...shown);
  }

  override section(header: string, body: SectionBody): string {
    return sectionText(this, header, body, this.opts);
  }

  protected override log(...parts: string[]): void {
    this.text += `${parts.filter((part) => part !== '').join('\n\n')}\n`;
  }
}

/** The help of one command: examples first, then its own flags; shared flags are only named. */
class CommandPage extends CommandHelp {
  declare opts: Options;
  override render = String;

  protected override sections(): ReturnType<CommandHelp['sections']> {
    const { id, args, flags, examples = [], description = '' } = this.command;
    const shown = examples.flatMap((each) =>
      typeof each === 'string' ? each : [each.description, `  $ ${each.command}`],
    );
    const labels = this.args(Object.values(args))?.map(([label]) => label) ?? [];
    const shared = Object.values(flags)
      .filter(({ hidden }) => hidden)
      .map((flag) => this.flagHelpLabel(flag).trim());
    const more = `hemicycle help flags  ${this.opts.speech.word('describes them')}`;
    return [
      { header: 'EXAMPLES', generate: () => wrapLines(this, shown.join('\n')) },
      { header: 'USAGE', generate: () => id && ['$ hemicycle', id, ...labels, '[FLAG…]'].join(' ') },
      ...super.sections().filter(({ header }) => header === 'ARGUMENTS' || header === 'FLAGS'),
      {
        header: 'SHARED FLAGS',
        generate: () => (shared.length > 0 ? `${this.wrap(shared.join(' '))}\n${more}` : ''),
      },
      { header: 'DESCRIPTION', generate: () => wrapLines(this, description) },
    ];
  }

  override section(header: string, body: SectionBody): string {
    return sectionText(this, header, body, this.opts);
  }
}

type SectionBody = [string, string | undefined][] | string;

function sectionText(help: HelpFormatter, header: string, body: SectionBody, opts: Options): string {
  const { speech, bold = String, stripAnsi } = opts;
  const placeholder = (word: string) => (/^\[?[A-Z]{2}/.test(word) ? speech.word(word) : word);
  const localise = (text: string) => text.split(' ').map(placeholder).join(' ');
  const text =
    typeof body !== 'string'
      ? help.renderList(
          body.map(([term, meaning]) => [localise(term), meaning]),
          { indentation: 2, stripAnsi },
        )
      : header === 'USAGE'
        ? localise(body)
        : body;
  return `${bold(speech.word(header))}\n${help.indent(text)}`;
}

const linesIn = ({ word }: Speech, text: string): string => text.split('\n').map(word).join('\n');

function wrapLines(help: HelpFormatter, text: string): string {
  return text
    .split('\n')
    .map((line) => (/^ *\$ /.test(line) ? line : help.wrap(line)))
    .join('\n');
}

function flagsCommand({ commands }: Manifest): ManifestCommand {
  const all = Object.values(commands).flatMap(({ flags }) => Object.entries(flags));
  const flags = Object.fromEntries(all.filter(([, { helpGroup }]) => sharedGroups.has(helpGroup)));
  return { id: '', summary: 'flags shared by all commands', strict: true, args: {}, flags };
}

/** A copy of a command for oclif, with texts in the user's language and shared flags hidden. */
function commandIn(speech: Speech, command: ManifestCommand): Command.Loadable {
  const { id, summary, description = '', examples = [], args, flags } = command;
  const describedArgs = Object.values(args).map((arg) => {
    const localisedArgument = { ...arg, options: undefined, description: speech.word(arg.description ?? '') };
    return [arg.name, localisedArgument] as const;
  });
  const describedFlags = Object.values(flags).map((flag) => {
    const { name, type, char, allowNo, options, default: preset, helpValue = 'VALUE' } = flag;
    const texts = [speech.word(flag.description ?? '')];
    if (type === 'option' && preset !== undefined) texts.push(speech.say`[default: ${String(preset)}]`);
    const localisedFlag = {
      ...flag,
      default: undefined,
      hidden: id !== '' && sharedGroups.has(flag.helpGroup),
      description: texts.join(' '),
      helpLabel: char ? undefined : `${name.length === 1 ? '-' : allowNo ? '--[no-]' : '--'}${name}`,
      helpValue: options ? undefined : speech.word(helpValue),
    };
    return [name, localisedFlag] as const;
  });
  return {
    ...command,
    summary: speech.word(summary),
    description: linesIn(speech, description),
    examples: examples.map((each) => ({ ...each, description: speech.word(each.description) })),
    args: Object.fromEntries(describedArgs),
    flags: Object.fromEntries(describedFlags),
  } as unknown as Command.Loadable;
}
