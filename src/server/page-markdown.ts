const entities: Record<string, string> = {
  amp: '&',
  lt: '&lt;',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: '\u00a0',
};

/** A page of ours as Markdown: its headings, paragraphs, lists, facts, tables and links; pictures are left out. */
export function pageMarkdown(page: string): string {
  const [, body = ''] = /<body[^>]*>(.*)<\/body>/s.exec(page) ?? [];
  return body
    .replace(/<(svg|style|form)\b.*?<\/\1>/gs, '')
    .replace(/\s+/g, ' ')
    .replace(
      /<(?:td|th)\b[^>]*>(.*?)<\/(?:td|th)>/g,
      (_, cell: string) => `| ${cell.replaceAll('|', '\\|')} `,
    )
    .replace(/<\/tr>\s*<\/thead>/g, '|<rule>')
    .replace(/<\/tr>/g, '|')
    .replace(/<tr\b[^>]*>/g, '\n')
    .replace(
      /\n((?:\| [^\n]*?)\|)<rule>/g,
      (_, row: string) => `\n\n${row}\n${row.replace(/(?<!\\)\|[^|]*(?=\|)/g, '| --- ')}`,
    )
    .replace(/<h([1-4])\b[^>]*>/g, (_, level: string) => `\n\n${'#'.repeat(Number(level))} `)
    .replace(/<li\b[^>]*>/g, '\n- ')
    .replace(/<dt\b[^>]*>(.*?)<\/dt>/g, '\n- **$1**: ')
    .replace(/<a\b[^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/g, '[$2]($1)')
    .replace(/<(\/?)(?:strong|summary)\b[^>]*>/g, '**')
    .replace(/<\/(?:h[1-4]|p|ul|dl|table|section)>|<(?:p|ul|dl|table)\b[^>]*>/g, '\n\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(\w+|#39);/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/[ \t]+\n|\n[ \t]+/g, '\n')
    .replace(/(\n- [^\n]*)\n{2,}(?=\S)(?!-|#|\|)/g, '$1\n  ')
    .replace(/\n-\s*\n+(?=#)/g, '\n\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .concat('\n');
}
