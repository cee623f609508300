import { affiliations } from './affiliations.ts';
import { savedAnswer, savedList } from './ask.ts';
import { audit } from './audit.ts';
import { ballots } from './ballots.ts';
import { brief } from './brief.ts';
import { changes } from './changes.ts';
import { check } from './check.ts';
import { cohesion } from './cohesion.ts';
import { compare } from './compare.ts';
import { contradictions } from './contradictions.ts';
import { feed } from './feed.ts';
import { history } from './history.ts';
import { parties, party } from './parties.ts';
import { politician, politicians } from './politicians.ts';
import type { Question } from './question.ts';
import { record, records } from './record.ts';
import { search, searchSemantic } from './search.ts';
import { text } from './text.ts';
import { topics } from './topics.ts';
import { vote } from './vote.ts';

/** Every question with a route, those of the service's own API first; OpenAPI and the reference keep this order. */
export const questions: readonly Question[] = [
  politicians,
  politician,
  parties,
  party,
  search,
  searchSemantic,
  feed,
  vote,
  audit,
  ballots,
  compare,
  cohesion,
  text,
  check,
  topics,
  affiliations,
  record,
  records,
  changes,
  brief,
  history,
  contradictions,
  savedList,
  savedAnswer,
];
