/** The value of a key in a cache, computed if it is missing; the cache is emptied before it exceeds `most` entries. */
export function readCached<Key, Value>(
  cache: Map<Key, Value>,
  key: Key,
  { compute, most = Number.POSITIVE_INFINITY }: { compute: () => Value; most?: number },
): Value {
  const stored = cache.get(key);
  if (stored !== undefined) return stored;
  const value = compute();
  if (cache.size >= most) cache.clear();
  cache.set(key, value);
  return value;
}
