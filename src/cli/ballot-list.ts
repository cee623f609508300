import { UsageError } from '../errors.ts';
import { delimiterIn, whyNotCsv } from '../format/csv.ts';
import { type ListedBallot, parseDirection } from '../questions/ballot-selection.ts';
import { BadValueError } from '../questions/parameter.ts';
import { say } from '../words/speech.ts';
import { readTextFile } from './flag-values.ts';

/** Reads ballots (lines or CSV) and the `# author: NAME` comment of a file or stdin (-); throws a UsageError. */
export async function readBallotList(file: string) {
  const text = readTextFile(file, file === '-' ? 'stdin' : file);
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const isComment = (line: string) => /^\s*#/.test(line);
  const author = lines
    .map((line) => /^\s*#\s*(?:author|auteur|auteure|autrice)\s*:\s*(.+?)\s*$/i.exec(line)?.[1])
    .find((name) => name !== undefined);
  // Comments stay as empty lines, so that line numbers match the file.
  const rows = lines.map((line) => (isComment(line) ? '' : line));
  const firstLine = rows.find((line) => line.trim() !== '') ?? '';
  const isTable = firstLine.split(delimiterIn(firstLine)).some((cell) => isBallotColumn(cell.replaceAll('"', '')));
  const ballots = isTable ? await parseBallotTable(rows.join('\n'), firstLine, file) : rows.flatMap(parseBallotLine);
  if (ballots.length === 0)
    throw new UsageError(
      say`${file} contains no ballot`,
      say`write one reference per line (id, AN:8434 or URL), or CSV with the column ballot`,
    );
  return { ballots, author };
}

const isBallotColumn = (name: string) => /^(?:ballot|scrutin)$/i.test(name.trim());

const parseBallotLine = (line: string): ListedBallot[] =>
  line.trim() === '' ? [] : [{ reference: line.trim(), direction: null, reason: null }];

async function parseBallotTable(text: string, firstLine: string, file: string): Promise<ListedBallot[]> {
  const { parse } = await import('csv-parse/sync');
  const normaliseHeaders = (names: string[]) =>
    names.map((name) => (isBallotColumn(name) ? 'ballot' : name.trim().toLowerCase()));
  try {
    const rows = parse(text, {
      columns: normaliseHeaders,
      delimiter: delimiterIn(firstLine),
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as { record: Record<string, string | undefined>; info: { lines: number } }[];
    return rows.flatMap(({ record, info }) => parseBallotRow(record, `${file}:${info.lines}`));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(say`${file}: ${whyNotCsv(error)}`);
  }
}

function parseBallotRow(
  { ballot, direction, sens, reason, motif, raison }: Record<string, string | undefined>,
  location: string,
): ListedBallot[] {
  if (!ballot) return [];
  try {
    const fields = { direction: parseDirection(direction ?? sens), reason: (reason ?? motif ?? raison) || null };
    return [{ reference: ballot, ...fields }];
  } catch (error) {
    throw error instanceof BadValueError ? new UsageError(say`${location} ${error.userText}`) : error;
  }
}
