const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** A duration such as `90s`, `30m`, `12h`, `7d` or `2w` in milliseconds, or null if it is none. */
export function durationMs(text: string): number | null {
  const found = /^(\d{1,6})\s*([smhdw])$/.exec(text.trim());
  return found ? Number(found[1]) * units[found[2]!]! : null;
}

/** How long ago a moment was, in words: `3 minutes ago`. */
export function agoText(moment: string, nowMs: number): string {
  const ms = Math.max(0, nowMs - Date.parse(moment));
  const [size, name] = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
    [1000, 'second'],
  ].find(([each]) => ms >= (each as number)) ?? [1000, 'second'];
  const count = Math.floor(ms / (size as number));
  return `${count} ${name}${count === 1 ? '' : 's'} ago`;
}
