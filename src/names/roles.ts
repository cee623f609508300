import { isLinkWord } from '../language/acronym.ts';
import { byCodeUnit, fold } from '../language/fold.ts';
import { nameWords } from '../language/name.ts';
import { proseTokens } from '../language/prose.ts';
import { documentOf, documentsIn, type RecordTexts, slugOf, textOf } from '../model/document.ts';
import type { NameDatabase } from './database.ts';
import type { RankedName } from './names-in-text.ts';
import { partyFacts } from './party-groups.ts';
import { distinctNames } from './rules.ts';
import { isTitle } from './title.ts';

/** A role of a politician: key and name of the politician, tokens of the role, and its end (null for a present one). */
type Role = { key: string; name: string; tokens: string[]; until: string | null };

/** Matches popular words for the president of a group: patronne du groupe, chef des députés. */
const popularTitleOfLeader = /^(?:chef(?:fe)?|patronn?e?)\s+(?:du\s+groupe|des\s+(?:député|sénateur)s)\s+/i;
const ignoredTokens = /^(?:chef|patron|group|d|l)$/;

/** Politicians with a role ("garde des sceaux"): present ones, shortest title first, then former ones, latest first. */
export function roleHolders(db: NameDatabase, query: string): RankedName[] {
  const text = query.replace(popularTitleOfLeader, 'président du groupe ');
  const [office = ''] = nameWords(text).filter((word) => !isLinkWord(word));
  const queryTokens = roleTokens(text);
  if (queryTokens.length < 2 || !(isTitle(office.replace(/s$/, '')) || office === 'garde')) return [];
  const roles = db.readOnce('roles of politicians', () => readRoles(db));
  const matches = roles.filter(({ tokens }) => queryTokens.every((word) => tokens.includes(word)));
  const exactMatches = matches.filter(({ tokens }) => tokens.length === queryTokens.length);
  const best = exactMatches.length > 0 ? exactMatches : matches;
  const currentRoles = best.filter(({ until }) => until === null).sort((a, b) => a.tokens.length - b.tokens.length);
  const formerRoles = best.filter(({ until }) => until !== null).sort((a, b) => byCodeUnit(b.until!, a.until!));
  const matchedWords = query.split(/\s+/);
  return distinctNames([...currentRoles, ...formerRoles]).map(({ key, name }) => {
    return { key, name, kind: 'politician', matchKind: 'words', score: 1, matchedWords, isRole: true };
  });
}

const roleTokens = (text: string) =>
  proseTokens(text).filter((token) => !ignoredTokens.test(token) && !isLinkWord(fold(token)));

/** Present roles, and roles as president or vice-president of a party or group, each with its end if it is over. */
function readRoles(db: NameDatabase): Role[] {
  const facts = partyFacts(db);
  const people = db.sql<RecordTexts & { key: string; name: string }>(
    `SELECT key, name, row, detail FROM record WHERE kind = 'politician' AND withdrawn IS NULL AND name IS NOT NULL`,
  );
  return people.all().flatMap(({ key, name, ...texts }) => {
    const document = documentOf(texts);
    const current = textOf(document, 'current_role');
    const ownParty = `${textOf(document, 'party_name')} ${facts.get(slugOf(document.party) ?? '')?.short_name}`;
    const leadingRoles = documentsIn(document.affiliations).flatMap((each): Role[] => {
      const role = textOf(each, 'role') ?? '';
      const group = facts.get(slugOf(each.party) ?? '');
      if (!/^(?:vice-)?président/i.test(role) || group === undefined) return [];
      const until = textOf(each, 'end') ?? group.end_date;
      return [{ key, name, tokens: roleTokens(`${role} ${group.name} ${group.short_name} ${ownParty}`), until }];
    });
    return current === null ? leadingRoles : [{ key, name, tokens: roleTokens(current), until: null }, ...leadingRoles];
  });
}
