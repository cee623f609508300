import { sanitiseLine } from '../format/sanitise.ts';
import type { Document } from '../model/document.ts';
import { type KindName, kindCount, kindOf } from '../model/kinds.ts';
import type { KindContents } from '../store/records/contents.ts';
import type { SyncRun } from '../store/syncs/runs.ts';
import type { countTombstones } from '../store/tombstones.ts';
import { type Phrase, type Speech, say, saying } from '../words/speech.ts';
import { renderTable } from './table.ts';
import { styleOf, type Terminal } from './terminal.ts';
import { blocksText, factLines, withHeading, wrapWithHangingIndent } from './view.ts';

/** Returns a sentence with the requests left in this minute; `left` is null if unknown. */
export function budgetText({ left, limit }: { left: number | null; limit: number }): Phrase {
  return say`${left ?? say`an unknown share`} of ${limit} requests left this minute`;
}

/** Returns a sentence on withheld records: how many, since when, why, and by whom. */
export function tombstoneText({ kinds, day, reason, of }: ReturnType<typeof countTombstones>[number]): Phrase {
  return saying((speech) => {
    const counts = Object.entries(kinds).map(([kind, records]) => kindCount(speech, kindOf(kind as KindName), records));
    const withholdingText = speech.say`withheld since ${day}: ${speech.list(counts)}, ${reason}`;
    return of === null ? withholdingText : speech.say`${withholdingText}; by ${of}`;
  });
}

/** Returns a sentence on withheld values of the moderation log, with the number of entries per field. */
export function withheldText(withheld: { field: string; entries: number }[]): Phrase {
  return saying((speech) => {
    const fields = withheld.map(({ field, entries }) => `${speech.word(field)} ${speech.number(entries)}`);
    return speech.say`audit: values that may name a person were withheld: ${speech.list(fields)}`;
  });
}

/** Status of a mirror. */
export type MirrorStatus = {
  mirror: string;
  bytes: number;
  ageText: Phrase;
  last_sync: Pick<SyncRun, 'origin' | 'started_at' | 'ended_at' | 'exit'> | null;
  budget: { left: number | null; limit: number } | null;
  contentRows: KindContents[];
  remarks: Phrase[]; // what is missing, stale or failed
};

/** Renders the status of a mirror on one screen. */
export function statusPage(status: MirrorStatus, terminal: Terminal, nowMs: number): string {
  const { speech } = terminal;
  const style = styleOf(terminal);
  const origins = new Set(status.contentRows.map(({ origin }) => origin).filter((origin) => origin !== null));
  const facts = [
    { label: speech.say`file`, value: sanitiseLine(status.mirror) },
    { label: speech.say`size`, value: speech.bytes(status.bytes) },
    { label: speech.say`age`, value: sanitiseLine(speech.render(status.ageText)) },
    ...(origins.size === 1 ? [{ label: speech.say`from`, value: sanitiseLine([...origins][0]!) }] : []),
    { label: speech.say`last sync`, value: lastSyncText(status, speech) },
    { label: speech.say`budget`, value: status.budget ? speech.render(budgetText(status.budget)) : '' },
  ].filter(({ value }) => value !== '');
  const originFacts = status.contentRows.flatMap(({ kind, origin }) =>
    origin === null ? [] : [{ label: speech.word(kind), value: sanitiseLine(origin) }],
  );
  const originLines = origins.size > 1 ? factLines(originFacts, terminal, '  ') : [];
  const remarkLines = status.remarks.flatMap((each) =>
    wrapWithHangingIndent(sanitiseLine(speech.render(each)), Math.max(20, terminal.columns - 4), '  - '),
  );
  return blocksText([
    withHeading(speech.say`The mirror`, factLines(facts, terminal, '  '), { style }),
    withHeading(speech.say`Contents`, contentsLines(status.contentRows, terminal, nowMs), { style }),
    withHeading(speech.say`Origin`, originLines, { style }),
    withHeading(speech.say`To know`, remarkLines, { style }),
  ]);
}

function lastSyncText({ last_sync: run }: MirrorStatus, speech: Speech): string {
  if (run === null) return '';
  const { origin, started_at, ended_at, exit } = run;
  const originText = sanitiseLine(origin);
  const startText = speech.moment(started_at);
  if (ended_at === null || exit !== 0) return `${startText}, ${originText}`;
  const durationText = speech.duration(Date.parse(ended_at) - Date.parse(started_at));
  return `${speech.say`${startText}, done in ${durationText}`}, ${originText}`;
}

function contentsLines(contents: KindContents[], terminal: Terminal, nowMs: number): string[] {
  const { speech } = terminal;
  const lastSeenText = ({ retrieved_at: at }: KindContents) =>
    at !== null && Date.parse(at) <= nowMs ? speech.ago(nowMs - Date.parse(at)) : at;
  const columns: [head: string, cell: (each: KindContents) => string | null][] = [
    ['kind', ({ kind }) => speech.word(kind)],
    ['records', ({ records }) => speech.number(records)],
    ['details', ({ details }) => speech.number(details)],
    ['withdrawn', ({ withdrawn }) => speech.number(withdrawn)],
    ['completeness', ({ completeness }) => completeness && speech.word(completeness)],
    ['seen', lastSeenText],
  ];
  const headings = columns.map(([head]) => head);
  const rows = contents.map((each): Document => Object.fromEntries(columns.map(([head, cell]) => [head, cell(each)])));
  const indentedTerminal = { ...terminal, columns: terminal.columns - 2 };
  const shape = { columns: headings, terminal: indentedTerminal, rightAligned: headings.slice(1, 4) }; // the counts
  const lines = renderTable(rows, shape).trimEnd().split('\n');
  return lines.map((line) => (line === '' ? '' : `  ${line}`));
}
