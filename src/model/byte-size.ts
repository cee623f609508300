const units: Record<string, number> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/** A size such as `500`, `64MB` or `2 GiB` in bytes (units of 1024), or null if it is none. */
export function byteSize(text: string): number | null {
  const found = /^(\d{1,12})\s*(?:([kmg]?)i?b?)$/i.exec(text.trim());
  if (!found) return null;
  const bytes = Number(found[1]) * units[(found[2] ?? '').toLowerCase()]!;
  return bytes > 0 ? bytes : null;
}
