import { flagsIn, type Manifest, type ManifestCommand, type ManifestFlag } from './manifest.ts';

/** Help content, independent of its output: a terminal or a manual page. */
export type HelpPage = { summary: string; sections: HelpSection[] };
export type HelpSection = { heading: string; items: HelpItem[] };

/**
 * A paragraph; a term with its meaning (on one line if brief) and words to type; or a command line with its
 * purpose.
 */
export type HelpItem =
  | { text: string }
  | { term: string; text: string; isBrief?: boolean; words?: string }
  | { command: string; text: string };

/** Commands in the order in which people need them; unlisted ones join the last group. */
const groups: [heading: string, ids: string[]][] = [
  [
    'READ',
    [
      'politicians',
      'parties',
      'search',
      'feed',
      'vote',
      'ballots',
      'compare',
      'cohesion',
      'topics',
      'records',
    ],
  ],
  ['FOLLOW AND CITE', ['changes', 'history', 'show', 'open', 'cite', 'evidence', 'audit', 'watch', 'match']],
  ['KEEP A MIRROR', ['sync', 'import', 'status', 'doctor', 'schedule', 'config']],
  ['PASS ON', ['export', 'serve', 'site', 'mcp', 'token']],
  ['BEGIN', ['demo']],
];

/** Descriptions of two-word command groups such as `config get`, from package.json. */
export type Topics = Record<string, { description: string }>;

type RootOptions = {
  topics: Topics;
  /** Words other than commands that `help` accepts. */
  subjects: readonly string[];
  description: string;
  isNested?: boolean;
};

/** The help of the program: what it is, and a line for each command. */
export function rootPage(
  manifest: Manifest,
  { topics, subjects, description, isNested = false }: RootOptions,
): HelpPage {
  const heads = [...new Set(Object.keys(manifest.commands).map((id) => id.split(':')[0]!))];
  const placed = groups.flatMap(([, ids]) => ids);
  const rest = heads.filter((head) => head !== 'help' && !placed.includes(head)).sort();
  const sections = groups.map(([heading, ids], at) => ({
    heading,
    items: [...ids, ...(at === groups.length - 1 ? rest : [])]
      .filter((head) => heads.includes(head))
      .flatMap((head) => headItems(head, manifest, isNested ? {} : topics)),
  }));
  return {
    summary: description,
    sections: [
      { heading: 'USAGE', items: [{ text: '$ hemicycle COMMAND [FLAG…]' }] },
      ...sections,
      {
        heading: 'MORE',
        items: [
          { term: 'COMMAND --help', text: 'one command, with examples' },
          { term: 'help recipes', text: 'questions of a journalist, and the line that answers each' },
          { term: 'help SUBJECT', text: 'what several commands share:', words: subjects.join(', ') },
        ],
      },
    ],
  };
}

/** One line per command, or one line for a whole group that `topics` describes. */
function headItems(head: string, { commands }: Manifest, topics: Topics): HelpItem[] {
  const within = Object.keys(commands).filter((id) => id.startsWith(`${head}:`));
  const topic = topics[head];
  if (topic && !commands[head])
    return [
      {
        term: `${head} ${within.map((id) => id.split(':')[1]).join('|')}`,
        text: topic.description,
        isBrief: true,
      },
    ];
  const ids = [...(commands[head] ? [head] : []), ...within];
  return ids.map((id) => ({ term: id.replace(':', ' '), text: commands[id]!.summary, isBrief: true }));
}

/** The help of a group of commands, such as `config`. */
export function groupPage(head: string, { commands }: Manifest, topics: Topics): HelpPage {
  const within = Object.entries(commands).filter(([id]) => id.startsWith(`${head}:`));
  return {
    summary: topics[head]?.description ?? '',
    sections: [
      { heading: 'USAGE', items: [{ text: `$ hemicycle ${head} COMMAND` }] },
      {
        heading: 'COMMANDS',
        items: within.map(([id, { summary }]) => ({ term: id.replace(':', ' '), text: summary })),
      },
    ],
  };
}

/** The help of one command: examples first, then its own flags; shared flags are only named. */
export function commandPage(id: string, manifest: Manifest): HelpPage {
  const command = manifest.commands[id]!;
  const within = Object.keys(manifest.commands).filter((each) => each.startsWith(`${id}:`));
  const { own, shared } = flagsIn(command);
  const groupsOfFlags = Map.groupBy(own, ({ helpGroup }) => helpGroup ?? '');
  const args = Object.values(command.args).filter(({ description }) => description);
  const description = (command.description ?? '').split('\n').filter(Boolean);
  const sections: HelpSection[] = [
    { heading: 'EXAMPLES', items: (command.examples ?? []).map(exampleItem) },
    { heading: 'USAGE', items: [{ text: usageOf(id, command) }] },
    {
      heading: 'ARGUMENTS',
      items: args.map((arg) => ({ term: argText(arg, command), text: arg.description ?? '' })),
    },
    ...[...groupsOfFlags].map(([group, flags]) => ({
      heading: group === '' ? 'FLAGS' : `${group} FLAGS`,
      items: flags.map(flagItem),
    })),
    {
      heading: 'SHARED FLAGS',
      items:
        shared.length === 0
          ? []
          : [
              { text: shared.map(flagLabel).join(' ') },
              { term: 'hemicycle help flags', text: 'says what they do' },
            ],
    },
    { heading: 'DESCRIPTION', items: description.map((text) => ({ text })) },
    {
      heading: 'COMMANDS',
      items: within.map((each) => ({ term: each.replace(':', ' '), text: manifest.commands[each]!.summary })),
    },
  ];
  return { summary: command.summary, sections: sections.filter(({ items }) => items.length > 0) };
}

/** Help on the flags that several commands share, those of every command first. */
export function flagsPage({ commands }: Manifest): HelpPage {
  const all = Object.values(commands).flatMap((command) => flagsIn(command).shared);
  const of = (group: string) =>
    [
      ...new Map(
        all.filter(({ helpGroup }) => helpGroup === group).map((flag) => [flag.name, flag]),
      ).values(),
    ].map(flagItem);
  return {
    summary: 'flags that commands share',
    sections: [
      { heading: 'OF EVERY COMMAND', items: of('COMMON') },
      { heading: 'HOW AN ANSWER IS WRITTEN', items: of('OUTPUT') },
      { heading: 'WHO ANSWERS, AND FROM WHEN', items: of('SOURCE') },
    ],
  };
}

function exampleItem({ description, command }: { description: string; command: string }): HelpItem {
  return { command: command.replace('<%= config.bin %>', 'hemicycle'), text: description };
}

function usageOf(id: string, command: ManifestCommand): string {
  const args = Object.values(command.args).map((arg) => argText(arg, command));
  return ['$ hemicycle', id.replace(':', ' '), ...args, '[FLAG…]'].join(' ');
}

function argText(
  { name, required }: { name: string; required?: boolean },
  { strict }: ManifestCommand,
): string {
  const text = `${name.toUpperCase()}${strict ? '' : '…'}`;
  return required ? text : `[${text}]`;
}

function flagItem(flag: ManifestFlag): HelpItem {
  const { char, description = '', options, type, default: fallback } = flag;
  const words = [
    ...(options ? [options.join('|')] : []),
    ...(type === 'option' && fallback !== undefined ? [`[${String(fallback)}]`] : []),
  ];
  return {
    term: `${char ? `-${char}, ` : ''}${flagLabel(flag)}`,
    text: description,
    ...(words.length > 0 ? { words: words.join(' ') } : {}),
  };
}

function flagLabel({ name, type, allowNo, helpValue, options }: ManifestFlag): string {
  if (type === 'boolean') return name.length === 1 ? `-${name}` : `--${allowNo ? '[no-]' : ''}${name}`;
  return `${name.length === 1 ? '-' : '--'}${name} ${helpValue ?? (options ? 'WORD' : 'VALUE')}`;
}
