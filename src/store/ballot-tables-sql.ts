/** SQL of the two tables of ballots: facts to filter and sort by, and the votes of groups. */
export const ballotTablesSql = (schema: 'main' | 'temp', prefix = ''): string => `
  CREATE TABLE IF NOT EXISTS ${schema}.${prefix}ballot (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, chamber TEXT NOT NULL, day TEXT NOT NULL, title TEXT, result TEXT,
    type TEXT, topic TEXT, text TEXT, text_from TEXT, text_key TEXT, reading TEXT,
    nature TEXT, text_kind TEXT, is_sole_article INTEGER NOT NULL,
    is_one_sided INTEGER NOT NULL, has_counts INTEGER NOT NULL, margin INTEGER, dissent REAL, members INTEGER, no_vote_recorded INTEGER,
    turnout REAL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS ${schema}.${prefix}group_votes (
    ballot INTEGER NOT NULL, n INTEGER NOT NULL, party TEXT, party_name TEXT, members INTEGER,
    votes_for INTEGER, votes_against INTEGER, votes_abstention INTEGER, votes_non_voting INTEGER,
    no_vote_recorded INTEGER, stated_position TEXT, position TEXT, dissent REAL,
    PRIMARY KEY (ballot, n)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS ${schema}.${prefix}ballot_day ON ${prefix}ballot(day, id, chamber);
  CREATE INDEX IF NOT EXISTS ${schema}.${prefix}ballot_margin ON ${prefix}ballot(margin, day DESC, id DESC) WHERE margin IS NOT NULL;
  CREATE INDEX IF NOT EXISTS ${schema}.${prefix}ballot_text ON ${prefix}ballot(text_key);
  CREATE INDEX IF NOT EXISTS ${schema}.${prefix}group_votes_position ON ${prefix}group_votes(party, position, ballot, dissent);
`;
