import { existsSync, readFileSync } from 'node:fs';
import { BadMirrorError, orNull } from '../errors.ts';
import { say } from '../words/speech.ts';

/** Origin of an edition, a mirror that `serve --edition` downloaded; `tag`: ETag of `location`, empty if replacing. */
export type EditionMark = { location: string; tag: string; made_at: string };

/** Path of the JSON file with the mark, beside the mirror. */
export const editionMarkPath = (mirrorPath: string): string => `${mirrorPath}.edition`;

/** The mark of a mirror; null if the mirror is not an edition, or if the mark is damaged. */
export const readEditionMark = (mirrorPath: string): EditionMark | null =>
  orNull(() => JSON.parse(readFileSync(editionMarkPath(mirrorPath), 'utf8')));

/** Throws a BadMirrorError if the mirror is an edition: the next download would overwrite any change. */
export function refuseEdition(mirrorPath: string): void {
  const markPath = editionMarkPath(mirrorPath);
  if (!existsSync(markPath)) return;
  throw new BadMirrorError(
    mirrorPath,
    say`is an edition, which \`serve --edition\` replaces; nothing was written`,
    say`write to the mirror that is published; or remove ${markPath} to keep this one as a mirror of its own`,
  );
}
