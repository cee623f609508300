import { spawn } from 'node:child_process';
import { type HemicycleError, nearMissHint, UsageError } from '../errors.ts';
import { shellLine } from '../format/sanitise.ts';
import { findCommand, type Manifest, splitCommand } from './manifest.ts';

/** Environment variable of a process that runs a proposed line: its errors need no advice. */
const checkVariable = 'HEMICYCLE_CHECKS_ADVICE';

/** Adds to the error's hint the proposed command lines that print rows, from the first tier that has any. */
export async function addProposalsWithResults(error: HemicycleError, manifest: Manifest): Promise<void> {
  if (process.env[checkVariable] !== undefined) return;
  for (const tier of error.proposals) {
    const textsAndLines = [...new Map(tier.map((line) => [shellTextOf(line), line]))];
    const mayBeEmpty = tier === error.proposals.at(-1); // the last tier only shows where to continue
    const haveResults = await Promise.all(textsAndLines.map(([, line]) => matchesRecords(line, manifest, mayBeEmpty)));
    const hint = nearMissHint(textsAndLines.flatMap(([text], at) => (haveResults[at] ? [text] : [])));
    if (hint && error instanceof UsageError) error.advice = hint;
    else if (hint) error.withRemark(hint);
    if (hint) return;
  }
}

/** The line for a shell, with the name of the program; `>` before the name of a file is an operator. */
const shellTextOf = (line: string[]) =>
  ['hemicycle', ...line].map((word) => (word === '>' ? word : shellLine([word]))).join(' ');

/** Flags that a check sets itself, or that write files. */
const droppedFlagNames = 'format columns header json pager source max-age limit all quiet svg png'.split(' ');

/** True if the line prints a row, or is no search: without search words, with `--help`, or not about records. */
async function matchesRecords(line: string[], manifest: Manifest, mayBeEmpty = false): Promise<boolean> {
  const argv = line.filter((word, at) => word !== '>' && line[at - 1] !== '>');
  const command = findCommand(argv, Object.keys(manifest.commands));
  if (!command) return false;
  const { args, flags } = manifest.commands[command.id]!;
  const parts = splitCommand(command.remainingArguments, flags);
  const argumentWords = parts.flatMap(({ flag, words }) => (flag ? [] : words));
  const readsRecords = 'source' in flags;
  // `export`, `evidence`, `dossier` and `withhold` write: print the same records with `export` or `show` instead.
  if (args.dataset) return argumentWords.length > 0 && writesRows(['export', ...argumentWords]);
  if (!readsRecords && (args.reference ?? args.subject)) return matchesRecords(['show', argumentWords[0]!], manifest);
  if (!readsRecords || line.includes('--help')) return true;
  const queryParts = parts.filter(({ flag }) => flag === null || !droppedFlagNames.includes(flag.name));
  const checkFlags = `--source mirror --format ndjson --quiet${'limit' in flags ? ' --limit 1' : ''}`.split(' ');
  const kindWordCount = 'kind' in args ? 1 : 0; // a typed KIND is no search word
  const hasSearchWords = argumentWords.length > kindWordCount || queryParts.some(({ flag }) => flag?.name === 'query');
  const queryWords = queryParts.flatMap(({ words }) => words);
  return writesRows([...command.id.split(':'), ...queryWords, ...checkFlags], mayBeEmpty || !hasSearchWords);
}

/** Runs the program until its first output and returns true; without output, true for exit 0 if `mayBeEmpty`. */
function writesRows(argv: string[], mayBeEmpty = false): Promise<boolean> {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, ...argv], {
    env: { ...process.env, [checkVariable]: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 5000,
    killSignal: 'SIGKILL',
  });
  return new Promise((resolve) => {
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(mayBeEmpty && code === 0));
    child.stdout.once('data', () => {
      resolve(true);
      child.kill('SIGKILL');
    });
  });
}
