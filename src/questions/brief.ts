import { changeSentence } from '../format/change-text.ts';
import { shellLine } from '../format/sanitise.ts';
import { byCodeUnit } from '../language/fold.ts';
import { column, nonNull } from '../model/columns.ts';
import { type Document, textOf } from '../model/document.ts';
import { titleOf } from '../model/facets.ts';
import { hasColumn, kindOf, kinds } from '../model/kinds.ts';
import { type ChangeFilter, changeTypes, listChanges } from '../store/history/changes.ts';
import { firstFillEnd, openPast } from '../store/history/past.ts';
import type { Mirror } from '../store/mirror.ts';
import { readRecord } from '../store/record.ts';
import { createNatureReader } from '../store/records/ballots.ts';
import { lastFilledAt } from '../store/records/contents.ts';
import { findContradictions, type RecordContradiction } from '../store/records/contradictions.ts';
import { recordFacts } from '../store/records/record-context.ts';
import { createRuleLookup } from '../store/records/subject-records.ts';
import { figure, instant, say, speechOf } from '../words/speech.ts';
import { changes, resolveSince } from './changes.ts';
import { readValues } from './parameter.ts';
import { completePage, listQuestion } from './question.ts';
import { subjectFilter } from './record-filters.ts';
import { rowLimit } from './sql.ts';

const { text, date, json } = column;

/** Sections, here and in `subjects.ts`, whose rows link to the history of the record; other rows link to the record. */
const historySections = ['withdrawals', 'edits', 'changes'];
const sections = ['votes', 'statements', 'withdrawals', 'edits', 'contradictions'] as const;

/** A change as `changes` lists it, or a new contradiction. */
export type ReportedChange = Document & { change: string; kind: string; key: string };
type News = ReportedChange & { section: (typeof sections)[number] };

/** What is new since a moment, in sentences. */
export const brief = listQuestion('brief', {
  parameters: { since: changes.parameters.since, subject: subjectFilter, limit: rowLimit },
  covers: (mirror) => changes.covers!(mirror, readValues(changes.parameters, {}).values),
  fields: [
    text('section', 'Section; votes are on whole texts, by title and type (derived).', { ...nonNull, words: sections }),
    text('summary', 'What is new, as the record states it.', nonNull),
    text('summary_fr', 'The same in French.', nonNull),
    text('show', 'Command that shows the record, or its history.', nonNull),
    text('change', 'What happened to the record, as in `changes`; else contradiction.', nonNull),
    ...changes.fields!.filter(({ name }) => name !== 'change'),
    date('date', 'Day of the record (ISO 8601).'),
    text('url', 'Web page of the record or of its source; null if none states one.'),
    json('contradiction', 'Rule, field, both values and their origins; absent from other sections.'),
  ],
  answerFields: changes.answerFields!,
  read(mirror, { since: requestedSince, subject, limit }, { asOf }) {
    const since = resolveSince(mirror, requestedSince);
    const mirrorAtEnd = asOf === null ? mirror : openPast(mirror.path, asOf);
    const news = readNews(mirror, { since, until: asOf, subject }, mirrorAtEnd);
    const items = takeRoundRobin(news, limit).map((each) => ({ ...describeRecord(mirrorAtEnd, each), ...each }));
    if (mirrorAtEnd !== mirror) mirrorAtEnd.close();
    const line = `${commandLine('brief', { since: requestedSince, subject })} --limit ${news.length}`;
    const remarks = news.length > limit ? [say`and ${figure(news.length - limit)} more: \`${line}\``] : [];
    return { ...completePage(items), total: news.length, extra: { since }, remarks };
  },
  notes: (mirror, values) => [
    say`as detected by this mirror since ${instant(resolveSince(mirror, values.since))}, without its first fill`,
    say`votes are those on whole texts, as titles and types say (derived); every change: \`${commandLine('changes', values)}\``,
  ],
});

/** Returns a sentence on a change or record in both languages, the command that shows it, and its web page. */
export function describeRecord(mirror: Mirror, item: Document & { kind: string; key: string }) {
  const { url = null, ...facts } = recordFacts(mirror, item.kind, item.key);
  const sentenceIn = (language: 'en' | 'fr') => changeSentence({ ...item, ...facts }, speechOf(language));
  const command = historySections.includes(String(item.section)) ? 'history' : 'show';
  const show = shellLine(['hemicycle', command, item.kind, item.key]);
  return { summary: sentenceIn('en'), summary_fr: sentenceIn('fr'), show, url };
}

const commandLine = (name: string, { since, subject }: { since: string; subject: readonly string[] }) =>
  shellLine(['hemicycle', name, '--since', since, ...subject.flatMap((each) => ['--subject', each])]);

/** Takes `limit` items in turn from every section, and keeps their order. */
function takeRoundRobin(news: readonly News[], limit: number): News[] {
  const sectionItems = Map.groupBy(news, ({ section }) => section).values();
  const rankedItems = [...sectionItems.flatMap((items) => items.entries())].sort(([one], [other]) => one - other);
  const chosenItems = new Set(rankedItems.slice(0, limit).map(([, each]) => each));
  return news.filter((each) => chosenItems.has(each));
}

/** Returns the news of a period by section, newest first; `mirrorAtEnd` is the mirror as of the end of the period. */
export function readNews(mirror: Mirror, filter: ChangeFilter, mirrorAtEnd = mirror): News[] {
  const natureOf = createNatureReader(mirrorAtEnd);
  const newsKinds = kinds.filter((kind) => kind.name === 'ballot' || hasColumn(kind, 'politician'));
  const added = newsKinds.flatMap((kind) => {
    // The first fill of a kind is not news.
    const since = [filter.since, firstFillEnd(mirror, kind)].sort().at(-1)!;
    return [...listChanges(mirror, { ...filter, since, kinds: [kind], only: ['added'] })];
  });
  const otherTypes = changeTypes.filter((type) => type !== 'added');
  const allChanges = [...added, ...listChanges(mirror, { ...filter, only: otherTypes })];
  const news = allChanges.flatMap((each): News[] => {
    const document = readRecord(mirrorAtEnd, kindOf(each.kind), each.key);
    const item = { ...each, date: textOf(document ?? {}, 'date') };
    if (each.change !== 'added')
      return [{ section: /withdrawn|returned/.test(each.change) ? 'withdrawals' : 'edits', ...item }];
    if (!document || (each.kind === 'ballot' && natureOf(document) !== 'whole')) return [];
    return [{ section: each.kind === 'ballot' ? 'votes' : 'statements', ...item }];
  });
  // Contradictions change only if a record changed.
  if (allChanges.length > 0) news.push(...newContradictions(mirror, filter, mirrorAtEnd));
  news.sort((one, other) => byCodeUnit(String(other.date), String(one.date)));
  return sections.flatMap((name) => news.filter(({ section }) => section === name));
}

/** Returns contradictions at the end of a period that are new since its start and since every kind's first fill. */
function newContradictions(mirror: Mirror, filter: ChangeFilter, mirrorAtEnd: Mirror): News[] {
  const { since, until = null, subject } = filter;
  const pastMirror = openPast(mirror.path, [since, ...kinds.map((kind) => firstFillEnd(mirror, kind))].sort().at(-1)!);
  const formerKeys = new Set(findContradictions(pastMirror).map(contradictionKey));
  pastMirror.close();
  const change = { change: 'contradiction', seen_at: until ?? lastFilledAt(mirror), politician: null, fields: [] };
  const subjectRuleOf = createRuleLookup(mirrorAtEnd, subject);
  const isNew = (each: RecordContradiction) =>
    !formerKeys.has(contradictionKey(each)) && subjectRuleOf(each.kind, each.key) !== undefined;
  return Array.from(findContradictions(mirrorAtEnd).filter(isNew), ({ kind, key, ...contradiction }) => {
    const title = titleOf(kindOf(kind), readRecord(mirrorAtEnd, kindOf(kind), key) ?? {});
    return { section: 'contradictions', ...change, kind, key, title, contradiction };
  });
}

/** Identifies a contradiction without its figures, so that other figures do not make it new. */
const contradictionKey = ({ kind, key, rule, about, one_of, other_of }: RecordContradiction): string =>
  JSON.stringify([kind, key, rule, about, one_of, other_of]);
