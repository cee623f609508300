import { markdownFormat } from '../format/markdown.ts';
import type { Column } from '../model/kinds.ts';

/** A table of an export, as its dictionary tells of it. */
export type DictionaryTable = {
  path: string;
  description: string;
  rows: number;
  columns: Column[];
  /** Given for a file that is a download of the service, byte for byte. */
  verbatim?: object | null;
};

const notes = `An empty cell says that the source states nothing; it is never 0. An empty text is \`""\`. Columns of type
\`json\` hold a list or an object as JSON text. Days and moments are ISO 8601.`;

const verbatimNotes = `These files are those of the service, byte for byte: their cells are written as it writes them. The types say
what the columns are about.`;

/** The text of `DICTIONARY.md`: every file and every column, in the words that `datapackage.json` has too. */
export function dataDictionary(title: string, tables: DictionaryTable[]): string {
  const format = markdownFormat(['column', 'type', 'description']);
  const parts = tables.map(({ path, description, rows, columns }) => {
    const lines = columns.map(({ name, type, description: said }) =>
      format.row({ column: name, type, description: said }),
    );
    const head = format.head(['column', 'type', 'description']);
    return `## ${path}\n\n${description} ${rows} row${rows === 1 ? '' : 's'}.\n\n${head}${lines.join('').trimEnd()}`;
  });
  const isVerbatim = tables.every(({ verbatim }) => verbatim);
  return `${[`# ${title}`, isVerbatim ? verbatimNotes : notes, ...parts].join('\n\n')}\n`;
}
