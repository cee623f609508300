import type { View } from './view.ts';
import { aboutPage, auditPage, catalogPage, contradictionsPage } from './views/about.ts';
import { accessibilityPage } from './views/accessibility.ts';
import { affiliationsPage } from './views/affiliations.ts';
import { savedQuestionPage, savedQuestionsPage, sqlPage } from './views/ask.ts';
import { ballotPage } from './views/ballot.ts';
import { ballotsPage, textPage } from './views/ballots.ts';
import { departmentsPage, seatPages } from './views/departments.ts';
import { embeddedBallotPage, oembedPage } from './views/embed.ts';
import { feedPage, subjectsPage, subjectView, topicPage, topicsPage } from './views/facts.ts';
import { cohesionPage, comparePage } from './views/group-agreement.ts';
import { guidePages } from './views/guide.ts';
import { changesPage, historyPage } from './views/history.ts';
import { partiesPage, partyPage } from './views/parties.ts';
import { politicianPage, politiciansPage } from './views/politicians.ts';
import { checkPage, recordPage, recordsPage, sourcePage } from './views/records.ts';
import { searchPage } from './views/search.ts';
import { sitemapPage } from './views/sitemap.ts';
import { suggestPage } from './views/suggest.ts';
import { todayPage } from './views/today.ts';

/** Every HTML page; routes, other forms, links and a test of all pages derive from it. */
export const views: readonly View[] = [
  todayPage,
  searchPage,
  suggestPage,
  checkPage,
  politiciansPage,
  politicianPage,
  affiliationsPage,
  departmentsPage,
  ...seatPages,
  partiesPage,
  partyPage,
  topicsPage,
  topicPage,
  subjectsPage,
  subjectView,
  feedPage,
  ballotsPage,
  ballotPage,
  textPage,
  embeddedBallotPage,
  oembedPage,
  comparePage,
  cohesionPage,
  changesPage,
  historyPage,
  contradictionsPage,
  savedQuestionsPage,
  savedQuestionPage,
  sqlPage,
  sourcePage,
  recordPage,
  recordsPage,
  auditPage,
  sitemapPage,
  aboutPage,
  accessibilityPage,
  catalogPage,
  ...guidePages,
];
