import process from 'node:process';
import { createInterface, type Interface } from 'node:readline';
import { InterruptedError } from '../errors.ts';
import { type Speech, say, type UserText } from '../words/speech.ts';

/** Asks a person a question; resolves with the answer. */
export type Questioner = (question: UserText) => Promise<string>;

type Asking = { speech: Speech; typed: string; closing: (lines: Interface) => void };

/** Asks a person at a terminal; null without one. Lines typed ahead are kept. */
export function openQuestioner({ speech, typed, closing }: Asking): Questioner | null {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null;
  const lines = createInterface({ input: process.stdin, terminal: false });
  closing(lines);
  const answers = lines[Symbol.asyncIterator]();
  return async (question) => {
    process.stderr.write(speech.tell(question));
    const { done, value } = await answers.next();
    if (done)
      throw new InterruptedError(130, say`interrupted; nothing was written`, say`to do it again: ${typed}`);
    return value.trim();
  };
}
