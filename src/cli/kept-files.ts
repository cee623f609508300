import { type KeptFile, mirrorName } from '../export/backup.ts';
import { watchPath } from '../store/watch-book.ts';
import type { Settings } from './settings.ts';
import { viewerTokensPath } from './token-command.ts';

/** Everything that a backup keeps, the mirror last: what refers to it never knows more than it. */
export function keptFiles(settings: Settings): KeptFile[] {
  const { db, configPath } = settings;
  return [
    { name: 'config.json', path: configPath, isDatabase: false, isSecret: true },
    {
      name: 'viewer-tokens.json',
      path: viewerTokensPath(settings, undefined),
      isDatabase: false,
      isSecret: true,
    },
    { name: 'watches.db', path: watchPath(db), isDatabase: true, isSecret: true },
    { name: mirrorName, path: db, isDatabase: true, isSecret: false },
  ];
}
