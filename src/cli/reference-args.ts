import { AmbiguousNameError, NotFoundError } from '../errors.ts';
import { type Kind, type KindName, kindOf } from '../model/kinds.ts';
import { ballotsNumbered } from '../store/ballot-lookup.ts';
import type { Mirror } from '../store/mirror.ts';
import { findReferences, heldKey, inAnyCase, type Reference } from '../store/reference.ts';
import { splitReference } from '../store/to-fetch.ts';
import { say } from '../words/speech.ts';
import { Args } from './oclif.ts';

/** The arguments of a command about any one record: KIND KEY, or one text that names it. */
export const referenceArgs = {
  reference: Args.string({
    ignoreStdin: true,
    description: 'kind of record, or all of it',
    required: true,
  }),
  key: Args.string({
    ignoreStdin: true,
    description: 'slug, id, or CHAMBER:ID of a ballot',
    required: false,
  }),
};

/** What such a command says of its arguments. */
export const referenceHelp =
  'A record is named by its kind and key, as KIND:KEY, by the CHAMBER:ID or number of a ballot, by its own address, or by any id that was printed, in any case.';

/** The one record that a text names, of that kind where one is given; throws where there is none, or several. */
export function referredTo(
  mirror: Mirror,
  text: string,
  kind: Kind | null = null,
): { kind: KindName; key: string } {
  const found = recordsMeant(mirror, text, kind);
  if (found.length > 1)
    throw new AmbiguousNameError(
      text,
      found.map(({ kind: { name }, key, title }) => ({ key: `${name}:${key}`, name: title ?? name })),
      say`kind and key`,
    );
  const [only] = found;
  if (only) return { kind: only.kind.name, key: only.key };
  if (kind !== null) return { kind: kind.name, key: text };
  throw new NotFoundError(
    say`no record has the key "${text}" in the mirror`,
    [],
    say`name its kind too: \`hemicycle show KIND KEY\`; \`hemicycle search\` finds records by their words`,
  );
}

type Meant = Reference & { title?: string };

/** A key as it is written, else in another case, else the id or number of a ballot. */
function recordsMeant(mirror: Mirror, text: string, asked: Kind | null): Meant[] {
  const [only, ...others] = asked === null ? findReferences(mirror, text) : [{ kind: asked, key: text }];
  if (others.length > 0) return [only!, ...others];
  const kind = only?.kind ?? asked;
  const key = only?.key ?? text;
  const held = kind === null ? null : heldKey(mirror, kind, key);
  if (kind !== null && held !== null) return [{ kind, key: held }];
  const cased = inAnyCase(mirror, key, kind);
  if (cased.length > 0) return cased;
  const numbered = kind === null || kind.name === 'ballot' ? ballotsOfNumber(mirror, key) : [];
  return numbered.length > 0 || !only ? numbered : [only];
}

function ballotsOfNumber(mirror: Mirror, text: string): Meant[] {
  const named = splitReference(text);
  const found = ballotsNumbered(mirror, named?.scrutinId ?? text, named?.chamber ?? null);
  return found.map(({ key, name }) => ({ kind: kindOf('ballot'), key, title: name }));
}
