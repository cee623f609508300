import { AmbiguousNameError, NotFoundError } from '../errors.ts';
import type { Mirror } from '../store/mirror.ts';
import { findSlug, type Named } from '../store/name-lookup.ts';

/** Up to five records whose names a slug that does not exist may have meant. */
export function nearSlugs(mirror: Mirror, kind: 'politician' | 'party', slug: string): Named[] {
  const words = slug.slice(0, 100).replaceAll('-', ' ');
  try {
    return [{ key: findSlug(mirror, kind, words), name: words }];
  } catch (error) {
    if (error instanceof NotFoundError) return error.suggestions.slice(0, 5);
    if (error instanceof AmbiguousNameError) return error.candidates.slice(0, 5);
    throw error;
  }
}
