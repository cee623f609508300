import { dirname, join } from 'node:path';
import { readViewerTokens, type ViewerToken } from '../server/viewer-tokens.ts';
import { createFolder } from '../store/folder.ts';
import { HemicycleCommand } from './base-command.ts';
import type { CommonFlags } from './common-flags.ts';
import { argument, type Interfaces, valueFlag } from './oclif.ts';
import { openPrivateFile, type Settings } from './settings.ts';

/** The flag `--viewer-tokens`, shared by `serve` and the commands that change the file. */
export const viewerTokensFlag = valueFlag(
  'file of the viewer tokens (default: viewer-tokens.json beside the configuration)',
  'FILE',
);

/** Path of the viewer tokens file: the typed one, else the user's. */
export function viewerTokensPath({ configPath }: Settings, typedPath?: string): string {
  return typedPath ?? join(dirname(configPath), 'viewer-tokens.json');
}

export const tokenNameArgument = argument('name of the token: letters, digits, dots, hyphens and underscores');

/** Base of the `token` commands, with `--viewer-tokens` and a lock on that file. */
export abstract class TokenCommand extends HemicycleCommand {
  static override baseFlags: Interfaces.FlagInput = {
    ...HemicycleCommand.baseFlags,
    'viewer-tokens': viewerTokensFlag,
  };

  protected tokensPath(flags: CommonFlags & { 'viewer-tokens'?: string | undefined }): string {
    return viewerTokensPath(this.settingsWith(), flags['viewer-tokens']);
  }

  /** Locks the tokens file until the command ends; returns the stored names, and the file to change. */
  protected async lockTokens(path: string) {
    createFolder(dirname(path));
    await this.lock(path, 10_000);
    const names = readViewerTokens(path).map(({ name }) => name);
    return { names, file: await openPrivateFile<Omit<ViewerToken, 'name'>>(path) };
  }
}
