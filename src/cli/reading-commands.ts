import { asksHelp, executeOne, type Program } from './execute.ts';
import type { Command } from './oclif.ts';

/**
 * Commands that only read and print, bundled with help in a file of their own: imports of the other commands
 * take longer to load than these take to answer.
 */
export const readingCommands: Record<string, () => Promise<{ default: unknown }>> = {
  affiliations: () => import('./commands/affiliations.ts'),
  audit: () => import('./commands/audit.ts'),
  ballots: () => import('./commands/ballots.ts'),
  changes: () => import('./commands/changes.ts'),
  check: () => import('./commands/check.ts'),
  cite: () => import('./commands/cite.ts'),
  cohesion: () => import('./commands/cohesion.ts'),
  compare: () => import('./commands/compare.ts'),
  contradictions: () => import('./commands/contradictions.ts'),
  feed: () => import('./commands/feed.ts'),
  help: () => import('./commands/help.ts'),
  history: () => import('./commands/history.ts'),
  open: () => import('./commands/open.ts'),
  parties: () => import('./commands/parties.ts'),
  politicians: () => import('./commands/politicians.ts'),
  records: () => import('./commands/records.ts'),
  search: () => import('./commands/search.ts'),
  show: () => import('./commands/show.ts'),
  text: () => import('./commands/text.ts'),
  topics: () => import('./commands/topics.ts'),
  vote: () => import('./commands/vote.ts'),
};

/** True for one of these commands, and for help on any command. */
export function runs(argv: string[]): boolean {
  const [word = 'help'] = argv;
  return Object.hasOwn(readingCommands, word) || asksHelp(argv);
}

/** Runs one of these commands, or help on any command. */
export function execute(argv: string[], program: Program): Promise<void> {
  const ids = Object.keys(readingCommands);
  const load = async (id: string) => (await readingCommands[id]!()) as { default: Command.Class };
  return executeOne({ ids, load }, argv, program);
}
