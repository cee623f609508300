import { type Document, documentsIn, isDocument, type Json, slugOf, textOf } from './document.ts';
import { isMotionOfCensure } from './heading.ts';

/** A chamber, in the spelling of the service's API. */
export type Chamber = 'AN' | 'Senat';
export const chambers: readonly Chamber[] = ['AN', 'Senat'];

/** The chambers as people name them. */
export const chamberNames: Record<string, string> = { AN: 'Assemblée nationale', Senat: 'Sénat' };

/** Parses a chamber in any spelling (`Sénat`, `senate`, `assemblee`, `an`); null if unknown. */
export function chamberOf(spelling: unknown): Chamber | null {
  if (typeof spelling !== 'string') return null;
  const letters = spelling.normalize('NFD').replace(/[^A-Za-z]/g, '');
  if (/^(an|assemblee(nationale)?|lower(house)?|nationalassembly)$/i.test(letters)) return 'AN';
  return /^(senat|senate|upper(house)?)$/i.test(letters) ? 'Senat' : null;
}

/** The chamber that a value names; a value that names none is returned unchanged. */
export const chamberIfNamed = <Value>(value: Value): Chamber | Value => chamberOf(value) ?? value;

/** Count fields in display order. */
export const countFields = ['for', 'against', 'abstention', 'non_voting'] as const;

/** Counts of one group or chamber; null if not published. */
export type Counts = Record<(typeof countFields)[number], number | null>;

/** Counts and stated position of one party or group in a ballot; further fields of the source are kept. */
export type PartyVotes = ReturnType<typeof standardVotesOf>;

/** A ballot in the form of a `/votes/{id}` response; other fields of the source are unchanged. */
export type Ballot = Document & ReturnType<typeof headerOf> & { votes_by_party: PartyVotes[] };

const countSpellings: Record<keyof Counts, string[]> = {
  for: ['for', 'pour'],
  against: ['against', 'contre'],
  abstention: ['abstention', 'abstentions'],
  non_voting: ['non_voting', 'non_votants', 'nonVotants', 'nonVoting'],
};

/** Fields that may contain the votes by party, the standard one first. */
const votesFields = ['votes_by_party', 'votes', 'parties', 'groups', 'votesByParty'];

/** Spellings of each field of a ballot, the standard one first; the first with a text is read. */
const aliases = {
  scrutin_id: ['scrutin_id', 'scrutinId', 'id', 'uid'],
  chamber: ['chamber', 'chambre'],
  title: ['title', 'titre', 'objet'],
  date: ['date', 'date_scrutin'],
  result: ['result', 'resultat', 'sort'],
  required: ['required', 'majorite_requise'],
};

/** Alternative spellings that stay in the ballot beside the standard field, since they may mean something else. */
const retainedSpellings = new Set(['id', 'uid', 'sort']);

type BallotReference = { scrutinId?: string; chamber?: Chamber };

/** Returns a ballot with standard fields, null if not published; `fallback` supplies a missing id or chamber. */
export function readBallot(document: Document, fallback?: BallotReference): Ballot {
  const source = unwrapBallot(document);
  const votesField = votesFieldOf(source);
  return {
    ...withoutNormalisedFields(source, votesField),
    ...headerOf(source, votesField, fallback),
    votes_by_party: votesField ? groupsIn(source[votesField]).map(partyVotesOf) : [],
  };
}

/** Key of a ballot's record: `CHAMBER:SCRUTIN_ID`. */
export const ballotKey = ({ chamber, scrutin_id }: Pick<Ballot, 'chamber' | 'scrutin_id'>): string =>
  `${chamber}:${scrutin_id}`;

/** The document with the fields of a nested `ballot` object at its top level. */
function unwrapBallot(document: Document): Document {
  const { ballot, ...outerFields } = document;
  return isDocument(ballot) ? { ...outerFields, ...ballot } : document;
}

function headerOf(source: Document, votesField: string | undefined, fallback?: BallotReference) {
  const read = (field: keyof typeof aliases) => textOf(source, ...aliases[field]);
  return {
    scrutin_id: read('scrutin_id') ?? fallback?.scrutinId ?? '',
    chamber: chamberOf(source.chamber ?? source.chambre) ?? fallback?.chamber ?? 'AN',
    title: read('title'),
    date: read('date'),
    result: read('result'),
    required: integerOf(source.required ?? source.majorite_requise),
    totals: totalsOf(source, votesField),
  };
}

/** True if a document has any ballot field; false for an error sent with status 200. */
export function isBallot(document: Document): boolean {
  const source = isDocument(document.ballot) ? document.ballot : document;
  return [...Object.values(aliases).flat(), ...votesFields, ...totalsFields].some((field) => field in source);
}

/** The field with votes by party: standard, else the first with counts (others may list persons), else the first. */
function votesFieldOf(source: Document): string | undefined {
  const fields = votesFields.filter((field) => groupsIn(source[field]).length > 0);
  const haveCounts = (field: string) => groupsIn(source[field]).some((each) => hasCounts(unwrapCounts(each)));
  return fields.find((field) => field === 'votes_by_party' || haveCounts(field)) ?? fields[0];
}

/** The fields of the source that `readBallot` does not replace by standard ones. */
function withoutNormalisedFields(source: Document, votesField: string | undefined): Document {
  const droppedFields = new Set<string | undefined>([votesField]);
  for (const [field, names] of Object.entries(aliases)) {
    const spelling = names.find((name) => textOf(source, name) !== null);
    // The standard spelling keeps its position among the fields.
    if (spelling !== field && !retainedSpellings.has(spelling ?? '')) droppedFields.add(spelling);
  }
  return Object.fromEntries(Object.entries(source).filter(([field]) => !droppedFields.has(field)));
}

const totalsFields = ['totals', 'totaux', 'synthese'];

/** The counts of the whole ballot, with further fields of `totals`; null if the source has none. */
function totalsOf(source: Document, votesField: string | undefined): Counts | null {
  const candidates = [...totalsFields, 'votes'].filter((field) => field !== votesField).map((field) => source[field]);
  const totals = documentsIn([...candidates, source]).find(hasCounts);
  if (!totals) return null;
  if (totals !== source.totals) return countsOf(totals);
  const otherFields = Object.entries(totals).filter(([field, value]) => !isCountField(field, value));
  return { ...Object.fromEntries(otherFields), ...countsOf(totals) };
}

/** The objects of a list, or of an object by party (`{ SLUG: { … } }`). */
function groupsIn(votes: Json | undefined): Document[] {
  if (Array.isArray(votes)) return votes.filter(isDocument);
  if (!isDocument(votes)) return [];
  return Object.entries(votes).flatMap(([party, group]) => (isDocument(group) ? [{ party, ...group }] : []));
}

const partyFields = ['party', 'group', 'groupe', 'slug'];
const nameFields = ['party_name', 'partyName', 'name', 'nom'];
const nestedFields = ['votes', 'counts'];

function standardVotesOf(group: Document, partyField: string | undefined, nameField: string | undefined) {
  const reference = partyField === undefined ? null : group[partyField]!;
  return {
    party: slugOf(reference),
    party_name:
      nameField === undefined
        ? textOf(isDocument(reference) ? reference : {}, 'name', 'full_name', 'nom')
        : textOf(group, nameField),
    ...countsOf(unwrapCounts(group)),
    position: textOf(group, 'position', 'stance'),
  };
}

/** The group with the fields of its nested counts (`votes: { pour: 12 }`) beside its own. */
function unwrapCounts(group: Document): Document {
  const nestedField = nestedFields.find((field) => isDocument(group[field]));
  return nestedField ? { ...(group[nestedField] as Document), ...group } : group;
}

/** The standard fields and all others, without `group`, `groupe` or `nom` if one of them was the party or its name. */
function partyVotesOf(group: Document): PartyVotes {
  const countsField = nestedFields.find((field) => isDocument(group[field]));
  const partyField = partyFields.find((field) => (group[field] ?? null) !== null);
  const nameField = nameFields.find((field) => textOf(group, field) !== null);
  const replacedFields = ['group', 'groupe', 'nom'].filter((field) => field === partyField || field === nameField);
  const droppedFields = ['party', 'party_name', 'position', countsField, ...replacedFields];
  const votes: PartyVotes & Document = standardVotesOf(group, partyField, nameField);
  // Fields nested beside the counts are copied too, even over a standard field of the same name.
  const nestedEntries = countsField ? Object.entries(group[countsField] as Document) : [];
  const outerEntries = Object.entries(group).filter(([field]) => !droppedFields.includes(field));
  for (const [field, value] of [...nestedEntries, ...outerEntries])
    if (!isCountField(field, value)) votes[field] = value;
  return votes;
}

const hasCounts = (candidate: Document): boolean => Object.values(countsOf(candidate)).some((count) => count !== null);

function countsOf(source: Document): Counts {
  const counts: Counts = { for: null, against: null, abstention: null, non_voting: null };
  for (const field of countFields) for (const name of countSpellings[field]) counts[field] ??= integerOf(source[name]);
  return counts;
}

const countNames = new Set(Object.values(countSpellings).flat());

/** True for a standard count field, and for an alternative spelling whose value is a count or null. */
const isCountField = (field: string, value: Json): boolean =>
  countNames.has(field) && (field in countSpellings || value === null || integerOf(value) !== null);

/** Parses an integer from a number or digits; null otherwise. */
export function integerOf(value: Json | undefined): number | null {
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  return typeof value === 'string' && /^\d{1,9}$/.test(value.trim()) ? Number(value) : null;
}

/** Counts that apply to a ballot; of a motion of censure only votes for are recorded. */
export function countFieldsOf(ballot: Ballot): (keyof Counts)[] {
  return countFields.filter((name) => !['against', 'abstention'].includes(name) || !isMotionOfCensure(ballot));
}

/** Votes between for and against, or between for and required for a motion of censure; null if unknown. */
export function marginOf(ballot: Ballot): number | null {
  const { totals, required } = ballot;
  if (typeof totals?.for !== 'number') return null;
  if (isMotionOfCensure(ballot)) return required === null ? null : Math.abs(required - totals.for);
  if (typeof totals.against !== 'number') return null;
  // Null if more than a simple majority was required.
  const simpleMajority = Math.floor((totals.for + totals.against) / 2) + 1;
  return required !== null && required > simpleMajority ? null : Math.abs(totals.for - totals.against);
}

/** True for non-attached members (`non inscrits`), who do not count as a group. */
export function isNonAttached({ party, party_name }: Pick<PartyVotes, 'party' | 'party_name'>): boolean {
  return (
    /^non[- ](?:inscrit|attached)|aucun groupe/i.test(party_name ?? '') || /^(ni|non-inscrits)(-|$)/.test(party ?? '')
  );
}

/** Positions of a group in a ballot, in the spelling of the service's API. */
export const stances = ['for', 'against', 'abstention'] as const;

export type Stance = (typeof stances)[number];

/** The position for a word of the source (`pour`, `contre`, `for`), or null. */
export function stanceOf(position: string | null): Stance | null {
  const word = position?.trim().toLowerCase() ?? '';
  return stances.find((stance) => countSpellings[stance].includes(word)) ?? null;
}

/** A count that is no whole number; `origin` is `ballot`, or the slug or name of the group. */
export type UnreadableCount = { field: string; value: Json; origin: string };

/** Stated totals, counts and sizes of groups that are no whole numbers, which `readBallot` reads as null. */
export function unreadableCounts(
  document: Document,
  { votes_by_party }: Pick<Ballot, 'votes_by_party'>,
): UnreadableCount[] {
  const source = unwrapBallot(document);
  const votesField = votesFieldOf(source);
  const totals = totalsFields.filter((field) => field !== votesField).map((field) => source[field] ?? null);
  return [
    ...documentsIn(totals).flatMap((counts) => unreadableCountsIn(counts, 'ballot')),
    ...groupsIn(votesField && source[votesField]).flatMap((group, at) => {
      const { party, party_name } = votes_by_party[at]!;
      return unreadableCountsIn(unwrapCounts(group), party ?? party_name ?? '');
    }),
  ];
}

const spellingsOfNumbers = Object.entries({ ...countSpellings, members: ['members'] });

function unreadableCountsIn(counts: Document, origin: string): UnreadableCount[] {
  return spellingsOfNumbers.flatMap(([field, names]) => {
    const values = names.map((name) => counts[name]).filter(hasValue);
    if (values.length === 0 || values.some((value) => integerOf(value) !== null)) return [];
    return [{ field, value: values[0]!, origin }];
  });
}

const hasValue = (value: Json | undefined): boolean =>
  value !== null && value !== undefined && typeof value !== 'object' && String(value).trim() !== '';
