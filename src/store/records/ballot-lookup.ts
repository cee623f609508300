import type { Chamber } from '../../model/ballot.ts';
import { type Kind, kindOf } from '../../model/kinds.ts';
import type { KeyedName } from '../../names/lookup.ts';
import type { Mirror } from '../mirror.ts';
import { holds } from '../record.ts';
import { ballotKeys, splitReference } from '../syncs/to-fetch.ts';
import { listBallots } from './ballots.ts';
import { findReferences, heldKey, inAnyCase, type RecordReference } from './reference.ts';

const mostListed = 10;

/** Ballots by an id, a number, a URL, or words of the title with a year, all without a text; newest first, at most 10. */
export function ballotsMeant(mirror: Mirror, text: string, chamber: Chamber | null): KeyedName[] {
  const asked = text.trim();
  if (/^https?:\/\//.test(asked)) return byAddress(mirror, asked);
  const named = ballotsNumbered(mirror, asked, chamber);
  if (named.length > 0 || (asked !== '' && !/\p{L}{2}/u.test(asked))) return named;
  return byWords(mirror, asked, chamber);
}

/** The ballots that an id in any case, a number or an address means, of one chamber where it states one; by key. */
export function ballotKeysMeant(mirror: Mirror, reference: string): KeyedName[] {
  if (/^https?:\/\//.test(reference)) return byAddress(mirror, reference);
  const [held, ...others] = ballotKeys(reference).filter((key) => holds(mirror, 'ballot', key));
  if (held !== undefined && others.length === 0) return [{ key: held, name: '' }];
  return ballotsReferredTo(mirror, reference);
}

function byAddress(mirror: Mirror, url: string): KeyedName[] {
  const found = findReferences(mirror, url).filter(({ kind }) => kind.name === 'ballot');
  return found.map(({ key }) => ({ key, name: '' }));
}

/** Ballots of an id in any case, else of a number, newest first, at most 10. */
export function ballotsNumbered(mirror: Mirror, asked: string, chamber: Chamber | null): KeyedName[] {
  const inChamber = chamber === null ? '' : `AND key >= '${chamber}:' AND key < '${chamber};'`;
  const ballots = (condition: string, parameter: string) =>
    mirror
      .sql<KeyedName>(
        `SELECT key, trim(coalesce(date, '') || ' ' || coalesce(json_extract(coalesce(row, detail), '$.title'), '')) AS name
         FROM record WHERE kind = 'ballot' AND withdrawn IS NULL ${inChamber} AND ${condition}
         ORDER BY date DESC, id DESC LIMIT ${mostListed}`,
      )
      .all(parameter);
  const same = ballots(`substr(key, instr(key, ':') + 1) = ? COLLATE NOCASE`, asked);
  if (same.length > 0 || !/^\d+$/.test(asked)) return same;
  const numbered = mirror.readOnce('ballots by number', () => ballotsByNumber(mirror)).get(asked) ?? [];
  return ballots('id IN (SELECT value FROM json_each(?))', JSON.stringify(numbered.map(({ id }) => id)));
}

function ballotsByNumber(mirror: Mirror) {
  const numbered = mirror.sql<{ id: number; number: string | null }>(
    `SELECT id, CAST(json_extract(coalesce(row, detail), '$.number') AS TEXT) AS number
     FROM record WHERE kind = 'ballot' AND withdrawn IS NULL`,
  );
  return Map.groupBy(numbered.all(), ({ number }) => number);
}

type Meant = RecordReference & { title?: string };

/** The records that a reference means: those with this key, else in another case, else ballots with this number. */
export function recordsMeant(mirror: Mirror, text: string, asked: Kind | null): Meant[] {
  const [only, ...others] = asked === null ? findReferences(mirror, text) : [{ kind: asked, key: text }];
  if (others.length > 0) return [only!, ...others];
  const kind = only?.kind ?? asked;
  const key = only?.key ?? text;
  const held = kind === null ? null : heldKey(mirror, kind, key);
  if (kind !== null && held !== null) return [{ kind, key: held }];
  const cased = inAnyCase(mirror, key, kind);
  if (cased.length > 0) return cased;
  const numbered = kind === null || kind.name === 'ballot' ? ballotsReferredTo(mirror, key) : [];
  return numbered.length > 0 || !only
    ? numbered.map(({ key, name }) => ({ kind: kindOf('ballot'), key, title: name }))
    : [only];
}

/** The key of the one current record of a kind that a reference means, or null. */
export function keyMeant(mirror: Mirror, kind: Kind, text: string): string | null {
  const held = heldKey(mirror, kind, text);
  if (held !== null) return held;
  const found = recordsMeant(mirror, text, kind);
  return found.length === 1 ? heldKey(mirror, kind, found[0]!.key) : null;
}

/** The records of a kind that a reference means, where these are several. */
export function severalMeant(mirror: Mirror, kind: Kind, text: string): KeyedName[] {
  const found = recordsMeant(mirror, text, kind);
  return found.length < 2 ? [] : found.map(({ key, title }) => ({ key, name: title ?? key }));
}

/** Ballots of `CHAMBER:ID`, an id or a number, in any case; the chamber may be given beside. */
export function ballotsReferredTo(mirror: Mirror, text: string, chamber: Chamber | null = null): KeyedName[] {
  const named = splitReference(text);
  return ballotsNumbered(mirror, named?.scrutinId ?? text, named?.chamber ?? chamber);
}

function byWords(mirror: Mirror, asked: string, chamber: Chamber | null): KeyedName[] {
  const words = asked.split(/\s+/);
  const years = words.filter((word) => /^(19|20)\d\d$/.test(word));
  const year = years.length === 1 ? years[0] : undefined;
  const find = (q: string, days: { since?: string; until?: string }) => {
    // The ballots on a file are those of the law that is named; with a word less another ballot may be meant.
    const relaxes = ['corrected', 'file'] as const;
    // What is voted on is a text: Duplomb alone is the loi Duplomb.
    const filter = { q, isLaw: true, relaxes, ...days, chamber: chamber ?? undefined, voted: [] };
    return listBallots(mirror, { ...filter, sort: 'date', limit: mostListed }).items.map(named);
  };
  if (year !== undefined && words.length > 1) {
    const rest = words.filter((word) => word !== year).join(' ');
    const inYear = find(rest, { since: `${year}-01-01`, until: `${year}-12-31` });
    if (inYear.length > 0) return inYear;
  }
  // A ballot of another year is not meant, though it has all other words; a title may name the year.
  return find(asked, {}).filter(({ name }) => year === undefined || name.includes(year));
}

function named(json: string): KeyedName {
  const { chamber, scrutin_id, date, title } = JSON.parse(json) as Record<string, string | null>;
  return { key: `${chamber}:${scrutin_id}`, name: [date, title].filter(Boolean).join(' ') };
}
