import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { ConfigurationError } from '../errors.ts';
import { makeFolder } from '../store/folder.ts';
import { say } from '../words/speech.ts';

/**
 * Reads the user's settings; {} without a file. `conf` writes this JSON, but its import slows every start.
 */
export function readUserConfig(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return {};
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigurationError(
      say`${path} is not JSON`,
      say`fix it, or delete it and use \`hemicycle config set\``,
    );
  }
}

/** A JSON object in a file that only the user can read; every change replaces the file whole. */
export async function privateFile<Value = unknown>(path: string) {
  // `conf` creates folders with `recursive`, which can hang (see `makeFolder`).
  makeFolder(dirname(path));
  const { default: Conf } = await import('conf');
  return new Conf<Record<string, Value>>({
    cwd: dirname(path),
    configName: basename(path),
    fileExtension: '',
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
  });
}
