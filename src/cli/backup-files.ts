import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BackupFile, mirrorEntryName } from '../export/backup.ts';
import { copiesPath } from '../store/copies.ts';
import { subjectsPath } from '../store/subjects.ts';
import { watchPath } from '../store/watch-book.ts';
import type { Settings } from './settings.ts';
import { viewerTokensPath } from './token-command.ts';

/** Everything that a backup contains; the mirror comes last, so that no file refers to records newer than it. */
export function backupFiles(settings: Settings): BackupFile[] {
  const { db, configPath, questions } = settings;
  const secretFile = { isDatabase: false, isSecret: true };
  const questionFiles = existsSync(questions) ? readdirSync(questions).sort() : [];
  return [
    { name: 'config.json', path: configPath, ...secretFile },
    { name: 'viewer-tokens.json', path: viewerTokensPath(settings), ...secretFile },
    ...questionFiles
      .map((file) => ({ name: `questions/${file}`, path: join(questions, file), ...secretFile }))
      .filter(({ name }) => questionFilePattern.test(name)),
    { name: 'copies.json', path: copiesPath(db), ...secretFile },
    { name: 'subjects.json', path: subjectsPath(db), ...secretFile },
    { name: 'watches.db', path: watchPath(db), isDatabase: true, isSecret: true },
    { name: mirrorEntryName, path: db, isDatabase: true, isSecret: false },
  ];
}

const questionFilePattern = /^questions\/([^/\\.][^/\\]*\.sql)$/;

/** Path to which a file of a backup is restored; null if this version uses no file of that name. */
export function restorePath(settings: Settings, name: string): string | null {
  const [, question] = questionFilePattern.exec(name) ?? [];
  if (question !== undefined) return join(settings.questions, question);
  return backupFiles(settings).find((each) => each.name === name)?.path ?? null;
}
