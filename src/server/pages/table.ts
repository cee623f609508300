import type { View } from './view.ts';
import { about } from './views/about.ts';
import { auditLog } from './views/audit.ts';
import { facts } from './views/facts.ts';
import { partiesPage, partyPage } from './views/parties.ts';
import { politicianPage } from './views/politician.ts';
import { politiciansPage } from './views/politicians.ts';
import { recordPage } from './views/record.ts';
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
  partiesPage,
  partyPage,
  topicsPage,
  facts,
  sourcePage,
  recordPage,
  auditLog,
  about,
];
