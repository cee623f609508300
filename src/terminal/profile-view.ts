import type { Article } from '../format/article.ts';
import { excerptOf } from '../format/change-text.ts';
import { sanitiseLine, sanitiseText } from '../format/sanitise.ts';
import { sortLatestFirst } from '../model/affiliation.ts';
import { sourcesIn } from '../model/cited-work.ts';
import { composedText } from '../model/composition.ts';
import { type Document, documentsIn, isDocument, type Json, slugOf, textOf } from '../model/document.ts';
import { titleOf } from '../model/facets.ts';
import { type Kind, type KindName, kindOf } from '../model/kinds.ts';
import { memberCounts, roleText } from '../parliament/membership.ts';
import type { Speech } from '../words/speech.ts';
import { linkAddress, type Terminal } from './terminal.ts';
import { joinWithDots } from './view.ts';

const maxSectionItems = 20; // maximum items of a list at a terminal

const longTextFields = ['bio', 'description', 'text', 'context'];

/** Creates the view of a record: facts, long texts, nested lists and sources; fields without a value are omitted. */
export function profileView(
  kindName: KindName,
  { sources: embeddedSources, source_ids: ids, composed, ...document }: Document,
  terminal: Terminal,
  sources: readonly Document[] = sourcesIn({ sources: embeddedSources ?? [], source_ids: ids ?? [] }, () => undefined),
): Article {
  const { speech } = terminal;
  const kind = kindOf(kindName);
  const title = titleOf(kind, document);
  const isEmpty = (value: Json) => value === null || value === '' || (Array.isArray(value) && value.length === 0);
  const filledFields = Object.entries(document).filter(([, value]) => !isEmpty(value));
  const titleField = filledFields.find(([, value]) => value === title)?.[0];
  const order = new Map(kind.columns.map((column, index) => [column.name, index]));
  const facts = filledFields.filter(([field, value]) => isFact(value) && field !== titleField && !isLong(field, value));
  const rankOf = ([field]: [string, Json]) => order.get(field) ?? order.size;
  return {
    title: sanitiseLine(title),
    url: linkAddress(textOf(document, 'url', 'website')),
    facts: facts
      .sort((a, b) => rankOf(a) - rankOf(b))
      .map(([field, value]) => ({
        label: labelOf(field, speech),
        value: sanitiseLine(factText(field, value, terminal)),
      })),
    paragraphs: [
      ...filledFields
        .filter(([field, value]) => isLong(field, value) && field !== titleField)
        .map(([field, value]) => ({ label: labelOf(field, speech), text: sanitiseText(String(value)) })),
      ...(composed === true ? [{ label: labelOf('composed', speech), text: speech.render(composedText) }] : []),
    ],
    sections: [
      ...sectionsOf(kind, filledFields, terminal),
      ...sectionOf('sources', sources, { terminal, lineOf: sourceLine }),
    ],
  };
}

/** Returns the label of a field. */
export function labelOf(field: string, speech: Speech): string {
  return sanitiseLine(speech.field(field).replaceAll('_', ' '));
}

/** Returns one line about a nested record: title, role, date or period, party, source; at a terminal also its key. */
function itemLine(item: Json, terminal: Terminal): string {
  if (!isDocument(item)) return sanitiseLine(typeof item === 'object' ? JSON.stringify(item) : String(item));
  const { isTTY, speech } = terminal;
  const title = textOf(item, 'title', 'full_name', 'name', 'text', 'statement', 'label');
  const date = textOf(item, 'date');
  const parts = [
    title !== null && isTTY ? excerptOf(title) : title,
    title === null || isTTY ? slugOf(item.slug) : null,
    roleText(item, speech) ?? (speech.word(textOf(item, 'current_role') ?? '') || null),
    date === null ? periodOf(item, terminal) : localiseDay(date, terminal),
    textOf(item, 'topic'),
    textOf(item, 'stance', 'position', 'status'),
    slugOf(item.party),
    textOf(item, 'publisher'),
    textOf(item, 'url'),
    isTTY ? textOf(item, 'id') : null,
  ];
  return joinWithDots(parts) || sanitiseLine(textOf(item, 'id') ?? JSON.stringify(item));
}

/** Returns one line about a source: publisher, title, day, address, id. */
export function sourceLine(source: Document, terminal: Terminal): string {
  const date = textOf(source, 'date');
  return joinWithDots([
    textOf(source, 'publisher'),
    textOf(source, 'title'),
    date && localiseDay(date, terminal),
    textOf(source, 'url'),
    textOf(source, 'id'),
  ]);
}

function periodOf(item: Document, terminal: Terminal): string | null {
  const start = textOf(item, 'start', 'start_date');
  const end = textOf(item, 'end', 'end_date');
  if (start === null && end === null) return null;
  return `${localiseDay(start ?? '…', terminal)} – ${localiseDay(end ?? '…', terminal)}`;
}

/** True for a value that one line shows: no list of nested records. */
const isFact = (value: Json): boolean => !Array.isArray(value) || value.every((item) => typeof item !== 'object');

function isLong(field: string, value: Json): boolean {
  return typeof value === 'string' && (longTextFields.includes(field) || value.length > 300);
}

function factText(field: string, value: Json, terminal: Terminal): string {
  if (Array.isArray(value)) return value.join(', ');
  if (isDocument(value)) {
    const [name, slug] = [textOf(value, 'full_name', 'name'), textOf(value, 'slug')];
    return name !== null && slug !== null ? `${name} (${slug})` : itemLine(value, terminal);
  }
  if (field === 'party_link') return terminal.speech.word(String(value));
  const memberCountText = memberCounts({ [field]: value }, terminal.speech); // empty for other fields
  return memberCountText || localiseDay(String(value), terminal);
}

/** Returns a date (`2026-11-22`) in words at a terminal; any other text unchanged. */
export function localiseDay(text: string, { isTTY, speech }: Terminal): string {
  return isTTY && /^\d{4}-\d\d-\d\d$/.test(text) ? speech.day(text) : text;
}

function sectionsOf(kind: Kind, filledFields: [string, Json][], terminal: Terminal): Article['sections'] {
  const values = new Map(filledFields);
  return [...new Set([...kind.sets, ...values.keys()])].flatMap((field) => {
    const value = values.get(field);
    if (!Array.isArray(value) || isFact(value)) return [];
    const items = field === 'affiliations' ? sortLatestFirst(documentsIn(value)) : value;
    return sectionOf<Json>(field, items, { terminal, lineOf: itemLine });
  });
}

/** Returns a list as a section, at a terminal its first items only; no section for an empty list. */
function sectionOf<Item>(
  field: string,
  items: readonly Item[],
  { terminal, lineOf }: { terminal: Terminal; lineOf: (item: Item, terminal: Terminal) => string },
): Article['sections'] {
  const lines = (terminal.isTTY ? items.slice(0, maxSectionItems) : items).map((each) => lineOf(each, terminal));
  return items.length === 0 ? [] : [{ label: labelOf(field, terminal.speech), lines, total: items.length }];
}
