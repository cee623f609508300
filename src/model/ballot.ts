import { type Chamber, chamberOf } from './chamber.ts';
import { type Document, isDocument, type Json, slugOf, textOf } from './document.ts';

/** Counts of one group or one chamber; null where the source publishes none. */
export type Counts = {
  for: number | null;
  against: number | null;
  abstention: number | null;
  non_voting: number | null;
};

export type PartyVotes = Counts & {
  party: string | null;
  party_name: string | null;
  position: string | null;
};

/** A ballot in the shape that `/votes/{id}` answers; every other field of the source stays as it came. */
export type Ballot = Document & {
  scrutin_id: string;
  chamber: Chamber;
  title: string | null;
  date: string | null;
  result: string | null;
  required: number | null;
  totals: Counts | null;
  votes_by_party: PartyVotes[];
};

const spellings: Record<keyof Counts, string[]> = {
  for: ['for', 'pour'],
  against: ['against', 'contre'],
  abstention: ['abstention', 'abstentions'],
  non_voting: ['non_voting', 'non_votants', 'nonVotants', 'nonVoting'],
};

const listFields = ['votes_by_party', 'votes', 'parties', 'groups', 'votesByParty'];

/** The ballot that a document of any known dialect describes; counts that are not stated stay null. */
export function readBallot(document: Document, asked?: { scrutinId?: string; chamber?: Chamber }): Ballot {
  const source = isDocument(document.ballot) ? { ...document, ...document.ballot } : document;
  const listField = listFields.find((field) => Array.isArray(source[field]) || isDocument(source[field]));
  const rest = Object.fromEntries(Object.entries(source).filter(([field]) => !foreign.has(field)));
  return {
    ...rest,
    scrutin_id: textOf(source, 'scrutin_id', 'scrutinId', 'id', 'uid') ?? asked?.scrutinId ?? '',
    chamber: chamberOf(source.chamber ?? source.chambre) ?? asked?.chamber ?? 'AN',
    title: textOf(source, 'title', 'titre', 'objet'),
    date: textOf(source, 'date', 'date_scrutin'),
    result: textOf(source, 'result', 'resultat', 'sort'),
    required: integerOf(source.required ?? source.majorite_requise),
    totals: totalsOf(source),
    votes_by_party: listField ? partiesOf(source[listField] as Json) : [],
  };
}

/** Spellings that the fields of section 6 replace; keeping both would state each number twice. */
const foreign = new Set([
  ...listFields,
  'ballot',
  'scrutinId',
  'chambre',
  'titre',
  'objet',
  'date_scrutin',
  'resultat',
  'majorite_requise',
]);

function totalsOf(source: Document): Counts | null {
  const totals = [source.totals, source.totaux, source.synthese, source].find(
    (candidate) => isDocument(candidate) && hasCounts(candidate),
  );
  if (!totals || !isDocument(totals)) return null;
  return totals === source ? countsOf(source) : { ...withoutForeignCounts(totals), ...countsOf(totals) };
}

function partiesOf(votes: Json): PartyVotes[] {
  if (Array.isArray(votes)) return votes.filter(isDocument).map((group) => partyVotesOf(group));
  if (!isDocument(votes)) return [];
  return Object.entries(votes).flatMap(([party, group]) =>
    isDocument(group) ? [partyVotesOf({ party, ...group })] : [],
  );
}

function partyVotesOf(group: Document): PartyVotes {
  const nested = isDocument(group.votes) ? group.votes : isDocument(group.counts) ? group.counts : {};
  const { votes: _votes, counts: _counts, groupe: _groupe, group: _group, nom: _nom, ...rest } = group;
  const reference = group.party ?? group.group ?? group.groupe ?? group.slug ?? null;
  return {
    ...withoutForeignCounts(rest),
    party: slugOf(reference),
    party_name: textOf(group, 'party_name', 'partyName', 'name', 'nom') ?? nameIn(reference),
    ...countsOf({ ...nested, ...group }),
    position: textOf(group, 'position', 'stance'),
  };
}

function nameIn(reference: Json): string | null {
  return isDocument(reference) ? textOf(reference, 'name', 'full_name', 'nom') : null;
}

function hasCounts(candidate: Document): boolean {
  return Object.values(spellings).some((names) => names.some((name) => integerOf(candidate[name]) !== null));
}

function countsOf(source: Document): Counts {
  const read = (field: keyof Counts) => {
    const spelling = spellings[field].find((name) => integerOf(source[name]) !== null);
    return spelling === undefined ? null : integerOf(source[spelling]);
  };
  return {
    for: read('for'),
    against: read('against'),
    abstention: read('abstention'),
    non_voting: read('non_voting'),
  };
}

function withoutForeignCounts(source: Document): Document {
  const dropped = new Set(Object.values(spellings).flat());
  return Object.fromEntries(Object.entries(source).filter(([field]) => !dropped.has(field)));
}

function integerOf(value: Json | undefined): number | null {
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  return typeof value === 'string' && /^\d{1,9}$/.test(value.trim()) ? Number(value) : null;
}
