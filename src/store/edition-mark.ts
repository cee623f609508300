import { existsSync, readFileSync } from 'node:fs';
import { BadMirrorError, orNull } from '../errors.ts';
import { say } from '../words/speech.ts';

/** The edition in a mirror: its object in a bucket, the tag of that (empty while replaced), its time (ISO 8601). */
export type EditionMark = { location: string; tag: string; made_at: string };

/** Path of the mark beside a mirror that is an edition: a copy that `serve --edition` replaces. */
export const editionMarkPath = (mirrorPath: string): string => `${mirrorPath}.edition`;

/** The mark of a mirror; null for a mirror that is no edition, or if the mark is damaged. */
export const readEditionMark = (mirrorPath: string): EditionMark | null =>
  orNull(() => JSON.parse(readFileSync(editionMarkPath(mirrorPath), 'utf8')));

/** Throws a BadMirrorError for an edition: the next one would replace what is written to it. */
export function refuseEdition(mirrorPath: string): void {
  const markPath = editionMarkPath(mirrorPath);
  if (!existsSync(markPath)) return;
  throw new BadMirrorError(
    mirrorPath,
    say`is an edition, which \`serve --edition\` replaces; nothing was written`,
    say`write to the mirror that is published; or remove ${markPath} to keep this one as a mirror of its own`,
  );
}
