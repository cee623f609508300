import { spawn } from 'node:child_process';
import { DeliveryError } from '../errors.ts';
import { say } from '../words/speech.ts';
import type { MessageBody } from './message.ts';

/** So long a command may take; then it is ended. */
const longestMs = 60_000;

/** So much of what a failing command says is kept. */
const mostSaid = 500;

/**
 * Starts a program with a message as JSON on its standard input; no shell reads its words. Throws a DeliveryError unless it
 * ends with 0.
 */
export function runCommand(words: readonly string[], body: MessageBody): Promise<void> {
  const [file = '', ...argv] = words;
  return new Promise((resolve, reject) => {
    const child = spawn(file, argv, {
      stdio: ['pipe', 'ignore', 'pipe'],
      timeout: longestMs,
      killSignal: 'SIGKILL',
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      said = `${said}${chunk}`.slice(-mostSaid);
    });
    child.on('error', (error) => reject(new DeliveryError(file, say`did not start: ${error.message}`)));
    child.on('close', (exit, signal) => {
      if (exit === 0) return resolve();
      const how = exit === null ? say`was ended by ${String(signal)}` : say`ended with ${exit}`;
      const reason = said.trim() === '' ? how : say`${how}: ${said.trim()}`;
      reject(new DeliveryError(file, reason));
    });
    // A command need not read what it is told.
    child.stdin.on('error', () => {});
    child.stdin.end(`${JSON.stringify(body)}\n`);
  });
}
