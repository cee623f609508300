import { spawn } from 'node:child_process';
import { addAbortListener, once } from 'node:events';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { kill } from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { DeliveryError, orNull, UsageError } from '../errors.ts';
import { say } from '../words/speech.ts';
import type { MessageChannel, NewChannel } from './channel.ts';
import type { MessageBody } from './message.ts';

/** Channel that starts a program for each message. */
export const commandChannel: MessageChannel = {
  name: 'command',
  description: 'run this program with the message as JSON on its standard input; with arguments: ["a","b"]',
  helpValue: 'PROGRAM',
  parse: (texts, { folder }) => texts.map((text) => parseCommand(text, folder)),
  async check({ target: [program = ''] }, { commandEnv }) {
    const folders = program.includes('/') ? [''] : (commandEnv.PATH ?? '').split(delimiter);
    if (!folders.some((folder) => orNull(() => isProgram(join(folder, program)))))
      throw new UsageError(
        say`--command ${program}: the program does not exist or is not executable`,
        say`give an executable file (chmod +x), or a program in your PATH`,
      );
  },
  delivers: 'messages',
  isUntestable: true,
  receiverOf: ({ uid }) => uid, // each channel is a receiver of its own
  send: ({ target }, { body }, { commandEnv }) => runCommand(target, body, { env: commandEnv }),
};

/** True for an executable file, false for a folder; throws if the path is missing or not executable. */
function isProgram(path: string): boolean {
  accessSync(path, constants.X_OK);
  return statSync(path).isFile();
}

function parseCommand(text: string, folder: string): NewChannel {
  const [program = '', ...otherArguments] = text.trimStart().startsWith('[') ? parseWords(text) : [text];
  const resolvedProgram = program.includes('/') ? resolve(folder, program) : program;
  return { kind: 'command', target: [resolvedProgram, ...otherArguments], secret: null, isPrivate: false };
}

function parseWords(text: string): string[] {
  const words: unknown = orNull(() => JSON.parse(text));
  if (Array.isArray(words) && words.length > 0 && words.every((word) => typeof word === 'string')) return words;
  const hint = say`give a program, or a program with arguments as ["tee","-a","log.ndjson"]`;
  throw new UsageError(say`--command ${text}: not a JSON list of strings`, hint);
}

/** A command that runs longer is killed with its process group. */
const maxRunMs = 60_000;

const maxStderrChars = 500;

/** Runs a program without a shell, with a message on standard input; throws a DeliveryError unless it exits with 0. */
export async function runCommand(
  words: readonly string[],
  body: MessageBody,
  { env, signal = AbortSignal.timeout(maxRunMs) }: { env: NodeJS.ProcessEnv; signal?: AbortSignal },
): Promise<void> {
  const [file = '', ...argv] = words;
  // Its own process group, so that its children can be killed too.
  const child = spawn(file, argv, { env, stdio: ['pipe', 'ignore', 'pipe'], detached: true });
  const ended = once(child, 'exit');
  // `orNull`, because `kill` throws if the process group has ended already.
  const killChild = () => child.pid !== undefined && orNull(() => kill(-child.pid!, 'SIGKILL'));
  let errorOutput = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errorOutput = `${errorOutput}${chunk}`.slice(-maxStderrChars);
  });
  // Ignore the error of a command that does not read its input.
  child.stdin.on('error', () => {});
  child.stdin.end(`${JSON.stringify(body)}\n`);
  using _ = addAbortListener(signal, killChild);
  const [exit, endSignal] = await ended.catch((error: Error) => {
    throw new DeliveryError(file, say`did not start: ${error.message}`);
  });
  // Output of the program has arrived by then; do not wait for its children, which may keep the pipe open.
  await setImmediate();
  child.stderr.destroy();
  child.stdin.destroy();
  if (exit === 0) return;
  const outcome = exit === null ? say`was ended by ${String(endSignal)}` : say`ended with ${exit}`;
  throw new DeliveryError(file, errorOutput.trim() === '' ? outcome : say`${outcome}: ${errorOutput.trim()}`);
}
