import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BadTargetError } from '../errors.ts';
import { writeAtomically } from '../format/atomic-file.ts';
import { readJsonFile } from '../format/package-description.ts';
import { isDocument } from '../model/document.ts';
import { journalName } from '../store/journal.ts';
import type { Mirror } from '../store/mirror.ts';
import { standsAt } from '../store/syncs/runs.ts';
import { say } from '../words/speech.ts';
import type { Since } from './increment.ts';

type Target = { to: 'stdout' | 'file' | 'folder' | 'sqlite' | 'workbook' | 'postgres'; path: string };

/** Path of the watermark of an incremental export: inside its folder, or next to its file. */
const markPath = ({ to, path }: Target) =>
  to === 'folder' ? join(path, '.hemicycle-mark.json') : `${path}.mark.json`;

/** Throws a BadTargetError if a full export would overwrite an incremental one. */
export function refuseChanges(target: Target): void {
  if (target.to !== 'stdout' && existsSync(markPath(target)))
    throw new BadTargetError(
      target.path,
      say`it holds exports of what changed`,
      say`name another place for a whole one, or remove ${markPath(target)}`,
    );
}

/** The watermark of an incremental export. */
export type Mark = {
  since: Since;
  /** True if the target has no watermark, or one from another mirror. */
  isFirst: boolean;
  /** Saves the watermark of these tables; call it once they are written. */
  keep(tables: string[]): Promise<void>;
};

/** Reads the watermark of each table of an incremental export; throws a BadTargetError if a whole export is there. */
export async function openMark(target: Target, mirror: Mirror, asked: string | 'last'): Promise<Mark> {
  const path = markPath(target);
  const held = await readJsonFile(path);
  if (held === null && target.to !== 'stdout') refuseWhole(target);
  const name = journalName(mirror);
  const isSame = held !== null && held.mirror === name;
  const before = isSame && isDocument(held.tables) ? held.tables : {};
  const since: Since = (table) => {
    const last = before[table];
    if (asked !== 'last') return asked;
    return isDocument(last) && typeof last.until === 'string' ? last.until : null;
  };
  const at = standsAt(mirror);
  return {
    isFirst: Object.keys(before).length === 0,
    since,
    async keep(tables) {
      if (target.to === 'stdout' || at === null) return;
      const told = tables.map((table) => [table, { since: since(table), until: at }]);
      const reached = { ...before, ...Object.fromEntries(told) };
      const text = JSON.stringify({ mirror: name, tables: reached }, null, 2);
      await writeAtomically(path, (sink) => sink.write(`${text}\n`));
    },
  };
}

function refuseWhole({ to, path }: Target): void {
  const names = to === 'folder' ? ['datapackage.json', 'releases.json'] : [''];
  if (names.some((name) => existsSync(to === 'folder' ? join(path, name) : path)))
    throw new BadTargetError(
      path,
      say`it holds a whole export, which changes alone would replace`,
      say`name another place for changes, such as -o changes/`,
    );
}
