import { type NamedKind, resolveSlug } from '../names/lookup.ts';
import { isRecordName } from '../questions/names.ts';
import { flagName, type Parameter, type Parameters } from '../questions/parameter.ts';
import type { Mirror } from '../store/mirror.ts';
import { optionalArgument } from './oclif.ts';

/** The argument of a list that words without a flag narrow. */
export const wordsArg = {
  words: optionalArgument('a party, a politician or words, as their flags take them'),
};

const namesRecord = ({ names, isPlace }: Parameter) => names !== null && isRecordName(names) && !isPlace;

/** True for a question that words without a flag may narrow. */
export function takesWords(parameters: Parameters): boolean {
  return 'q' in parameters || Object.values(parameters).some(namesRecord);
}

/**
 * The flag that words typed without one stand for (`changes RN`, `ballots retraites`): that of a party or politician whom
 * they name, else `query`; of those that were not typed. Without `query`, the first, which says whom else they may mean.
 */
export function flagMeant(
  mirror: () => Mirror,
  parameters: Parameters,
  { text, flags }: { text: string; flags: Record<string, unknown> },
): string | undefined {
  const free = Object.entries(parameters).filter(([name, each]) => flags[flagName(name, each)] === undefined);
  const naming = free.filter(([, each]) => namesRecord(each));
  const isKnown = ({ names, isEveryBearer }: Parameter) => {
    const { match } = resolveSlug(mirror(), names as NamedKind, text);
    return match === 'one' || (match === 'several' && isEveryBearer);
  };
  const found = naming.find(([, each]) => isKnown(each)) ?? free.find(([name]) => name === 'q') ?? naming[0];
  return found && flagName(...found);
}
