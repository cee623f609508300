import { sanitiseLine } from '../format/sanitise.ts';
import { type Document, isDocument, type Json, slugOf, textOf } from '../model/document.ts';
import type { RecordContext } from '../store/records/record-context.ts';
import type { Speech } from '../words/speech.ts';
import { itemLine, labelOf, newestFirst } from './profile-view.ts';
import { linkAddress, type Style, type Terminal } from './terminal.ts';
import { type Fact, factLines, headed, wrap } from './view.ts';
import { displayWidth } from './width.ts';

/** Below this width a period has its own line. */
const narrow = 60;

/** Context of every part of a profile page. */
export type ProfilePage = {
  terminal: Terminal;
  style: Style;
  speech: Speech;
  width: number;
  context: RecordContext;
};

/** Title followed by the slug, which is what users type. */
function titleLines(document: Document, { style, terminal }: ProfilePage): string[] {
  const slug = sanitiseLine(textOf(document, 'slug') ?? '');
  const title = sanitiseLine(textOf(document, 'full_name', 'name', 'slug') ?? '');
  const url = linkAddress(textOf(document, 'url', 'website'));
  const lines = wrap(title, terminal.columns);
  const last = lines.at(-1) ?? '';
  const isBeside = displayWidth(last) + 2 + displayWidth(slug) <= terminal.columns;
  const bold = lines.map((line) => style.link(style.bold(line), url));
  if (slug === '' || slug === title) return bold;
  return isBeside ? [...bold.slice(0, -1), `${bold.at(-1)}  ${style.dim(slug)}`] : [...bold, style.dim(slug)];
}

/** A politician's or party's name and slug. */
export function nameOrSlug(
  of: 'politician' | 'party',
  reference: Json | undefined,
  { context, style }: ProfilePage,
): string {
  const slug = slugOf(reference ?? null);
  if (slug === null) return '';
  const own = isDocument(reference) ? textOf(reference, 'full_name', 'name') : null;
  const name = context.names.get(`${of}:${slug}`) ?? own;
  const typed = style.dim(sanitiseLine(slug));
  return name === null ? sanitiseLine(slug) : `${sanitiseLine(name)}  ${typed}`;
}

const chamberNames: Record<string, string> = { AN: 'Assemblée nationale', Senat: 'Sénat' };

/** Fields of a politician that the head shows or that repeat it. */
const toldOfPolitician = [
  'slug',
  'full_name',
  'name',
  'current_role',
  'party',
  'group',
  'bio',
  'source_ids',
].concat(
  ...['first_name', 'last_name', 'party_name', 'birth_date', 'birth_place', 'death_date', 'profession'],
  ...['chamber', 'department', 'constituency_number', 'website', 'updated_at'],
);

/** Head of a politician's page: office, party, group, dates and other short facts. */
export function headOfPolitician(document: Document, page: ProfilePage): string[] {
  const { speech, terminal } = page;
  const text = (field: string) => sanitiseLine(textOf(document, field) ?? '');
  const day = (field: string) => (text(field) === '' ? '' : speech.day(text(field)));
  const office = wrap(text('current_role'), terminal.columns).filter((line) => line !== '');
  const chamber = text('chamber');
  const facts = [
    { label: speech.say`party`, value: nameOrSlug('party', document.party, page) || text('party_name') },
    { label: speech.say`group`, value: nameOrSlug('party', document.group, page) },
    { label: speech.say`chamber`, value: chamberNames[chamber] ?? chamber },
    {
      label: speech.say`constituency`,
      value: [text('department'), text('constituency_number')].filter((part) => part !== '').join(', '),
    },
    {
      label: speech.say`born`,
      value: [day('birth_date'), text('birth_place')].filter((part) => part !== '').join(', '),
    },
    { label: speech.say`died`, value: day('death_date') },
    { label: speech.say`profession`, value: text('profession') },
    { label: speech.say`website`, value: text('website') },
    ...otherFacts(document, { told: toldOfPolitician, speech }),
    { label: speech.say`updated`, value: day('updated_at') },
  ];
  return [...titleLines(document, page), ...office, ...statedFacts(facts, terminal)];
}

const toldOfParty = ['slug', 'name', 'short_name', 'kind', 'chamber', 'description', 'source_ids'].concat(
  ...['start_date', 'end_date', 'member_count', 'color', 'updated_at'],
);

/** Head of a party's page. */
export function headOfParty(document: Document, page: ProfilePage): string[] {
  const { speech, terminal, style } = page;
  const text = (field: string) => sanitiseLine(textOf(document, field) ?? '');
  const facts = [
    { label: speech.say`short name`, value: text('short_name') },
    { label: speech.say`kind`, value: text('kind') },
    { label: speech.say`chamber`, value: chamberNames[text('chamber')] ?? text('chamber') },
    { label: speech.say`existed`, value: period(text('start_date'), text('end_date'), speech) },
    { label: speech.say`members`, value: memberCount(document, speech) },
    {
      label: speech.say`colour`,
      value: text('color') && `${style.tint(text('color'), '■')} ${text('color')}`,
    },
    ...otherFacts(document, { told: toldOfParty, speech }),
    { label: speech.say`updated`, value: text('updated_at') && speech.day(text('updated_at')) },
  ];
  return [...titleLines(document, page), ...statedFacts(facts, terminal)];
}

function memberCount({ member_count: count }: Document, speech: Speech): string {
  return typeof count === 'number' ? speech.say`${speech.number(count)}, as the service counts them` : '';
}

/** Other scalar fields, by name. */
function otherFacts(document: Document, { told, speech }: { told: string[]; speech: Speech }): Fact[] {
  return Object.entries(document).flatMap(([field, value]) => {
    if (told.includes(field) || value === null || value === '' || Array.isArray(value)) return [];
    return { label: labelOf(field, speech), value: itemLine(value) };
  });
}

function statedFacts(facts: Fact[], terminal: Terminal): string[] {
  const stated = facts.filter(({ value }) => value !== '');
  return factLines(stated, terminal, '  ');
}

/** A period as `since 3 December 2025` or `1 May 2022 – 9 June 2024`; empty if neither day is stated. */
function period(start: string | null, end: string | null, speech: Speech): string {
  if (start && end) return `${speech.day(start)} – ${speech.day(end)}`;
  if (start) return speech.say`since ${speech.day(start)}`;
  return end ? speech.say`until ${speech.day(end)}` : '';
}

/** Affiliations, the latest first; those without dates last. */
export function affiliationLines(affiliations: Json[], page: ProfilePage): string[] {
  const { speech } = page;
  const entries = newestFirst(affiliations.filter(isDocument)).map((item) => {
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

/** Labels with texts beside them, or below on a narrow terminal. */
function pairs(entries: Fact[], { terminal, style }: ProfilePage): string[] {
  if (terminal.columns >= narrow) return factLines(entries, terminal, '  ');
  return entries.flatMap(({ label, value }) => [
    `  ${style.dim(label)}`,
    ...wrap(value, Math.max(16, terminal.columns - 4)).map((line) => `    ${line}`),
  ]);
}
