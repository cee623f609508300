import type { Interfaces } from './oclif.ts';

/** Takes the flags that are parameters of a statement out of a command line, but those of the command's own. */
export function takeParameters(
  argv: readonly string[],
  { names, own }: { names: readonly string[]; own: Interfaces.FlagInput },
): { argv: string[]; given: string[] } {
  const [rest, given]: [string[], string[]] = [[], []];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at]!;
    const [, flag = '', value] = /^--([\w-]+)(?:=(.*))?$/s.exec(word) ?? [];
    const name = names.find((each) => each === flag || each.replaceAll('_', '-') === flag);
    if (name === undefined || Object.hasOwn(own, flag)) rest.push(word);
    else if (value !== undefined) given.push(`${name}=${value}`);
    else if (argv[at + 1] !== undefined) {
      at += 1;
      given.push(`${name}=${argv[at]}`);
    } else rest.push(word);
  }
  return { argv: rest, given };
}
