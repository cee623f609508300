import { matchName } from '../../src/names/match.ts';
import { bareName } from '../../src/names/title.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import type { Random } from '../helpers/random.ts';
import { slipIn } from './slips.ts';

type Person = { key: string; name: string };

/** The ways in which lists of others write a name that a record has in another way. */
export const variantsOf: Record<string, (name: string, random: Random) => string> = {
  'as it is': (name) => name,
  turned: (name) => turned(name),
  'turned, in capitals': (name) => turned(name).toUpperCase(),
  'with a comma': (name) => turned(name, ', '),
  'without accents': (name) => name.normalize('NFD').replace(/\p{Mn}/gu, ''),
  'without hyphens': (name) => name.replace(/[-’']/g, ' '),
  'with a title': (name, random) => `${random.pick(['M.', 'Mme', 'Dr', 'Monsieur', 'Madame'])} ${name}`,
  'in two columns joined': (name) => name.replaceAll(' ', '  ').toLowerCase(),
  initial: (name) => name.replace(/^(\p{L})[^\s-]*(?=[\s-])/u, '$1.'),
  typo: (name, random) => slippedIn(name, random),
};

function turned(name: string, between = ' '): string {
  const [first = '', ...laterWords] = name.split(' ');
  return laterWords.length === 0 ? first : `${laterWords.join(' ')}${between}${first}`;
}

/** A slip of the hand in the longest word. */
function slippedIn(name: string, random: Random): string {
  const longest = name.split(/[\s-]/).reduce((a, b) => (b.length > a.length ? b : a));
  return name.replace(longest, slipIn(longest, random));
}

export type VariantShare = {
  /** Of so many names, how many stand first, or beside whom nothing tells them apart. */
  all: number;
  first: number;
  matchedNames: number;
  /** Taken for somebody else, or for one of several of that name: none may be. */
  wrong: string[];
  missed: string[];
};

/** How names that are written in other ways are matched, by way. */
export function judgeVariants(mirror: Mirror, people: Person[], random: Random): Map<string, VariantShare> {
  const bearers = new Map<string, number>();
  const all = mirror.column<string>("SELECT name FROM record WHERE kind = 'politician' AND withdrawn IS NULL").all();
  for (const name of all)
    for (const each of new Set([plain(name), plain(bareName(name))])) bearers.set(each, (bearers.get(each) ?? 0) + 1);
  const shares = new Map<string, VariantShare>();
  for (const [variant, write] of Object.entries(variantsOf)) {
    const share: VariantShare = { all: 0, first: 0, matchedNames: 0, wrong: [], missed: [] };
    for (const { key, name } of people) {
      const written = write(name, random);
      const matches = matchName(mirror, { name: written, kinds: ['politician'] }, 5);
      const own = matches.find(({ slug }) => slug === key);
      const match = matches.find((each) => each.match);
      share.all += 1;
      if (own !== undefined && own.score === matches[0]!.score) share.first += 1;
      else share.missed.push(written);
      if (match === undefined) continue;
      share.matchedNames += 1;
      if (match.slug !== key || bearers.get(plain(name))! > 1) share.wrong.push(written);
    }
    shares.set(variant, share);
  }
  return shares;
}

function plain(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ');
}
