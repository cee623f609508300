import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { ConfigurationError } from '../errors.ts';

/** A viewer token as it is kept: its name, its SHA-256 in hexadecimal, and when it was made, ISO 8601. */
export type ViewerToken = { name: string; sha256: string; created_at: string | null };

/** Tells which of a file's tokens was given. */
export type ViewerTokens = {
  /** The hash of the token if it is one of the file's, else null. */
  hashOf(token: string): string | null;
};

/** The SHA-256 under which a token is kept. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The tokens of a file in the order of their names; none where there is no file. Throws ConfigurationError. */
export function readViewerTokens(path: string): ViewerToken[] {
  const text = textOf(path);
  if (text === null) return [];
  let kept: unknown;
  try {
    kept = JSON.parse(text);
  } catch {
    throw unreadable(path, 'is not JSON');
  }
  if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) {
    throw unreadable(path, 'is not a JSON object');
  }
  const tokens = Object.entries(kept).map(([name, entry]) => tokenOf(path, name, entry));
  return tokens.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/**
 * The tokens of a file as it is at each moment: what is added counts at once, what is revoked no more. A file that
 * became unreadable admits nobody, and `onFailure` is told once.
 */
export function openViewerTokens(path: string, onFailure: (error: unknown) => void): ViewerTokens {
  let seen = stateOf(path);
  let hashes = readViewerTokens(path).map(hashBytes);
  const current = () => {
    const state = stateOf(path);
    if (state === seen) return hashes;
    seen = state;
    hashes = [];
    try {
      hashes = readViewerTokens(path).map(hashBytes);
    } catch (error) {
      onFailure(error);
    }
    return hashes;
  };
  return {
    hashOf(token) {
      const given = tokenHash(token);
      // Every hash is compared, so that the time tells nothing.
      const found = current().filter((hash) => timingSafeEqual(hash, given));
      return found[0]?.toString('hex') ?? null;
    },
  };
}

function hashBytes({ sha256 }: ViewerToken): Buffer {
  return Buffer.from(sha256, 'hex');
}

function tokenOf(path: string, name: string, entry: unknown): ViewerToken {
  const { sha256, created_at } = (entry ?? {}) as Record<string, unknown>;
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/i.test(sha256)) {
    throw unreadable(path, `holds a token without a SHA-256 of 64 hexadecimal digits ("${name}")`);
  }
  return { name, sha256, created_at: typeof created_at === 'string' ? created_at : null };
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ENOENT') return null;
    throw unreadable(path, `cannot be read (${code})`);
  }
}

/** Differs whenever the file was replaced or written. */
function stateOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.ino} ${stat.mtimeNs} ${stat.size}` : '';
}

function unreadable(path: string, reason: string): ConfigurationError {
  return new ConfigurationError(
    `the viewer tokens' file ${path} ${reason}`,
    'mend it, or delete it and use `hemicycle token create NAME`',
  );
}
