import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigurationError } from '../errors.ts';
import { isDocument } from '../model/document.ts';
import { fileState } from '../store/file-state.ts';
import { type Phrase, say } from '../words/speech.ts';
import { memoizeLast } from './served-mirror.ts';

/** A stored viewer token: name, SHA-256 in hexadecimal, and creation time (ISO 8601). */
export type ViewerToken = { name: string; sha256: string; created_at: string | null };

/** Returns the SHA-256 of a token, as stored. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Returns the tokens of a file, sorted by name; empty if there is no file. Throws a ConfigurationError. */
export function readViewerTokens(path: string): ViewerToken[] {
  const hint = say`fix it, or delete it and use \`hemicycle token create NAME\``;
  const unreadableError = (reason: Phrase) =>
    new ConfigurationError(say`the viewer tokens' file ${path}: ${reason}`, hint);
  let storedTokens: unknown;
  try {
    storedTokens = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ENOENT') return [];
    throw unreadableError(error instanceof SyntaxError ? say`it is not JSON` : say`it cannot be read (${code})`);
  }
  if (!isDocument(storedTokens)) throw unreadableError(say`it is not a JSON object`);
  const tokens = Object.entries(storedTokens).map(([name, entry]): ViewerToken => {
    const { sha256, created_at } = isDocument(entry) ? entry : {};
    if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/i.test(sha256))
      throw unreadableError(say`it holds a token without a SHA-256 of 64 hexadecimal digits ("${name}")`);
    return { name, sha256, created_at: typeof created_at === 'string' ? created_at : null };
  });
  return tokens.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns a function from a token to its hash, null if unknown; rereads a changed file, accepts none if that fails. */
export function openViewerTokens(path: string, onFailure: (error: unknown) => void) {
  // Throws at once: a server does not start with an unreadable file.
  readViewerTokens(path);
  const readHashes = memoizeLast((_state: string) => {
    try {
      return readViewerTokens(path).map(({ sha256 }) => Buffer.from(sha256, 'hex'));
    } catch (error) {
      onFailure(error);
      return [];
    }
  });
  return (token: string): string | null => {
    const requestHash = tokenHash(token);
    // Compares every hash, so that timing reveals nothing.
    const matches = readHashes(fileState(path)).filter((hash) => timingSafeEqual(hash, requestHash));
    return matches[0]?.toString('hex') ?? null;
  };
}
