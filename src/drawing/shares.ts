/** Splits `total` into integers in proportion to `values`, by largest remainders; all are 0 if all values are. */
export function shares(values: readonly number[], total: number): number[] {
  const sum = values.reduce((all, value) => all + value, 0);
  if (sum === 0 || total <= 0) return values.map(() => 0);
  const exactParts = values.map((value) => (value / sum) * total);
  const parts = exactParts.map(Math.floor);
  const indexesByFraction = exactParts
    .map((value, at) => ({ at, fraction: value - Math.floor(value) }))
    .sort((a, b) => b.fraction - a.fraction);
  const unassignedCount = total - parts.reduce((all, part) => all + part, 0);
  for (const { at } of indexesByFraction.slice(0, unassignedCount)) parts[at]! += 1;
  // A value above 0 gets at least one while there is room.
  for (const [at, value] of values.entries()) {
    const largest = parts.indexOf(Math.max(...parts));
    if (value === 0 || parts[at]! > 0 || parts[largest]! < 2) continue;
    parts[at]! += 1;
    parts[largest]! -= 1;
  }
  return parts;
}
