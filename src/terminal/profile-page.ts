import { sanitiseLine } from '../format/sanitise.ts';
import { affiliationsIn } from '../model/affiliation.ts';
import { chamberNames } from '../model/ballot.ts';
import { type Document, type Json, slugOf, textOf } from '../model/document.ts';
import { kindCount, kindOf } from '../model/kinds.ts';
import type { RecordContext, RecordCounts } from '../store/records/record-context.ts';
import { profileView } from './profile-view.ts';
import { styleOf, type Terminal } from './terminal.ts';
import { factLines, headed, joinLines, renderView } from './view.ts';

/** Renders the profile of a politician or party for a terminal: its facts, its records in this mirror, its lists. */
export function profilePage(
  kind: 'politician' | 'party',
  document: Document,
  { context, terminal }: { context: RecordContext; terminal: Terminal },
): string {
  const { sections, other, ...view } = profileView(kind, withNames(document, context), terminal);
  const command = `hemicycle feed --${kind} ${sanitiseLine(textOf(document, 'slug') ?? '')} --types`;
  const counts = context.heldRecords.map((counted) => countFact(counted, command, terminal));
  const countLines = headed(terminal.speech.say`In this mirror`, factLines(counts, terminal, '  '), {
    style: styleOf(terminal),
  });
  const head = renderView({ ...view, facts: [...view.facts, ...other] }, terminal);
  return [head, joinLines(countLines), renderView({ sections }, terminal)].filter((block) => block !== '').join('\n');
}

/** The document with the names of its chamber, parties and groups. */
function withNames(document: Document, { names }: RecordContext): Document {
  const nameOf = (reference: Json | undefined): Json => {
    const slug = slugOf(reference);
    const name = names.get(`party:${slug}`);
    return name === undefined ? (reference ?? null) : `${name} · ${slug}`;
  };
  const affiliations = affiliationsIn(document).map((each) => ({ ...each, party: nameOf(each.party) }));
  const chamber = chamberNames[textOf(document, 'chamber') ?? ''] ?? document.chamber ?? null;
  return { ...document, chamber, party: nameOf(document.party), group: nameOf(document.group), affiliations };
}

const isAmendment = (textKind: string | null) => /^amend(e)?ments?$/i.test(textKind ?? '');

/** The number of records of a kind, the day of the latest, and the command that lists them. */
function countFact({ kind, count, latest, textKind }: RecordCounts, command: string, { speech }: Terminal) {
  const label = isAmendment(textKind) ? speech.count(count, 'amendment') : kindCount(speech, kindOf(kind), count);
  const latestText = latest === null ? '' : `${speech.say`the latest of ${speech.day(latest)}`}\n`;
  return { label, value: `${latestText}${command} ${kind}` };
}
