import { sanitiseLine } from '../format/sanitise.ts';
import { type Document, isDocument, type Json, slugOf, textOf } from '../model/document.ts';
import type { RecordContext } from '../store/records/record-context.ts';
import type { Speech } from '../words/speech.ts';
import { itemLine, labelOf, newestFirst } from './profile-view.ts';
import { linkAddress, styleOf, type Terminal } from './terminal.ts';
import { type Fact, factLines, headed, proseWidth, withSlug, wrap } from './view.ts';

/** Below this width a period has its own line. */
const narrow = 60;

/** Context of every part of a profile page. */
export type ProfilePage = ReturnType<typeof profileParts>;

/** Creates the context that every part of a profile page is drawn with. */
export function profileParts(context: RecordContext, terminal: Terminal) {
  const { speech } = terminal;
  return { context, terminal, speech, style: styleOf(terminal), width: proseWidth(terminal) };
}

/** The slug follows the title, since users type it in commands. */
function titleLines(document: Document, { style, terminal }: ProfilePage): string[] {
  const slug = sanitiseLine(textOf(document, 'slug') ?? '');
  const title = sanitiseLine(textOf(document, 'full_name', 'name', 'slug') ?? '');
  const url = linkAddress(textOf(document, 'url', 'website'));
  const draw = (line: string) => style.link(style.bold(line), url);
  return withSlug(wrap(title, terminal.columns), slug === title ? null : slug, { terminal, draw });
}

/** Returns the name and slug of a politician or party. */
export function nameOrSlug(of: 'politician' | 'party', reference: Json | undefined, page: ProfilePage): string {
  const slug = slugOf(reference);
  if (slug === null) return '';
  const own = isDocument(reference) ? textOf(reference, 'full_name', 'name') : null;
  const name = page.context.names.get(`${of}:${slug}`) ?? own;
  const typed = page.style.dim(sanitiseLine(slug));
  return name === null ? sanitiseLine(slug) : `${sanitiseLine(name)}  ${typed}`;
}

const chamberNames: Record<string, string> = { AN: 'Assemblée nationale', Senat: 'Sénat' };

/** A line of a head, and the fields that it covers. */
type HeadFact = [label: string, value: string, ...fields: string[]];

/** Returns the head of a politician's page: office, party, group, dates and other short facts. */
export function headOfPolitician(document: Document, page: ProfilePage): string[] {
  const { speech, terminal } = page;
  const { text, texts, day } = textsIn(document, speech);
  const office = wrap(text('current_role'), terminal.columns).filter((line) => line !== '');
  const party = nameOrSlug('party', document.party, page) || text('party_name');
  const constituency = texts(text('department'), text('constituency_number'));
  const facts: HeadFact[] = [
    [speech.say`party`, party, 'party', 'party_name'],
    [speech.say`group`, nameOrSlug('party', document.group, page), 'group'],
    [speech.say`chamber`, chamberNames[text('chamber')] ?? text('chamber'), 'chamber'],
    [speech.say`constituency`, constituency, 'department', 'constituency_number'],
    [speech.say`born`, texts(day('birth_date'), text('birth_place')), 'birth_date', 'birth_place'],
    [speech.say`died`, day('death_date'), 'death_date'],
    [speech.say`profession`, text('profession'), 'profession'],
    [speech.say`website`, text('website'), 'website'],
  ];
  const elsewhere = ['full_name', 'first_name', 'last_name', 'current_role', 'bio'];
  return [...titleLines(document, page), ...office, ...factsOf(document, { facts, elsewhere, page })];
}

/** Returns the head of a party's page. */
export function headOfParty(document: Document, page: ProfilePage): string[] {
  const { speech, style } = page;
  const { text } = textsIn(document, speech);
  const { member_count: count } = document;
  const members = typeof count === 'number' ? speech.say`${speech.number(count)}, according to the service` : '';
  const existed = period(text('start_date'), text('end_date'), speech);
  const facts: HeadFact[] = [
    [speech.say`short name`, text('short_name'), 'short_name'],
    [speech.say`kind`, text('kind'), 'kind'],
    [speech.say`chamber`, chamberNames[text('chamber')] ?? text('chamber'), 'chamber'],
    [speech.say`existed`, existed, 'start_date', 'end_date'],
    [speech.say`members`, members, 'member_count'],
    [speech.say`colour`, text('color') && `${style.tint(text('color'), '■')} ${text('color')}`, 'color'],
  ];
  return [...titleLines(document, page), ...factsOf(document, { facts, elsewhere: ['description'], page })];
}

function textsIn(document: Document, speech: Speech) {
  const text = (field: string) => sanitiseLine(textOf(document, field) ?? '');
  const day = (field: string) => text(field) && speech.day(text(field));
  return { text, day, texts: (...parts: string[]) => parts.filter((part) => part !== '').join(', ') };
}

/** The given facts, then all other scalar fields except those that the page shows `elsewhere`. */
function factsOf(
  document: Document,
  { facts, elsewhere, page }: { facts: HeadFact[]; elsewhere: string[]; page: ProfilePage },
): string[] {
  const { speech, terminal } = page;
  const shownFields = facts.flatMap(([, , ...fields]) => fields);
  shownFields.push(...elsewhere, 'slug', 'name', 'source_ids', 'updated_at');
  const otherFacts = Object.entries(document).flatMap(([field, value]): HeadFact[] => {
    if (shownFields.includes(field) || value === null || value === '' || Array.isArray(value)) return [];
    return [[labelOf(field, speech), itemLine(value)]];
  });
  const updated: HeadFact = [speech.say`updated`, textsIn(document, speech).day('updated_at')];
  const filledFacts = [...facts, ...otherFacts, updated]
    .filter(([, value]) => value !== '')
    .map(([label, value]) => ({ label, value }));
  return factLines(filledFacts, terminal, '  ');
}

/** A period as `since 3 December 2025` or `1 May 2022 – 9 June 2024`; empty without both days. */
function period(start: string | null, end: string | null, speech: Speech): string {
  if (start && end) return `${speech.day(start)} – ${speech.day(end)}`;
  if (start) return speech.say`since ${speech.day(start)}`;
  return end ? speech.say`until ${speech.day(end)}` : '';
}

/** Returns affiliations, the latest first and undated ones last. */
export function affiliationLines(affiliations: Document[], page: ProfilePage): string[] {
  const { speech } = page;
  const entries = newestFirst(affiliations).map((item) => {
    const days = period(textOf(item, 'start', 'start_date'), textOf(item, 'end', 'end_date'), speech);
    const role = textOf(item, 'role');
    const who = nameOrSlug('party', item.party, page) || itemLine(item);
    return {
      label: days === '' ? speech.say`no day stated` : sanitiseLine(days),
      value: role === null ? who : `${sanitiseLine(role)} · ${who}`,
    };
  });
  return headed(speech.say`Parties and groups over time`, pairs(entries, page), page);
}

function pairs(entries: Fact[], { terminal, style }: ProfilePage): string[] {
  if (terminal.columns >= narrow) return factLines(entries, terminal, '  ');
  return entries.flatMap(({ label, value }) => [
    `  ${style.dim(label)}`,
    ...wrap(value, Math.max(16, terminal.columns - 4)).map((line) => `    ${line}`),
  ]);
}
