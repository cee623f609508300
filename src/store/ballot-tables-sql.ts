/**
 * SQL that recreates `ballot`, `group_votes` (`n`: order in the ballot) and `text_link` (related texts); their columns
 * are filled in `saving/ballot-tables.ts`. `prefix`: for temporary votes, which a view unites with the saved ones.
 */
export const ballotTablesSql = (schema: 'main' | 'temp', prefix = ''): string => `
  DROP TABLE IF EXISTS ${schema}.ballot; DROP TABLE IF EXISTS ${schema}.${prefix}group_votes;
  DROP TABLE IF EXISTS ${schema}.text_link;
  CREATE TABLE ${schema}.ballot (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, chamber TEXT NOT NULL, day TEXT NOT NULL, title TEXT, result TEXT,
    type TEXT, topic TEXT, text TEXT, text_key TEXT, text_file TEXT, text_bill TEXT, text_name TEXT,
    reading TEXT, nature TEXT, text_kind TEXT, is_sole_article INTEGER NOT NULL,
    is_one_sided INTEGER NOT NULL, has_counts INTEGER NOT NULL, margin INTEGER, dissent REAL, members INTEGER, no_vote_recorded INTEGER,
    turnout REAL, votes_for INTEGER, votes_against INTEGER, votes_abstention INTEGER, votes_non_voting INTEGER,
    voters INTEGER, expressed INTEGER
  ) STRICT;
  CREATE TABLE ${schema}.${prefix}group_votes (
    ballot INTEGER NOT NULL, n INTEGER NOT NULL, party TEXT, party_name TEXT, members INTEGER,
    votes_for INTEGER, votes_against INTEGER, votes_abstention INTEGER, votes_non_voting INTEGER,
    no_vote_recorded INTEGER, stated_position TEXT, position TEXT, dissent REAL,
    PRIMARY KEY (ballot, n)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE ${schema}.text_link (
    text_key TEXT, other TEXT, linked_by TEXT NOT NULL, PRIMARY KEY (text_key, other)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX ${schema}.ballot_day ON ballot(day, id, chamber);
  CREATE INDEX ${schema}.ballot_margin ON ballot(margin, day DESC, id DESC) WHERE margin IS NOT NULL;
  CREATE INDEX ${schema}.ballot_text ON ballot(text_key);
  CREATE INDEX ${schema}.${prefix}group_votes_position ON ${prefix}group_votes(party, position, ballot, dissent);
`;
