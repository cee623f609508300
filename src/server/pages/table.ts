import type { View } from './view.ts';
import { about } from './views/about.ts';
import { affiliationsPage } from './views/affiliations.ts';
import { auditLog } from './views/audit.ts';
import { ballotPage } from './views/ballot.ts';
import { ballotsPage } from './views/ballots.ts';
import { catalogPage } from './views/catalog.ts';
import { changesPage } from './views/changes.ts';
import { cohesionPage, comparePage } from './views/compare.ts';
import { embeddedBallot, embedding } from './views/embed.ts';
import { sourcedFacts } from './views/facts.ts';
import { historyPage } from './views/history.ts';
import { partiesPage, partyPage } from './views/parties.ts';
import { politicianPage } from './views/politician.ts';
import { politiciansPage } from './views/politicians.ts';
import { recordPage } from './views/record.ts';
import { recordsPage } from './views/records.ts';
import { searchPage } from './views/search.ts';
import { sourcePage } from './views/source.ts';
import { today } from './views/today.ts';
import { topicsPage } from './views/topics.ts';

/** Every page for people: routes, forms beside them, links and the test of all pages follow it. */
export const views: readonly View[] = [
  today,
  searchPage,
  politiciansPage,
  politicianPage,
  affiliationsPage,
  partiesPage,
  partyPage,
  topicsPage,
  sourcedFacts,
  ballotsPage,
  ballotPage,
  embeddedBallot,
  embedding,
  comparePage,
  cohesionPage,
  changesPage,
  historyPage,
  sourcePage,
  recordPage,
  recordsPage,
  auditLog,
  about,
  catalogPage,
];
