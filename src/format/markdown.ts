import type { Article } from './article.ts';
import type { Format } from './format.ts';
import { cellReader, plainCell, type RowFormat } from './rows.ts';
import { sanitise } from './sanitise.ts';

/** Returns a format of Markdown table rows (GitHub); a cell is one line, null is empty. */
export function markdownFormat(columns: string[]): RowFormat {
  const readCell = cellReader(columns);
  const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`;
  return {
    head: (names) => line(names.map(markdownText)) + line(names.map(() => '---')),
    row: (document) => line(columns.map((column) => markdownText(plainCell(readCell(document, column))))),
    escapeControls: sanitise,
  };
}

/** Escapes a text for one line or cell of Markdown: line ends become spaces; backslash, bar and `<` are escaped. */
export function markdownText(text: string): string {
  const line = text.replace(/\s*[\r\n\u2028\u2029]+\s*/g, ' ');
  return line.replace(/[\\|]/g, '\\$&').replaceAll('<', '&lt;');
}

function openArticle({ title, facts, paragraphs, sections }: Article): string {
  const bullets = (lines: string[]) => lines.map((line) => `- ${line}\n`).join('');
  const factTexts = facts.map(({ label, value }) => `**${markdownText(label)}**: ${markdownText(value)}`);
  const proseText = (text: string) => {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return lines.map((line) => `${markdownText(line)}\n`).join('\n');
  };
  const parts = [
    ...paragraphs.map(({ label, text }) => ({ label, text: proseText(text) })),
    ...sections.map(({ label, lines }) => ({ label, text: bullets(lines.map(markdownText)) })),
  ];
  const texts = parts.map(({ label, text }) => (label === '' ? text : `## ${markdownText(label)}\n\n${text}`));
  return [`# ${markdownText(title)}\n`, bullets(factTexts), ...texts, ''].join('\n');
}

export const markdown = {
  name: 'markdown',
  mediaType: 'text/markdown; charset=utf-8',
  isText: true,
  rowFormat: markdownFormat,
  document: { open: openArticle, close: (remarks) => remarks.map((remark) => `\n${remark}\n`).join('') },
} as const satisfies Format;
