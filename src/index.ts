/** The library: mirrors, questions, imports, syncs, exports, a server; `src/README.md` has a tested example. */
export { AmbiguousNameError, HemicycleError, NotFoundError } from './errors.ts';
export { type ExportTable, writeTable } from './export/table.ts';
export { parseTableName as tableNamed, selectTables as chosenTables } from './export/tables.ts';
export { writeAtomically } from './format/atomic-file.ts';
export { type Sink, streamSink } from './format/sink.ts';
export { type Attribution, attributionOf, type Citation } from './model/attribution.ts';
export type { Document } from './model/document.ts';
export { findKind, type Kind, kinds } from './model/kinds.ts';
export {
  type Answerer,
  ask,
  collectItems as itemsOf,
  createMirrorAnswerer as mirrorAnswers,
  readWholeList as wholeList,
} from './questions/answering.ts';
export { audit } from './questions/audit.ts';
export { ballots } from './questions/ballots.ts';
export { changes } from './questions/changes.ts';
export { feed } from './questions/feed.ts';
export { history } from './questions/history.ts';
export { type Parameters, readValues, type Values } from './questions/parameter.ts';
export { parties, party } from './questions/parties.ts';
export { politician, politicians } from './questions/politicians.ts';
export type { Listing, ListQuestion, Question, RecordAnswer as Found, RecordQuestion } from './questions/question.ts';
export { record } from './questions/record.ts';
export { search, searchSemantic } from './questions/search.ts';
export { questions } from './questions/table.ts';
export { topics } from './questions/topics.ts';
export { vote } from './questions/vote.ts';
export { createApp } from './server/app.ts';
export { openPast } from './store/history/past.ts';
export type { Mirror } from './store/mirror.ts';
export { openMirror, openWritableMirror } from './store/open.ts';
export { rows } from './store/rows.ts';
export { connectService as connect } from './sync/connect.ts';
export type { SyncContext, SyncScope } from './sync/context.ts';
export { findImportFiles, importFiles } from './sync/import.ts';
export { planSync } from './sync/stages.ts';
export { runSync, type SyncReport } from './sync/sync.ts';
