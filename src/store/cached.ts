/** Returns the cached value of a key, else computes and caches it; empties the cache before it exceeds `maxEntries`. */
export function readCached<Key, Value>(
  cache: Map<Key, Value>,
  key: Key,
  { compute, maxEntries = Number.POSITIVE_INFINITY }: { compute: () => Value; maxEntries?: number },
): Value {
  const cachedValue = cache.get(key);
  if (cachedValue !== undefined) return cachedValue;
  const value = compute();
  if (cache.size >= maxEntries) cache.clear();
  cache.set(key, value);
  return value;
}
