const htmlPattern = /<(?:!doctype|html|head|body|article|p|div|blockquote|h[1-6]|br|span|q|em|strong)\b[^<]*>/i;
const hiddenElement = /^(?:head|script|style|template|noscript|nav|svg|textarea|select)$/;
const inlineElement =
  /^(?:a|abbr|b|bdi|bdo|cite|code|data|del|dfn|em|font|i|img|ins|kbd|label|mark|s|samp|small|span|strong|su[bp]|time|u|var|wbr)$/;

/** Converts HTML to text with the same line numbers and `> ` before quotations; returns other text unchanged. */
export async function plainTextOf(source: string): Promise<string> {
  if (!htmlPattern.test(source)) return source;
  const { Parser } = await import('htmlparser2');
  const parts: string[] = [];
  const depths = { hidden: 0, quotation: 0 }; // Open elements of each type.
  let previousEnd = 0;
  const handleTag = (name: string, change: 1 | -1) => {
    if (hiddenElement.test(name)) depths.hidden += change;
    if (name === 'blockquote') depths.quotation += change;
    if (name === 'q') parts.push(change === 1 ? '«' : '»');
    else if (!inlineElement.test(name)) parts.push('\u2029'); // Paragraph separator.
  };
  const parser = new Parser({
    onopentag: (name) => handleTag(name, 1),
    onclosetag: (name) => handleTag(name, -1),
    ontext(text) {
      if (depths.hidden > 0) return;
      const isQuotation = depths.quotation > 0 && parts.at(-1) === '\u2029' && text.trim() !== '';
      // Keep the line ends of the source between this text and the previous one.
      parts.push(source.slice(previousEnd, parser.startIndex).replace(/[^\n]+/g, ''), isQuotation ? '> ' : '', text);
      previousEnd = parser.endIndex + 1;
    },
  });
  parser.end(source);
  return parts.join('');
}
