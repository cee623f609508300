// Written by `npm run build` from /openapi.json (src/server/client-interface.ts). Never edited by hand.

/** One moderation action from the public, anonymised log. */
export type AuditRecord = {
  /** Identifier that the service gives to the record. */
  id?: string | number | null;
  /** Role of whoever acted; never a person. */
  role?: string | null;
  /** Kind of record that the action touched. */
  entity_type?: string | null;
  /** What was done. */
  action?: string | null;
  /** Moment of the action, ISO 8601. */
  date?: string | null;
  [field: string]: unknown;
};

/** A document that a record rests on. */
export type SourceRecord = {
  /** Identifier that the service gives to the record. */
  id?: string | number | null;
  /** Web address of the original. */
  url?: string | null;
  /** Title or short statement, as published. */
  title?: string | null;
  /** Who published the document. */
  publisher?: string | null;
  /** Kind of document. */
  type?: string | null;
  /** Day of publication, ISO 8601. */
  date?: string | null;
  /** Licence of the document, in the words of the service; what records take from it may stand under it. */
  licence?: string | null;
  [field: string]: unknown;
};

/** One public ballot (scrutin) of the lower house or the senate, with votes by party. */
export type BallotRecord = {
  /** Identifier of the ballot within its chamber. */
  scrutin_id: string;
  /** AN for the Assemblée nationale, Senat for the Sénat. */
  chamber: 'AN' | 'Senat';
  /** Number of the ballot in its session. */
  number?: string | null;
  /** Legislature of the Assemblée nationale. */
  legislature?: string | null;
  /** Parliamentary session. */
  session?: string | null;
  /** Day of the fact, ISO 8601. */
  date: string | null;
  /** What was voted on, as the chamber words it. */
  title: string | null;
  /** Kind of ballot, as the chamber words it. */
  type?: string | null;
  /** Result that the chamber announced; never derived from the counts. */
  result: string | null;
  /** Votes needed for adoption, where the chamber states them (a motion of censure: the absolute majority). */
  required: number | null;
  /** Counts of the whole chamber: for, against, abstention, non_voting; null where not published. */
  totals: {
    /** Votes for; null where none is published. */
    for: number | null;
    /** Votes against; null where none is published. */
    against: number | null;
    /** Abstentions; null where none are published. */
    abstention: number | null;
    /** Members who took no part; null where they are not counted. */
    non_voting: number | null;
    /** Number of members who voted, where the source states it. */
    voters?: number | null;
    /** Number of votes expressed (suffrages exprimés), where the source states it. */
    expressed?: number | null;
    [field: string]: unknown;
  } | null;
  /** Counts and majority position of each party or group; empty where not published. */
  votes_by_party: ({
    /** Slug of the party or group. */
    party: string | null;
    /** Name of the party or group. */
    party_name: string | null;
    /** Votes for; null where none is published. */
    for: number | null;
    /** Votes against; null where none is published. */
    against: number | null;
    /** Abstentions; null where none are published. */
    abstention: number | null;
    /** Members who took no part; null where they are not counted. */
    non_voting: number | null;
    /** Position of the party, where the source states one. */
    position: string | null;
    /** Number of members of the party or group, where the source states it. */
    members?: number | null;
    [field: string]: unknown;
  })[];
  /** Legislative file that the ballot belongs to. */
  dossier?: string | null;
  /** Web address of the original. */
  url?: string | null;
  /** Ids of the sources that support the record (`id` of sources), as a list. */
  source_ids?: (string | number)[] | null;
  [field: string]: unknown;
};

/** Words of a politician, verbatim. */
export type QuoteRecord = {
  /** Identifier that the service gives to the record. */
  id?: string | number | null;
  /** Slug of the politician whom the record is about (`slug` of politicians). */
  politician?: string | {
    slug?: string;
    [field: string]: unknown;
  } | null;
  /** Full text, as published. */
  text?: string | null;
  /** Where and when the words were said. */
  context?: string | null;
  /** Day of the fact, ISO 8601. */
  date?: string | null;
  /** Ids of the sources that support the record (`id` of sources), as a list. */
  source_ids?: (string | number)[] | null;
  [field: string]: unknown;
};

/** A stated position of a politician or party, or the position of a group in a ballot. */
export type PositionRecord = {
  /** Identifier that the service gives to the record. */
  id?: string | number | null;
  /** Slug of the politician whom the record is about (`slug` of politicians). */
  politician?: string | {
    slug?: string;
    [field: string]: unknown;
  } | null;
  /** Slug of the party or parliamentary group (`slug` of parties), as the source names it for that date. */
  party?: string | {
    slug?: string;
    [field: string]: unknown;
  } | null;
  /** Topic that the service files the record under. */
  topic?: string | {
    slug?: string;
    [field: string]: unknown;
  } | null;
  /** Title or short statement, as published. */
  title?: string | null;
  /** Full text, as published. */
  text?: string | null;
  /** Position taken in a ballot: pour, contre or abstention. */
  stance?: string | null;
  /** Day of the fact, ISO 8601. */
  date?: string | null;
  /** Ballot in which the position was taken (`scrutin_id` of ballots). */
  ballot_id?: string | null;
  /** Ids of the sources that support the record (`id` of sources), as a list. */
  source_ids?: (string | number)[] | null;
  [field: string]: unknown;
};

/** A promise that a politician made to the voters. */
export type PromiseRecord = {
  /** Identifier that the service gives to the record. */
  id?: string | number | null;
  /** Slug of the politician whom the record is about (`slug` of politicians). */
  politician?: string | {
    slug?: string;
    [field: string]: unknown;
  } | null;
  /** Slug of the party or parliamentary group (`slug` of parties), as the source names it for that date. */
  party?: string | {
    slug?: string;
    [field: string]: unknown;
  } | null;
  /** Title or short statement, as published. */
  title?: string | null;
  /** Full text, as published. */
  text?: string | null;
  /** Topic that the service files the record under. */
  topic?: string | {
    slug?: string;
    [field: string]: unknown;
  } | null;
  /** Day of the fact, ISO 8601. */
  date?: string | null;
  /** Status as the service states it; null where it states none. */
  status?: string | null;
  /** Election for which the promise was made. */
  election?: string | null;
  /** Ids of the sources that support the record (`id` of sources), as a list. */
  source_ids?: (string | number)[] | null;
  [field: string]: unknown;
};

/** A turn of speech in a chamber or a debate. */
export type SpeechRecord = {
  /** Identifier that the service gives to the record. */
  id?: string | number | null;
  /** Slug of the politician whom the record is about (`slug` of politicians). */
  politician?: string | {
    slug?: string;
    [field: string]: unknown;
  } | null;
  /** Slug of the party or parliamentary group (`slug` of parties), as the source names it for that date. */
  party?: string | {
    slug?: string;
    [field: string]: unknown;
  } | null;
  /** Topic that the service files the record under. */
  topic?: string | {
    slug?: string;
    [field: string]: unknown;
  } | null;
  /** Chamber where it was given. */
  chamber?: string | null;
  /** Title or short statement, as published. */
  title?: string | null;
  /** Full text, as published. */
  text?: string | null;
  /** Day of the fact, ISO 8601. */
  date?: string | null;
  /** Web address of the original. */
  url?: string | null;
  /** Ids of the sources that support the record (`id` of sources), as a list. */
  source_ids?: (string | number)[] | null;
  [field: string]: unknown;
};

/** A published text of a politician or party, such as an amendment. */
export type ContentRecord = {
  /** Identifier that the service gives to the record. */
  id?: string | number | null;
  /** What the text is. */
  kind?: string | null;
  /** Slug of the politician whom the record is about (`slug` of politicians). */
  politician?: string | {
    slug?: string;
    [field: string]: unknown;
  } | null;
  /** Slug of the party or parliamentary group (`slug` of parties), as the source names it for that date. */
  party?: string | {
    slug?: string;
    [field: string]: unknown;
  } | null;
  /** Topic that the service files the record under. */
  topic?: string | {
    slug?: string;
    [field: string]: unknown;
  } | null;
  /** Title or short statement, as published. */
  title?: string | null;
  /** Full text, as published. */
  text?: string | null;
  /** Legislative file that the text belongs to. */
  dossier?: string | null;
  /** What became of it, as the source words it. */
  outcome?: string | null;
  /** Day of the fact, ISO 8601. */
  date?: string | null;
  /** Web address of the original. */
  url?: string | null;
  /** Ids of the sources that support the record (`id` of sources), as a list. */
  source_ids?: (string | number)[] | null;
  [field: string]: unknown;
};

/** A political party or parliamentary group. */
export type PartyRecord = {
  /** Identifier of the party in addresses. */
  slug: string;
  /** Name of the party. */
  name?: string | null;
  /** Usual abbreviation. */
  short_name?: string | null;
  /** Party or parliamentary group. */
  kind?: string | null;
  /** Chamber of a parliamentary group. */
  chamber?: string | null;
  /** What the service says about the party. */
  description?: string | null;
  /** First day, ISO 8601. */
  start_date?: string | null;
  /** Last day, ISO 8601; null while it lasts. */
  end_date?: string | null;
  /** Number of members that the service counts. */
  member_count?: number | null;
  /** Ids of the sources that support the record (`id` of sources), as a list. */
  source_ids?: (string | number)[] | null;
  /** Colour of the party in charts, as the source writes it. */
  color?: string | null;
  [field: string]: unknown;
};

/** A political figure. */
export type PoliticianRecord = {
  /** Identifier of the politician in addresses. */
  slug: string;
  /** Usual full name. */
  full_name?: string | null;
  /** Present office or mandate. */
  current_role?: string | null;
  /** Slug of the present party (`slug` of parties). */
  party?: string | {
    slug?: string;
    [field: string]: unknown;
  } | null;
  /** Short biography. */
  bio?: string | null;
  /** Parties and groups over time: party, role, start, end. */
  affiliations?: ({
    /** Slug of the party or group. */
    party?: string | {
      slug?: string;
      [field: string]: unknown;
    } | null;
    /** Role in it, as the source words it. */
    role?: string | null;
    /** First day, ISO 8601. */
    start?: string | null;
    /** Last day, ISO 8601; null while it lasts. */
    end?: string | null;
    [field: string]: unknown;
  })[] | null;
  /** Ids of the sources that support the record (`id` of sources), as a list. */
  source_ids?: (string | number)[] | null;
  /** When the service last touched the record, ISO 8601. */
  updated_at?: string | null;
  /** First name. */
  first_name?: string | null;
  /** Family name. */
  last_name?: string | null;
  /** Gender, in the letter or word of the source (H and F in French sources). */
  gender?: string | null;
  /** Day of birth, ISO 8601. */
  birth_date?: string | null;
  /** Place of birth, as the source words it. */
  birth_place?: string | null;
  /** Day of death, ISO 8601; null where none is known. */
  death_date?: string | null;
  /** Profession, as the source words it. */
  profession?: string | null;
  /** Name of the present party. */
  party_name?: string | null;
  /** Slug of the present parliamentary group (`slug` of parties). */
  group?: string | null;
  /** Chamber of the present mandate: AN, Senat, or PE for the European Parliament. */
  chamber?: string | null;
  /** Department of the present mandate. */
  department?: string | null;
  /** Number of the constituency within its department. */
  constituency_number?: string | null;
  /** Web address of the politician, as the source writes it. */
  website?: string | null;
  [field: string]: unknown;
};

/** A political figure. */
export type PoliticianProfile = {
  /** Identifier of the politician in addresses. */
  slug: string;
  /** Usual full name. */
  full_name?: string | null;
  /** Present office or mandate. */
  current_role?: string | null;
  /** Slug of the present party (`slug` of parties). */
  party?: string | {
    slug?: string;
    [field: string]: unknown;
  } | null;
  /** Short biography. */
  bio: string | null;
  /** Parties and groups over time: party, role, start, end. */
  affiliations: ({
    /** Slug of the party or group. */
    party?: string | {
      slug?: string;
      [field: string]: unknown;
    } | null;
    /** Role in it, as the source words it. */
    role?: string | null;
    /** First day, ISO 8601. */
    start?: string | null;
    /** Last day, ISO 8601; null while it lasts. */
    end?: string | null;
    [field: string]: unknown;
  })[] | null;
  /** Ids of the sources that support the record (`id` of sources), as a list. */
  source_ids?: (string | number)[] | null;
  /** When the service last touched the record, ISO 8601. */
  updated_at?: string | null;
  /** First name. */
  first_name?: string | null;
  /** Family name. */
  last_name?: string | null;
  /** Gender, in the letter or word of the source (H and F in French sources). */
  gender?: string | null;
  /** Day of birth, ISO 8601. */
  birth_date?: string | null;
  /** Place of birth, as the source words it. */
  birth_place?: string | null;
  /** Day of death, ISO 8601; null where none is known. */
  death_date?: string | null;
  /** Profession, as the source words it. */
  profession?: string | null;
  /** Name of the present party. */
  party_name?: string | null;
  /** Slug of the present parliamentary group (`slug` of parties). */
  group?: string | null;
  /** Chamber of the present mandate: AN, Senat, or PE for the European Parliament. */
  chamber?: string | null;
  /** Department of the present mandate. */
  department?: string | null;
  /** Number of the constituency within its department. */
  constituency_number?: string | null;
  /** Web address of the politician, as the source writes it. */
  website?: string | null;
  /** A stated position of a politician or party, or the position of a group in a ballot. One each. */
  positions: PositionRecord[];
  /** A promise that a politician made to the voters. One each. */
  promises: PromiseRecord[];
  /** Words of a politician, verbatim. One each. */
  quotes: QuoteRecord[];
  /** A document that a record rests on. One each. */
  sources: SourceRecord[];
  [field: string]: unknown;
};

/** A political party or parliamentary group. */
export type PartyProfile = {
  /** Identifier of the party in addresses. */
  slug: string;
  /** Name of the party. */
  name?: string | null;
  /** Usual abbreviation. */
  short_name?: string | null;
  /** Party or parliamentary group. */
  kind?: string | null;
  /** Chamber of a parliamentary group. */
  chamber?: string | null;
  /** What the service says about the party. */
  description: string | null;
  /** First day, ISO 8601. */
  start_date?: string | null;
  /** Last day, ISO 8601; null while it lasts. */
  end_date?: string | null;
  /** Number of members that the service counts. */
  member_count?: number | null;
  /** Ids of the sources that support the record (`id` of sources), as a list. */
  source_ids?: (string | number)[] | null;
  /** Colour of the party in charts, as the source writes it. */
  color?: string | null;
  /** Politicians of the party or group, or only their slugs. */
  members: (PoliticianRecord | string)[];
  /** A document that a record rests on. One each. */
  sources: SourceRecord[];
  [field: string]: unknown;
};

/** One item of the answer to `/ballots`. */
export type BallotSummary = {
  /** Identifier of the ballot within its chamber. */
  scrutin_id: string;
  /** AN for the Assemblée nationale, Senat for the Sénat. */
  chamber: 'AN' | 'Senat';
  /** Number of the ballot in its session. */
  number?: string | null;
  /** Legislature of the Assemblée nationale. */
  legislature?: string | null;
  /** Parliamentary session. */
  session?: string | null;
  /** Day of the fact, ISO 8601. */
  date: string | null;
  /** What was voted on, as the chamber words it. */
  title: string | null;
  /** Kind of ballot, as the chamber words it. */
  type?: string | null;
  /** Result that the chamber announced; never derived from the counts. */
  result: string | null;
  /** Votes needed for adoption, where the chamber states them (a motion of censure: the absolute majority). */
  required: number | null;
  /** Counts of the whole chamber: for, against, abstention, non_voting; null where not published. */
  totals: {
    /** Votes for; null where none is published. */
    for: number | null;
    /** Votes against; null where none is published. */
    against: number | null;
    /** Abstentions; null where none are published. */
    abstention: number | null;
    /** Members who took no part; null where they are not counted. */
    non_voting: number | null;
    /** Number of members who voted, where the source states it. */
    voters?: number | null;
    /** Number of votes expressed (suffrages exprimés), where the source states it. */
    expressed?: number | null;
    [field: string]: unknown;
  } | null;
  /** Legislative file that the ballot belongs to. */
  dossier?: string | null;
  /** Web address of the original. */
  url?: string | null;
  /** Ids of the sources that support the record (`id` of sources), as a list. */
  source_ids?: (string | number)[] | null;
  /** Votes by which it was decided: the distance of for and against, or of a motion of censure from the votes required; null where a count is not published or another majority was required. */
  margin: number | null;
  /** Counts and position of each group that was asked about; absent where none was. */
  voted?: ({
    /** Slug of the party or group. */
    party: string | null;
    /** Name of the party or group. */
    party_name: string | null;
    /** Votes for; null where none is published. */
    for: number | null;
    /** Votes against; null where none is published. */
    against: number | null;
    /** Abstentions; null where none are published. */
    abstention: number | null;
    /** Members who took no part; null where they are not counted. */
    non_voting: number | null;
    /** Position of the party, where the source states one. */
    position: string | null;
    /** Number of members of the party or group, where the source states it. */
    members?: number | null;
    [field: string]: unknown;
  })[] | null;
  [field: string]: unknown;
};

/** One item of the answer to `/compare`. */
export type Comparison = {
  /** The first group, as it was asked for. */
  group: string;
  /** The other group, or `majority`: the side on which more votes were cast. */
  other: string;
  /** Share of the ballots counted in which both took the same position; null where n is 0. */
  agreement: number | null;
  /** Ballots in which the position of both is stated. */
  n: number;
  /** Ballots in which both took the same position. */
  same: number;
  /** Left out: ballots that do not list one of both. */
  not_listed: number;
  /** Left out: ballots in which one of both has no stated position. */
  no_position: number;
  /** How often the first took each position while the other took each, as in `positions.for.against`. */
  positions: {
    /** While the first was for: ballots by the position of the other. */
    for: {
      /** Number of ballots. */
      for: number;
      /** Number of ballots. */
      against: number;
      /** Number of ballots. */
      abstention: number;
      [field: string]: unknown;
    };
    /** While the first was against: ballots by the position of the other. */
    against: {
      /** Number of ballots. */
      for: number;
      /** Number of ballots. */
      against: number;
      /** Number of ballots. */
      abstention: number;
      [field: string]: unknown;
    };
    /** While the first was abstention: ballots by the position of the other. */
    abstention: {
      /** Number of ballots. */
      for: number;
      /** Number of ballots. */
      against: number;
      /** Number of ballots. */
      abstention: number;
      [field: string]: unknown;
    };
    [field: string]: unknown;
  };
  [field: string]: unknown;
};

/** One item of the answer to `/cohesion`. */
export type Cohesion = {
  /** The group, as it was asked for, else its slug. */
  group: string;
  /** Its name in the last of the ballots, where the source states one. */
  name: string | null;
  /** Ballots of the choice that list it. */
  ballots: number;
  /** Mean Agreement Index, 0 to 1; null where n is 0. */
  agreement_index: number | null;
  /** Ballots in which any of it voted. */
  n: number;
  /** The same without ballots of three voters or fewer. */
  agreement_index_over_3: number | null;
  /** Ballots in which more than three of it voted. */
  n_over_3: number;
  /** Left out: ballots in which none of it voted. */
  no_vote: number;
  /** Left out: ballots of which a count of it is not published. */
  not_published: number;
  /** Share of the ballots that list it in which any of it voted. */
  presence: number | null;
  /** Mean share of its members that voted for, against or abstained; null where no members are stated. */
  participation: number | null;
  /** Ballots that state its members. */
  n_participation: number;
  [field: string]: unknown;
};

/** One item of the answer to `/topics`. */
export type Topic = {
  /** The topic, as the service spells it and every filter takes it. */
  topic: string;
  /** Number of records of all kinds that are filed under it. */
  records: number;
  /** The same for each kind of record that has any. */
  kinds: {
    /** Number of politicians. */
    politician?: number | null;
    /** Number of parties. */
    party?: number | null;
    /** Number of content. */
    content?: number | null;
    /** Number of speeches. */
    speech?: number | null;
    /** Number of promises. */
    promise?: number | null;
    /** Number of positions. */
    position?: number | null;
    /** Number of quotes. */
    quote?: number | null;
    /** Number of ballots. */
    ballot?: number | null;
    /** Number of sources. */
    source?: number | null;
    /** Number of audit. */
    audit?: number | null;
    [field: string]: unknown;
  };
  [field: string]: unknown;
};

/** One item of the answer to `/affiliations`. */
export type AffiliationDay = {
  /** The day, ISO 8601. */
  date: string;
  /** What happened to the affiliation on that day. */
  event: 'began' | 'ended';
  /** Slug of the politician. */
  politician: string;
  /** Name of the politician. */
  full_name: string | null;
  /** Slug of the party or group. */
  party: string | null;
  /** Its name, where the mirror holds it. */
  party_name: string | null;
  /** Role in it, as the source words it. */
  role: string | null;
  /** First day of the affiliation; null where it is not stated. */
  start: string | null;
  /** Last day of it; null while it lasts, and where it is not stated. */
  end: string | null;
  [field: string]: unknown;
};

/** One item of the answer to `/changes`. */
export type Change = {
  /** When this mirror saw the change, ISO 8601. */
  seen_at: string;
  /** added, edited, withdrawn, returned or renamed (the same record under another key). */
  change: 'added' | 'edited' | 'withdrawn' | 'returned' | 'renamed';
  /** Kind of the record. */
  kind: 'politician' | 'party' | 'content' | 'speech' | 'promise' | 'position' | 'quote' | 'ballot' | 'source' | 'audit';
  /** Key of the record: slug, id, or CHAMBER:ID of a ballot. */
  key: string;
  /** Key that the record had before it was renamed; absent from other changes. */
  former_key?: string | null;
  /** Slug of the politician whom the record is about; null where it is about none. */
  politician: string | null;
  /** Title of the record, as published. */
  title: string;
  /** What an edit changed: field, old and new value of each. */
  fields: ({
    /** Name of the field. */
    field: string;
    /** What it said; null where it said nothing. */
    old: unknown;
    /** What it says; null where it says nothing. */
    new: unknown;
    [field: string]: unknown;
  })[];
  [field: string]: unknown;
};

/** One item of the answer to `/history/{kind}/{key}`. */
export type Version = {
  /** row for what its dataset says of the record, detail for its full document. */
  part: 'row' | 'detail';
  /** When this mirror first saw it say so, ISO 8601. */
  seen_from: string;
  /** When this mirror saw it end, ISO 8601; null while it stands. */
  seen_to: string | null;
  /** edited or withdrawn; null while it stands. */
  ended_by: 'edited' | 'withdrawn' | null;
  /** How it differs from the version before: field, old and new value of each. */
  changes: ({
    /** Name of the field. */
    field: string;
    /** What it said; null where it said nothing. */
    old: unknown;
    /** What it says; null where it says nothing. */
    new: unknown;
    [field: string]: unknown;
  })[];
  /** All that the record said. */
  document: {
    [field: string]: unknown;
  };
  [field: string]: unknown;
};

/** A page of the answer to `/politicians`. */
export type PoliticiansPage = {
  /** The items of this page. */
  items: PoliticianRecord[];
  /** Number of all matches; null where nobody counted them. */
  total: number | null;
  /** Continues the list; null at its end. */
  next_cursor: string | null;
  /** Only beside an empty list whose filter names nothing: what it may have meant. */
  suggestions?: ({
    /** Name of the parameter. */
    parameter: string;
    /** A value that names something. */
    value: string;
    /** What it names. */
    name: string;
  })[];
};

/** A page of the answer to `/parties`. */
export type PartiesPage = {
  /** The items of this page. */
  items: PartyRecord[];
  /** Number of all matches; null where nobody counted them. */
  total: number | null;
  /** Continues the list; null at its end. */
  next_cursor: string | null;
};

/** A page of the answer to `/feed`. */
export type FeedPage = {
  /** The items of this page. */
  items: FeedItem[];
  /** Number of all matches; null where nobody counted them. */
  total: number | null;
  /** Continues the list; null at its end. */
  next_cursor: string | null;
  /** Only beside an empty list whose filter names nothing: what it may have meant. */
  suggestions?: ({
    /** Name of the parameter. */
    parameter: string;
    /** A value that names something. */
    value: string;
    /** What it names. */
    name: string;
  })[];
};

/** A page of the answer to `/audit`. */
export type AuditPage = {
  /** The items of this page. */
  items: AuditRecord[];
  /** Number of all matches; null where nobody counted them. */
  total: number | null;
  /** Continues the list; null at its end. */
  next_cursor: string | null;
  /** Only beside an empty list whose filter names nothing: what it may have meant. */
  suggestions?: ({
    /** Name of the parameter. */
    parameter: string;
    /** A value that names something. */
    value: string;
    /** What it names. */
    name: string;
  })[];
};

/** A page of the answer to `/ballots`. */
export type BallotsPage = {
  /** The items of this page. */
  items: BallotSummary[];
  /** Number of all matches; null where nobody counted them. */
  total: number | null;
  /** Continues the list; null at its end. */
  next_cursor: string | null;
};

/** A page of the answer to `/compare`. */
export type ComparePage = {
  /** The items of this page. */
  items: Comparison[];
  /** Number of all matches; null where nobody counted them. */
  total: number | null;
  /** Continues the list; null at its end. */
  next_cursor: string | null;
};

/** A page of the answer to `/cohesion`. */
export type CohesionPage = {
  /** The items of this page. */
  items: Cohesion[];
  /** Number of all matches; null where nobody counted them. */
  total: number | null;
  /** Continues the list; null at its end. */
  next_cursor: string | null;
};

/** A page of the answer to `/topics`. */
export type TopicsPage = {
  /** The items of this page. */
  items: Topic[];
  /** Number of all matches; null where nobody counted them. */
  total: number | null;
  /** Continues the list; null at its end. */
  next_cursor: string | null;
};

/** A page of the answer to `/affiliations`. */
export type AffiliationsPage = {
  /** The items of this page. */
  items: AffiliationDay[];
  /** Number of all matches; null where nobody counted them. */
  total: number | null;
  /** Continues the list; null at its end. */
  next_cursor: string | null;
};

/** A page of the answer to `/changes`. */
export type ChangesPage = {
  /** The items of this page. */
  items: Change[];
  /** Number of all matches; null where nobody counted them. */
  total: number | null;
  /** Continues the list; null at its end. */
  next_cursor: string | null;
  /** The moment since which, ISO 8601. */
  since: string;
};

/** A page of the answer to `/history/{kind}/{key}`. */
export type HistoryPage = {
  /** The items of this page. */
  items: Version[];
  /** Number of all matches; null where nobody counted them. */
  total: number | null;
  /** Continues the list; null at its end. */
  next_cursor: string | null;
  /** Kind of the record. */
  kind: 'politician' | 'party' | 'content' | 'speech' | 'promise' | 'position' | 'quote' | 'ballot' | 'source' | 'audit';
  /** Key of the record, where a name was asked for. */
  key: string;
  /** The key under which the record was listed before, whose versions are asked for by that; null for none. */
  former_key: string | null;
};

/** A published text of a politician or party, such as an amendment. */
export type FeedContentRecord = {
  /** Kind of the fact. */
  type: 'content';
  /** Identifier that the service gives to the record. */
  id?: string | number | null;
  /** What the text is. */
  kind?: string | null;
  /** Slug of the politician whom the record is about (`slug` of politicians). */
  politician?: string | {
    slug?: string;
    [field: string]: unknown;
  } | null;
  /** Slug of the party or parliamentary group (`slug` of parties), as the source names it for that date. */
  party?: string | {
    slug?: string;
    [field: string]: unknown;
  } | null;
  /** Topic that the service files the record under. */
  topic?: string | {
    slug?: string;
    [field: string]: unknown;
  } | null;
  /** Title or short statement, as published. */
  title?: string | null;
  /** Full text, as published. */
  text?: string | null;
  /** Legislative file that the text belongs to. */
  dossier?: string | null;
  /** What became of it, as the source words it. */
  outcome?: string | null;
  /** Day of the fact, ISO 8601. */
  date?: string | null;
  /** Web address of the original. */
  url?: string | null;
  /** Ids of the sources that support the record (`id` of sources), as a list. */
  source_ids?: (string | number)[] | null;
  [field: string]: unknown;
};

/** A promise that a politician made to the voters. */
export type FeedPromiseRecord = {
  /** Kind of the fact. */
  type: 'promise';
  /** Identifier that the service gives to the record. */
  id?: string | number | null;
  /** Slug of the politician whom the record is about (`slug` of politicians). */
  politician?: string | {
    slug?: string;
    [field: string]: unknown;
  } | null;
  /** Slug of the party or parliamentary group (`slug` of parties), as the source names it for that date. */
  party?: string | {
    slug?: string;
    [field: string]: unknown;
  } | null;
  /** Title or short statement, as published. */
  title?: string | null;
  /** Full text, as published. */
  text?: string | null;
  /** Topic that the service files the record under. */
  topic?: string | {
    slug?: string;
    [field: string]: unknown;
  } | null;
  /** Day of the fact, ISO 8601. */
  date?: string | null;
  /** Status as the service states it; null where it states none. */
  status?: string | null;
  /** Election for which the promise was made. */
  election?: string | null;
  /** Ids of the sources that support the record (`id` of sources), as a list. */
  source_ids?: (string | number)[] | null;
  [field: string]: unknown;
};

/** A stated position of a politician or party, or the position of a group in a ballot. */
export type FeedPositionRecord = {
  /** Kind of the fact. */
  type: 'position';
  /** Identifier that the service gives to the record. */
  id?: string | number | null;
  /** Slug of the politician whom the record is about (`slug` of politicians). */
  politician?: string | {
    slug?: string;
    [field: string]: unknown;
  } | null;
  /** Slug of the party or parliamentary group (`slug` of parties), as the source names it for that date. */
  party?: string | {
    slug?: string;
    [field: string]: unknown;
  } | null;
  /** Topic that the service files the record under. */
  topic?: string | {
    slug?: string;
    [field: string]: unknown;
  } | null;
  /** Title or short statement, as published. */
  title?: string | null;
  /** Full text, as published. */
  text?: string | null;
  /** Position taken in a ballot: pour, contre or abstention. */
  stance?: string | null;
  /** Day of the fact, ISO 8601. */
  date?: string | null;
  /** Ballot in which the position was taken (`scrutin_id` of ballots). */
  ballot_id?: string | null;
  /** Ids of the sources that support the record (`id` of sources), as a list. */
  source_ids?: (string | number)[] | null;
  [field: string]: unknown;
};

/** A sourced fact; `type` says which kind of record it is. */
export type FeedItem = FeedContentRecord | FeedPromiseRecord | FeedPositionRecord;

/** A record of the kind that was asked for, with every field that the mirror holds of it. */
export type AnyRecord = {
  [field: string]: unknown;
};

/** A record that was found, and where. */
export type SearchHit = {
  /** Kind of the record. */
  type: 'ballot' | 'quote' | 'position' | 'promise' | 'speech' | 'content' | 'party' | 'politician';
  /** Slug of a politician or party. */
  slug?: string;
  /** Id of any other record. */
  id?: string;
  /** Name, title or short statement. */
  title: string;
  /** Where the words stand. */
  snippet: string;
  /** Where in the snippet each match begins and ends, in UTF-16 units. */
  offsets?: (number[])[];
  /** Higher is better; comparable within one answer only. */
  score: number;
  /** How it was found: name, words, accents, family, corrected, any-word or meaning. */
  matched?: string;
  /** Number of other records with the same text, for which this one stands. */
  copies?: number;
  /** Why it stands where it does, where that was asked for. */
  why?: string;
  /** Slug of the politician whom the record is about. */
  politician?: string | null;
  /** Day of the fact, ISO 8601. */
  date?: string | null;
};

/** What was found, and how it was searched. */
export type SearchAnswer = {
  /** What was searched for. */
  query: string;
  /** How it was searched. */
  mode: 'fulltext' | 'semantic';
  /** What it went by: the words of the query, or these with words of their families, synonyms, and the words of the texts that come out best; or the vectors of a model. */
  method: 'words' | 'lexical-expansion' | 'embeddings';
  /** True where full text stands in for semantic search. */
  fallback: boolean;
  /** Best first. */
  items: SearchHit[];
  /** Number of matches, copies among them; null where there are more than are counted. */
  total: number | null;
  /** Continues the list; null at its end. */
  next_cursor?: string | null;
  /** Number of matches by kind; null where there are more than are counted. */
  counts?: {
    [field: string]: number | null;
  };
  /** How the query was relaxed (`any-word`), because too little holds all of its words. */
  relaxed?: string | null;
  /** What was looked for in another spelling. */
  corrected?: ({
    /** A word that no record holds. */
    from: string;
    /** The word that was looked for in its place. */
    to: string;
  })[];
  /** What of the query was left out or read as words, in sentences. */
  remarks?: string[];
  /** Where little matches: politicians with a name like the query (slug, full_name), words like those of the query (word), or what a filter may have meant (parameter, value, name). */
  suggestions: ({
    /** Slug of a politician. */
    slug?: string;
    /** Full name of that politician. */
    full_name?: string;
    /** A word that many records hold. */
    word?: string;
    /** Name of the parameter. */
    parameter?: string;
    /** A value that names something. */
    value?: string;
    /** What it names. */
    name?: string;
  })[];
};

/** What went wrong, as RFC 9457 has it. */
export type Problem = {
  /** Kind of problem, a URI reference. */
  type: string;
  /** The HTTP status in words. */
  title: string;
  /** The HTTP status. */
  status: number;
  /** One sentence about this request. */
  detail: string;
  /** Path that was asked for. */
  instance?: string;
  /** Each bad parameter (422). */
  errors?: ({
    /** Name of the parameter. */
    parameter: string;
    /** What is wrong with it. */
    message: string;
  })[];
  /** What may have been meant (404, 422): each says how it is asked for. */
  suggestions?: ({
    [field: string]: string | null;
  })[];
};

/** What each address takes, and what it answers: `'bytes'` for what is no JSON. */
export type Interface = {
  /** Politicians; filters combine. */
  '/politicians': {
    parameters: {
      /** Words that the name must hold, each from its beginning. */
      q?: string;
      /** Slug of a party or parliamentary group. */
      party?: string;
      /** Order: by name, by newest fact, or by last change. */
      sort?: 'name' | 'freshness' | 'updated_at';
      /** Number of politicians. */
      limit?: number;
      /** Go on where a list ended (its next_cursor), with the same filters and sort. */
      cursor?: string;
      /** As this mirror had seen it by then: a day (its end, UTC), a moment, or 7d ago. */
      as_of?: string;
    };
    answer: PoliticiansPage;
  };
  /** The full profile of a politician: bio, positions, quotes, affiliations, sources. */
  '/politicians/{slug}': {
    parameters: {
      /** As this mirror had seen it by then: a day (its end, UTC), a moment, or 7d ago. */
      as_of?: string;
      /** Slug of the politician. */
      slug: string;
    };
    answer: PoliticianProfile;
  };
  /** All parties and parliamentary groups, by name. */
  '/parties': {
    parameters: {
      /** As this mirror had seen it by then: a day (its end, UTC), a moment, or 7d ago. */
      as_of?: string;
    };
    answer: PartiesPage;
  };
  /** A party or group: description, members, sources. */
  '/parties/{slug}': {
    parameters: {
      /** As this mirror had seen it by then: a day (its end, UTC), a moment, or 7d ago. */
      as_of?: string;
      /** Slug of the party. */
      slug: string;
    };
    answer: PartyProfile;
  };
  /** Full-text search across politicians, parties, content and speeches. */
  '/search': {
    parameters: {
      /** Words, all of which must be found; "a phrase", -without, a beginning*, type:, party:, politician:, since:, until:, -type: for all but these. */
      q: string;
      /** Kinds to search, separated by commas; those of the service by default. Commas between, or given again for each: both mean the same. */
      type?: ('politician' | 'party' | 'content' | 'speech' | 'promise' | 'position' | 'quote' | 'ballot')[];
      /** The same as `type`. Commas between, or given again for each: both mean the same. */
      types?: ('politician' | 'party' | 'content' | 'speech' | 'promise' | 'position' | 'quote' | 'ballot')[];
      /** Number of hits. */
      limit?: number;
      /** Go on where a list ended (its next_cursor), with the same filters and sort. */
      cursor?: string;
      /** Every copy of a text, not one that stands for all. */
      all_copies?: boolean;
      /** Why each hit stands where it does. */
      explain?: boolean;
      /** As this mirror had seen it by then: a day (its end, UTC), a moment, or 7d ago. */
      as_of?: string;
    };
    answer: SearchAnswer;
  };
  /** Search by meaning, or by full text where that is not enabled (`fallback` is true then). */
  '/search/semantic': {
    parameters: {
      /** A question or statement in natural language. */
      q: string;
      /** Topic. */
      topic?: string;
      /** Number of hits. */
      k?: number;
      /** Kinds to search, separated by commas; those of the service by default. Commas between, or given again for each: both mean the same. */
      type?: ('politician' | 'party' | 'content' | 'speech' | 'promise' | 'position' | 'quote' | 'ballot')[];
      /** The same as `type`. Commas between, or given again for each: both mean the same. */
      types?: ('politician' | 'party' | 'content' | 'speech' | 'promise' | 'position' | 'quote' | 'ballot')[];
      /** Go on where a list ended (its next_cursor), with the same filters and sort. */
      cursor?: string;
      /** Every copy of a text, not one that stands for all. */
      all_copies?: boolean;
      /** Why each hit stands where it does. */
      explain?: boolean;
      /** As this mirror had seen it by then: a day (its end, UTC), a moment, or 7d ago. */
      as_of?: string;
    };
    answer: SearchAnswer;
  };
  /** Sourced facts, newest first. */
  '/feed': {
    parameters: {
      /** Types of facts, separated by commas; all of these by default. Commas between, or given again for each: both mean the same. */
      types?: ('content' | 'promise' | 'position')[];
      /** Topic. */
      topic?: string;
      /** Slug of a politician. */
      politician?: string;
      /** Slug of a party or group, or several with commas between. */
      party?: string;
      /** Go on where a list ended (its next_cursor), with the same filters and sort. */
      cursor?: string;
      /** Number of facts. */
      limit?: number;
      /** As this mirror had seen it by then: a day (its end, UTC), a moment, or 7d ago. */
      as_of?: string;
    };
    answer: FeedPage;
  };
  /** A ballot of the lower house or the senate, with votes by party. */
  '/votes/{scrutin_id}': {
    parameters: {
      /** AN for the Assemblée nationale, Senat for the Sénat. */
      chamber?: 'AN' | 'Senat';
      /** As this mirror had seen it by then: a day (its end, UTC), a moment, or 7d ago. */
      as_of?: string;
      /** Identifier of the ballot in its chamber. */
      scrutin_id: string;
    };
    answer: BallotRecord;
  };
  /** The newest entries of the public, anonymised log of moderation actions. */
  '/audit': {
    parameters: {
      /** Kind of record that was touched. */
      entity_type?: string;
      /** Number of entries. */
      limit?: number;
      /** Go on where a list ended (its next_cursor), with the same filters and sort. */
      cursor?: string;
      /** As this mirror had seen it by then: a day (its end, UTC), a moment, or 7d ago. */
      as_of?: string;
    };
    answer: AuditPage;
  };
  /** Public ballots, newest first; filters combine. */
  '/ballots': {
    parameters: {
      /** Words in the title or the legislative file. */
      q?: string;
      /** AN for the Assemblée nationale, Senat for the Sénat. */
      chamber?: 'AN' | 'Senat';
      /** Held that day or later. */
      since?: string;
      /** Held that day or earlier. */
      until?: string;
      /** Result as the chamber announced it. */
      result?: string;
      /** Kind of ballot as the chamber words it. */
      type?: string;
      /** Topic, where the service files ballots under one. */
      topic?: string;
      /** GROUP:for, GROUP:against or GROUP:abstention; repeatable, all must hold. Commas between, or given again for each: both mean the same. */
      voted?: string[];
      /** Decided by so many votes at most. */
      margin?: number;
      /** Some group of which at least that share voted otherwise than most of it (0.2 or 20%). */
      dissent?: number;
      /** Order: newest first, or closest first. */
      sort?: 'date' | 'margin';
      /** Number of ballots. */
      limit?: number;
      /** Go on where a list ended (its next_cursor), with the same filters and sort. */
      cursor?: string;
      /** As this mirror had seen it by then: a day (its end, UTC), a moment, or 7d ago. */
      as_of?: string;
    };
    answer: BallotsPage;
  };
  /** How often groups took the same position over a choice of ballots, pair by pair. */
  '/compare': {
    parameters: {
      /** Groups, or `majority` for the side on which more votes were cast. Commas between, or given again for each: both mean the same. */
      group: string[];
      /** Words in the title or the legislative file. */
      q?: string;
      /** AN for the Assemblée nationale, Senat for the Sénat. */
      chamber?: 'AN' | 'Senat';
      /** Held that day or later. */
      since?: string;
      /** Held that day or earlier. */
      until?: string;
      /** Result as the chamber announced it. */
      result?: string;
      /** Kind of ballot as the chamber words it. */
      type?: string;
      /** Topic, where the service files ballots under one. */
      topic?: string;
      /** GROUP:for, GROUP:against or GROUP:abstention; repeatable, all must hold. Commas between, or given again for each: both mean the same. */
      voted?: string[];
      /** As this mirror had seen it by then: a day (its end, UTC), a moment, or 7d ago. */
      as_of?: string;
    };
    answer: ComparePage;
  };
  /** How united groups voted over a choice of ballots, and how many of them took part. */
  '/cohesion': {
    parameters: {
      /** Groups; all of them by default. Commas between, or given again for each: both mean the same. */
      group?: string[];
      /** Words in the title or the legislative file. */
      q?: string;
      /** AN for the Assemblée nationale, Senat for the Sénat. */
      chamber?: 'AN' | 'Senat';
      /** Held that day or later. */
      since?: string;
      /** Held that day or earlier. */
      until?: string;
      /** Result as the chamber announced it. */
      result?: string;
      /** Kind of ballot as the chamber words it. */
      type?: string;
      /** Topic, where the service files ballots under one. */
      topic?: string;
      /** GROUP:for, GROUP:against or GROUP:abstention; repeatable, all must hold. Commas between, or given again for each: both mean the same. */
      voted?: string[];
      /** Order: by name (or as asked), or those first that dissent most. */
      sort?: 'name' | 'dissent';
      /** As this mirror had seen it by then: a day (its end, UTC), a moment, or 7d ago. */
      as_of?: string;
    };
    answer: CohesionPage;
  };
  /** Every topic with its number of records for each kind, the most used first. */
  '/topics': {
    parameters: {
      /** As this mirror had seen it by then: a day (its end, UTC), a moment, or 7d ago. */
      as_of?: string;
    };
    answer: TopicsPage;
  };
  /** Which parties and groups politicians joined or left, the newest first. */
  '/affiliations': {
    parameters: {
      /** That day or later. */
      since?: string;
      /** That day or earlier. */
      until?: string;
      /** Slug of a politician. */
      politician?: string;
      /** Slug of a party or group, or several with commas between. */
      party?: string;
      /** Only what began, or only what ended. */
      event?: 'began' | 'ended';
      /** Go on where a list ended (its next_cursor), with the same filters and sort. */
      cursor?: string;
      /** Number of days. */
      limit?: number;
      /** As this mirror had seen it by then: a day (its end, UTC), a moment, or 7d ago. */
      as_of?: string;
    };
    answer: AffiliationsPage;
  };
  /** Any one record of any kind, whole. */
  '/records/{kind}/{key}': {
    parameters: {
      /** As this mirror had seen it by then: a day (its end, UTC), a moment, or 7d ago. */
      as_of?: string;
      /** Kind of record. */
      kind: 'politician' | 'party' | 'content' | 'speech' | 'promise' | 'position' | 'quote' | 'ballot' | 'source' | 'audit';
      /** Slug, id, or CHAMBER:ID of a ballot. */
      key: string;
    };
    answer: AnyRecord;
  };
  /** What was added, edited, withdrawn, returned or renamed, as this mirror saw it. */
  '/changes': {
    parameters: {
      /** 7d, a date (its beginning, UTC), a moment, or last: the last sync or import. */
      since?: string;
      /** Seen by then: 7d ago, a date (its end, UTC) or a moment; without --since, all before. */
      until?: string;
      /** Only these kinds of record. Commas between, or given again for each: both mean the same. */
      kind?: ('politician' | 'party' | 'content' | 'speech' | 'promise' | 'position' | 'quote' | 'ballot' | 'source' | 'audit')[];
      /** Slug of a politician: only what concerns them. */
      politician?: string;
      /** Slug of a party or group: only what concerns it and its members, as stated then. */
      party?: string;
      /** Number of changes. */
      limit?: number;
      /** Go on where a list ended (its next_cursor), with the same filters and sort. */
      cursor?: string;
      /** As this mirror had seen it by then: a day (its end, UTC), a moment, or 7d ago. */
      as_of?: string;
    };
    answer: ChangesPage;
  };
  /** Every version of one record that this mirror has seen, the newest first. */
  '/history/{kind}/{key}': {
    parameters: {
      /** As this mirror had seen it by then: a day (its end, UTC), a moment, or 7d ago. */
      as_of?: string;
      /** Kind of record. */
      kind: 'politician' | 'party' | 'content' | 'speech' | 'promise' | 'position' | 'quote' | 'ballot' | 'source' | 'audit';
      /** Slug, name, id, or CHAMBER:ID of a ballot. */
      key: string;
    };
    answer: HistoryPage;
  };
  /** A whole dataset as a file, under the Open Database License 1.0. */
  '/export/dataset': {
    parameters: {
      /** The dataset. */
      entity: 'politicians' | 'parties' | 'promises' | 'positions' | 'quotes' | 'sources';
      /** Format of the file. */
      format?: 'csv' | 'parquet';
      /** As this mirror had seen it by then: a day (its end, UTC), a moment, or 7d ago. */
      as_of?: string;
    };
    answer: 'bytes';
  };
  /** All that this mirror holds, for another Hemicycle that follows it. */
  '/mirror': {
    parameters: {
      /** Only these kinds of record. Commas between, or given again for each: both mean the same. */
      kinds?: ('politician' | 'party' | 'content' | 'speech' | 'promise' | 'position' | 'quote' | 'ballot' | 'source' | 'audit')[];
      /** Only what came after: KIND:POSITION for each kind, as the last answer told them. Commas between, or given again for each: both mean the same. */
      since?: string[];
      /** Everything, whatever came before; `since` then only says whose state was followed. */
      whole?: boolean;
      /** As this mirror had seen it by then: a day (its end, UTC), a moment, or 7d ago. */
      as_of?: string;
    };
    answer: 'bytes';
  };
};
