import { sanitiseLine } from '../format/sanitise.ts';
import { type Document, documentsIn, textOf } from '../model/document.ts';
import { styleOf, type Terminal } from './terminal.ts';
import { joinLines, joinWithDots, proseWidth, wrap } from './view.ts';

/** Renders the matches of quotations: a heading for each, then speaker, passage and differences. */
export function createCheckRenderer(): (item: Document, terminal: Terminal) => string {
  let lastQuotation: string | null = null;
  return (item, terminal) => {
    const { speech } = terminal;
    const style = styleOf(terminal);
    const width = proseWidth(terminal, 2);
    const fieldText = (field: string) => sanitiseLine(textOf(item, field) ?? '');
    const quotation = fieldText('quoted');
    const heading = quotation === lastQuotation ? [] : wrap(`“${quotation}”`, width).map((each) => style.bold(each));
    lastQuotation = quotation;
    const date = textOf(item, 'date');
    const speaker = fieldText('politician_name') || fieldText('politician') || speech.say`no person named`;
    const agreementText = speech.share(Number(item.agreement));
    const facts =
      item.result === 'not-found'
        ? [speech.say`not found`]
        : [
            item.result === 'exact' ? speech.say`word for word` : speech.say`near match (${agreementText})`,
            speaker,
            date === null ? speech.say`no day stated` : speech.day(date),
            speech.word(String(item.type)),
          ];
    const differences = documentsIn(item.differences).map((each) => differenceText(each, terminal));
    const passageLines = item.result === 'near' ? wrap(`“${fieldText('said')}”`, width) : [];
    const copyCount = Number(item.copies);
    const lines = [
      ...wrap(joinWithDots(facts), width),
      ...[...passageLines, ...differences.flatMap((each) => wrap(each, width - 2).map((part) => `  ${part}`))],
      ...(copyCount > 0 ? [speech.say`+${speech.number(copyCount)} with the same text`] : []),
      ...[fieldText('url')].filter((url) => url !== ''),
      ...(item.id === null ? [] : [style.dim(`hemicycle cite ${fieldText('type')} ${fieldText('id')}`)]),
    ];
    return `${joinLines([...heading, ...lines.map((each) => `  ${each}`)])}\n`;
  };
}

function differenceText(difference: Document, { speech }: Terminal): string {
  const [quotedText, recordedText] = [textOf(difference, 'quoted'), textOf(difference, 'said')].map((each) =>
    each === null || each === '' ? null : sanitiseLine(each),
  );
  if (recordedText === null) return speech.say`the record does not contain “${quotedText ?? ''}”`;
  if (quotedText === null) return speech.say`the record also contains “${recordedText}”`;
  return speech.say`quoted “${quotedText}”, recorded “${recordedText}”`;
}
