import { flagName } from '../questions/parameter.ts';
import type { Mirror } from '../store/mirror.ts';
import { splitFlags, type WatchedQuestion } from '../watches/watched-question.ts';
import { inferFlags } from './typed-words.ts';

/** The command line of a watched question, whose search words are replaced by the flags that its command infers. */
export function withInferredFlags(
  mirror: Mirror,
  { question, values }: Extract<WatchedQuestion, { asks: 'question' }>,
  [command = '', ...tokens]: readonly string[],
): string[] {
  const { parameters } = question;
  const { flags, positionals: words, flagWords } = splitFlags(question, tokens);
  const areSearchWords = words.length > 0 && values.q === words.join(' ') && !parameters.q!.isRequired;
  const typedFlags = Object.fromEntries(
    Object.entries(flags).map(([name, texts]) => [flagName(name, parameters[name]!), texts]),
  );
  const inferredFlags = areSearchWords ? inferFlags(() => mirror, parameters, { words, flags: typedFlags }) : null;
  if (inferredFlags === null) return [command, ...tokens];
  return [command, ...inferredFlags.flatMap(({ flag, text }) => [`--${flag}`, text]), ...flagWords];
}
