/** Returns a function that builds a value on its first call and returns the same value afterwards. */
export function once<Value>(build: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= build();
    return value;
  };
}
