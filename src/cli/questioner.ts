import { createInterface } from 'node:readline';
import { InterruptedError } from '../errors.ts';
import { type Phrase, say } from '../words/speech.ts';
import type { HemicycleCommand } from './base-command.ts';

/** Asks a person a question; resolves with the answer. */
export type Questioner = (question: Phrase) => Promise<string>;

/** Asks on stderr, reads answers from stdin, also those typed ahead; null if either is not a terminal. */
export function openQuestioner(command: HemicycleCommand): Questioner | null {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null;
  const lines = command.closeAtEnd(createInterface({ input: process.stdin, terminal: false }));
  const answers = lines[Symbol.asyncIterator]();
  return async (question) => {
    process.stderr.write(command.speech.render(question));
    const { done, value } = await answers.next();
    const advice = say`to run it again: ${command.commandLine}`;
    if (done) throw new InterruptedError(130, say`interrupted; nothing was written`, advice); // as after SIGINT
    return value.trim();
  };
}

/** True for an answer that begins with y or o (oui); `defaultAnswer` for an empty one. */
export const isYes = (answer: string, defaultAnswer: boolean): boolean =>
  answer === '' ? defaultAnswer : /^[yo]/i.test(answer);
