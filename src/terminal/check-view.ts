import { sanitiseLine } from '../format/sanitise.ts';
import { type Document, documentsIn, textOf } from '../model/document.ts';
import { styleOf, type Terminal } from './terminal.ts';
import { dotted, ended, proseWidth, wrap } from './view.ts';

/** Renders the matches of quotations: a heading for each, then speaker, passage and differences. */
export function checkBlocks(): (item: Document, terminal: Terminal) => string {
  let quoted: string | null = null;
  return (item, terminal) => {
    const { speech } = terminal;
    const style = styleOf(terminal);
    const width = proseWidth(terminal, 2);
    const line = (field: string) => sanitiseLine(textOf(item, field) ?? '');
    const quotation = line('quoted');
    const heading = quotation === quoted ? [] : wrap(`“${quotation}”`, width).map((each) => style.bold(each));
    quoted = quotation;
    const date = textOf(item, 'date');
    const who = line('politician_name') || line('politician') || speech.say`no person named`;
    const agreed = speech.share(Number(item.agreement));
    const facts =
      item.result === 'not-found'
        ? [speech.say`not found`]
        : [
            item.result === 'exact' ? speech.say`word for word` : speech.say`near match (${agreed})`,
            who,
            date === null ? speech.say`no day stated` : speech.day(date),
            speech.word(String(item.type)),
          ];
    const differences = documentsIn(item.differences).map((each) => differenceOf(each, terminal));
    const shown = item.result === 'near' ? wrap(`“${line('said')}”`, width) : [];
    const copies = Number(item.copies);
    const lines = [
      ...wrap(dotted(facts), width),
      ...[...shown, ...differences.flatMap((each) => wrap(each, width - 2).map((part) => `  ${part}`))],
      ...(copies > 0 ? [speech.say`+${speech.number(copies)} with the same text`] : []),
      ...[line('url')].filter((url) => url !== ''),
      ...(item.id === null ? [] : [style.dim(`hemicycle cite ${line('type')} ${line('id')}`)]),
    ];
    return `${ended([...heading, ...lines.map((each) => `  ${each}`)])}\n`;
  };
}

function differenceOf(difference: Document, { speech }: Terminal): string {
  const [quoted, recordedText] = [textOf(difference, 'quoted'), textOf(difference, 'said')].map((each) =>
    each === null || each === '' ? null : sanitiseLine(each),
  );
  if (recordedText === null) return speech.say`the record does not contain “${quoted ?? ''}”`;
  if (quoted === null) return speech.say`the record also contains “${recordedText}”`;
  return speech.say`quoted “${quoted}”, recorded “${recordedText}”`;
}
