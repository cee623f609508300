import process from 'node:process';
import { errorTable, exitCodes, HemicycleError } from '../errors.ts';
import { errorJson } from '../format/json.ts';
import { sanitiseText } from '../format/sanitise.ts';
import { type Speech, say } from '../words/speech.ts';
import { conditionOf } from './condition.ts';
import { usageErrorOf } from './usage-error.ts';

/** Prints an error on stderr, as one JSON object if `--json` was typed, and sets the exit code. */
export function tellError(error: Error, argv: string[], speech: Speech): void {
  const known = foreseen(error);
  process.exitCode = known.exit;
  if (argv.includes('--json') || /^--format=?json$/.test(formatIn(argv))) {
    process.stderr.write(`${errorJson(known).trimEnd()}\n`);
    return;
  }
  const { message, hint } = known.tell(speech);
  process.stderr.write(
    `${speech.say`Error: ${sanitiseText(brief(message))}`}\n${hint ? `${sanitiseText(hint)}\n` : ''}`,
  );
  if (argv.includes('--debug') && known.exit === exitCodes.unexpected)
    process.stderr.write(`${error.stack}\n`);
}

const longest = 4000;

/** Shortens a message that repeats very long input to its beginning and its end. */
function brief(message: string): string {
  if (message.length <= longest) return message;
  const [begin, end] = [message.slice(0, 200), message.slice(-200)];
  return `${begin.toWellFormed()}…${end.toWellFormed()}`;
}

function foreseen(error: Error): HemicycleError {
  if (error instanceof HemicycleError) return error;
  const known = conditionOf(error) ?? usageErrorOf(error);
  if (known) return known;
  return new HemicycleError(
    errorTable.unexpected,
    error.message,
    say`this is a fault of Hemicycle; --debug shows where`,
    error,
  );
}

function formatIn(argv: string[]): string {
  const at = argv.indexOf('--format');
  return at >= 0
    ? `--format=${argv[at + 1]}`
    : (argv.find((argument) => argument.startsWith('--format=')) ?? '');
}
