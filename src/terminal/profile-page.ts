import { sanitiseLine } from '../format/sanitise.ts';
import { affiliationsIn } from '../model/affiliation.ts';
import { chamberNames } from '../model/ballot.ts';
import { type Document, type Json, slugOf, textOf } from '../model/document.ts';
import { kindCount, kindOf } from '../model/kinds.ts';
import type { RecordContext, RecordCounts } from '../store/records/record-context.ts';
import { profileView } from './profile-view.ts';
import type { Terminal } from './terminal.ts';
import { joinWithDots, renderView } from './view.ts';

/** Renders the profile of a politician or party for a terminal: its facts, its records in this mirror, its lists. */
export function profilePage(
  kind: 'politician' | 'party',
  document: Document,
  { context, terminal }: { context: RecordContext; terminal: Terminal },
): string {
  const view = profileView(kind, withNames(document, context), terminal);
  const command = `hemicycle feed --${kind} ${textOf(document, 'slug')} --types`;
  const lines = context.heldRecords.map((counted) => countLine(counted, command, terminal));
  const counts = { label: terminal.speech.say`In this mirror`, lines };
  return renderView({ ...view, sections: [counts, ...view.sections] }, terminal);
}

/** The document with the names of its chamber, parties and groups. */
function withNames(document: Document, { nameOf }: RecordContext): Document {
  const withName = (reference: Json = null): Json => {
    const slug = slugOf(reference);
    const name = slug && nameOf('party', slug);
    return name ? `${name} · ${slug}` : reference;
  };
  const affiliations = affiliationsIn(document).map((each) => ({ ...each, party: withName(each.party) }));
  const chamber = chamberNames[textOf(document, 'chamber') ?? ''] ?? document.chamber ?? null;
  return { ...document, chamber, party: withName(document.party), group: withName(document.group), affiliations };
}

const isAmendment = (textKind: string | null) => /^amend(e)?ments?$/i.test(textKind ?? '');

/** The number of records of a kind, the day of the latest, and the command that lists them. */
function countLine({ kind, count, latest, textKind }: RecordCounts, command: string, { speech }: Terminal): string {
  const label = isAmendment(textKind) ? speech.count(count, 'amendment') : kindCount(speech, kindOf(kind), count);
  const days = latest && speech.say`the latest of ${speech.day(latest)}`;
  return `${joinWithDots([label, days])}\n${sanitiseLine(`${command} ${kind}`)}`;
}
