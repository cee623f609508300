import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type KeptFile, mirrorName } from '../export/backup.ts';
import { copiesPath } from '../store/copies.ts';
import { watchPath } from '../store/watch-book.ts';
import type { Settings } from './settings.ts';
import { viewerTokensPath } from './token-command.ts';

/** Everything that a backup contains; the mirror comes last, so that no file refers to records newer than it. */
export function keptFiles(settings: Settings): KeptFile[] {
  const { db, configPath } = settings;
  const plain = { isDatabase: false, isSecret: true };
  return [
    { name: 'config.json', path: configPath, ...plain },
    { name: 'viewer-tokens.json', path: viewerTokensPath(settings), ...plain },
    ...questionFiles(settings).map((each) => ({ ...each, ...plain })),
    { name: 'copies.json', path: copiesPath(db), ...plain },
    { name: 'watches.db', path: watchPath(db), isDatabase: true, isSecret: true },
    { name: mirrorName, path: db, isDatabase: true, isSecret: false },
  ];
}

const ofQuestion = /^questions\/([^/\\.][^/\\]*\.sql)$/;

function questionFiles({ questions }: Settings) {
  const files = questions !== null && existsSync(questions) ? readdirSync(questions).sort() : [];
  return files
    .map((file) => ({ name: `questions/${file}`, path: join(questions!, file) }))
    .filter(({ name }) => ofQuestion.test(name));
}

/** Where to restore a file of a backup; null for a file that is not used here. */
export function keptPlace(settings: Settings, name: string): string | null {
  const [, question] = ofQuestion.exec(name) ?? [];
  if (question !== undefined && settings.questions !== null) return join(settings.questions, question);
  return keptFiles(settings).find((each) => each.name === name)?.path ?? null;
}
