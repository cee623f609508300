/** The library surface: what the commands are made of, for programs that want a mirror without a terminal. */

export { HemicycleError } from './errors.ts';
export { type Attribution, attributionOf } from './model/attribution.ts';
export type { Document } from './model/document.ts';
export { type Kind, kinds } from './model/kinds.ts';
export { createApp } from './server/app.ts';
export type { Mirror } from './store/mirror.ts';
export { openMirror, openWritableMirror } from './store/open.ts';
export { partyProfile, politicianProfile } from './store/profile.ts';
export { readBallotOf, readRecord } from './store/record.ts';
export { rows } from './store/rows.ts';
export { search } from './store/search.ts';
export { connect } from './sync/connect.ts';
export type { SyncScope } from './sync/context.ts';
export { findImportFiles, importFiles } from './sync/import.ts';
export { planSync } from './sync/plan.ts';
export { runSync, type SyncReport } from './sync/sync.ts';
