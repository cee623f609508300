import type { Fact } from '../format/article.ts';
import { sanitiseLine } from '../format/sanitise.ts';
import { chamberNames } from '../model/ballot.ts';
import { type Document, isDocument, type Json, slugOf, textOf } from '../model/document.ts';
import { memberCounts, partyLinkText, roleText } from '../parliament/membership.ts';
import type { RecordContext } from '../store/records/record-context.ts';
import type { Speech } from '../words/speech.ts';
import { itemLine, labelOf, sortNewestFirst } from './profile-view.ts';
import { linkAddress, styleOf, type Terminal } from './terminal.ts';
import { factLines, headed, proseWidth, withSlug, wrap } from './view.ts';

/** Below this width a period has its own line. */
const narrowWidth = 60;

/** Context of every part of a profile page. */
export type ProfileContext = ReturnType<typeof createProfileContext>;

/** Creates the context that every part of a profile page is drawn with. */
export function createProfileContext(context: RecordContext, terminal: Terminal) {
  const { speech } = terminal;
  return { context, terminal, speech, style: styleOf(terminal), width: proseWidth(terminal) };
}

/** The slug follows the title, since users type it in commands. */
function titleLines(document: Document, { style, terminal }: ProfileContext): string[] {
  const slug = sanitiseLine(textOf(document, 'slug') ?? '');
  const title = sanitiseLine(textOf(document, 'full_name', 'name', 'slug') ?? '');
  const url = linkAddress(textOf(document, 'url', 'website'));
  const draw = (line: string) => style.link(style.bold(line), url);
  return withSlug(wrap(title, terminal.columns), slug === title ? null : slug, { terminal, draw });
}

/** Returns the name and slug of a politician or party. */
export function nameOrSlug(kind: 'politician' | 'party', reference: Json | undefined, page: ProfileContext): string {
  const slug = slugOf(reference);
  if (slug === null) return '';
  const embeddedName = isDocument(reference) ? textOf(reference, 'full_name', 'name') : null;
  const name = page.context.names.get(`${kind}:${slug}`) ?? embeddedName;
  const slugSuffix = page.style.dim(sanitiseLine(slug));
  return name === null ? sanitiseLine(slug) : `${sanitiseLine(name)}  ${slugSuffix}`;
}

/** A line of a head, and the fields that it covers. */
type HeadFact = [label: string, value: string, ...fields: string[]];

/** Returns the head of a politician's page: office, party, group, dates and other short facts. */
export function headOfPolitician(document: Document, page: ProfileContext): string[] {
  const { speech, terminal } = page;
  const { text, joinTexts: texts, day } = fieldTexts(document, speech);
  const officeLines = wrap(text('current_role'), terminal.columns).filter((line) => line !== '');
  const link = partyLinkText(document, speech);
  const party = nameOrSlug('party', document.party, page) || text('party_name');
  const constituency = texts(text('department'), text('constituency_number'));
  const facts: HeadFact[] = [
    [speech.say`party`, link ? `${party} · ${link}` : party, 'party', 'party_name', 'party_link'],
    [speech.say`group`, nameOrSlug('party', document.group, page), 'group'],
    [speech.say`chamber`, chamberNames[text('chamber')] ?? text('chamber'), 'chamber'],
    [speech.say`constituency`, constituency, 'department', 'constituency_number'],
    [speech.say`born`, texts(day('birth_date'), text('birth_place')), 'birth_date', 'birth_place'],
    [speech.say`died`, day('death_date'), 'death_date'],
    [speech.say`profession`, text('profession'), 'profession'],
    [speech.say`website`, text('website'), 'website'],
  ];
  const elsewhere = ['full_name', 'first_name', 'last_name', 'current_role', 'bio'];
  return [...titleLines(document, page), ...officeLines, ...headFactLines(document, { facts, elsewhere, page })];
}

/** Returns the head of a party's page. */
export function headOfParty(document: Document, page: ProfileContext): string[] {
  const { speech, style } = page;
  const { text } = fieldTexts(document, speech);
  const existencePeriod = periodText(text('start_date'), text('end_date'), speech);
  const facts: HeadFact[] = [
    [speech.say`short name`, text('short_name'), 'short_name'],
    [speech.say`kind`, text('kind'), 'kind'],
    [speech.say`chamber`, chamberNames[text('chamber')] ?? text('chamber'), 'chamber'],
    [speech.say`existed`, existencePeriod, 'start_date', 'end_date'],
    [speech.say`members`, memberCounts(document, speech), 'member_count'],
    [speech.say`colour`, text('color') && `${style.tint(text('color'), '■')} ${text('color')}`, 'color'],
  ];
  return [...titleLines(document, page), ...headFactLines(document, { facts, elsewhere: ['description'], page })];
}

function fieldTexts(document: Document, speech: Speech) {
  const text = (field: string) => sanitiseLine(textOf(document, field) ?? '');
  const day = (field: string) => text(field) && speech.day(text(field));
  return { text, day, joinTexts: (...parts: string[]) => parts.filter((part) => part !== '').join(', ') };
}

/** The given facts, then all other scalar fields except those that the page shows `elsewhere`. */
function headFactLines(
  document: Document,
  { facts, elsewhere: fieldsElsewhere, page }: { facts: HeadFact[]; elsewhere: string[]; page: ProfileContext },
): string[] {
  const { speech, terminal } = page;
  const shownFields = facts.flatMap(([, , ...fields]) => fields);
  shownFields.push(...fieldsElsewhere, 'slug', 'name', 'source_ids', 'updated_at');
  const otherFacts = Object.entries(document).flatMap(([field, value]): HeadFact[] => {
    if (shownFields.includes(field) || value === null || value === '' || Array.isArray(value)) return [];
    return [[labelOf(field, speech), itemLine(value)]];
  });
  const updatedFact: HeadFact = [speech.say`updated`, fieldTexts(document, speech).day('updated_at')];
  const filledFacts = [...facts, ...otherFacts, updatedFact]
    .filter(([, value]) => value !== '')
    .map(([label, value]) => ({ label, value }));
  return factLines(filledFacts, terminal, '  ');
}

/** A period as `since 3 December 2025` or `1 May 2022 – 9 June 2024`; empty without both days. */
function periodText(start: string | null, end: string | null, speech: Speech): string {
  if (start && end) return `${speech.day(start)} – ${speech.day(end)}`;
  if (start) return speech.say`since ${speech.day(start)}`;
  return end ? speech.say`until ${speech.day(end)}` : '';
}

/** Returns affiliations, the latest first and undated ones last. */
export function affiliationLines(affiliations: Document[], page: ProfileContext): string[] {
  const { speech } = page;
  const entries = sortNewestFirst(affiliations).map((item) => {
    const periodLabel = periodText(textOf(item, 'start', 'start_date'), textOf(item, 'end', 'end_date'), speech);
    const role = roleText(item, speech);
    const partyText = nameOrSlug('party', item.party, page) || itemLine(item);
    return {
      label: periodLabel === '' ? speech.say`no day stated` : sanitiseLine(periodLabel),
      value: role === null ? partyText : `${sanitiseLine(role)} · ${partyText}`,
    };
  });
  return headed(speech.say`Parties and groups over time`, periodLines(entries, page), page);
}

function periodLines(entries: Fact[], { terminal, style }: ProfileContext): string[] {
  if (terminal.columns >= narrowWidth) return factLines(entries, terminal, '  ');
  return entries.flatMap(({ label, value }) => [
    `  ${style.dim(label)}`,
    ...wrap(value, Math.max(16, terminal.columns - 4)).map((line) => `    ${line}`),
  ]);
}
