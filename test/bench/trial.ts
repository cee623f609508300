/** One measurement beside its limit or peer of the same run. */
export type Row = {
  name: string;
  /** Of how many records; such rows stand side by side in a table of their own. */
  size?: string;
  ours: string;
  peer: string;
  /** Ours ÷ peer; for rates a higher one is better, for times a lower one. */
  ratio: number | null;
  /** What the ratio must be: `≤ 2.5` or `≥ 0.6`; null where nothing is promised. */
  must: { most?: number; least?: number } | null;
  rssMb: number | null;
  /** True where the memory was promised to stay below this. */
  mostRssMb?: number;
};

/** `isOfReal` where what its rows must be was set for the real records: on others they are shown and not judged; `isQuick` for those of `quick`. */
export type Trial = {
  name: string;
  isOfReal?: boolean;
  isQuick?: boolean;
  run: (workspace: Place) => Promise<Row[]>;
};

/** Where trials keep their files, and the million records that several of them share. */
export type Place = {
  folder: string;
  root: string;
  /** The records of trials on real ones; the fictional ones where these are not there. */
  data: { folder: string; name: string; isReal: boolean };
  million: () => Promise<{ folder: string; mirror: string }>;
};

/** The middle of some figures. */
export function median(figures: number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

/** Of rows that promise alike the one that is nearest to breaking it, so that a table fits a screen. */
export function worstOf(rows: Row[]): Row {
  const share = ({ ratio, must }: Row) => (must?.most === undefined ? (must?.least ?? 0) / ratio! : ratio! / must.most);
  const [worst] = [...rows].sort((one, other) => share(other) - share(one));
  return { ...worst!, name: `${worst!.name} (the worst of ${rows.length})` };
}

/** Whether a row keeps its promise; null where it makes none. */
export function isKept({ ratio, must, rssMb, mostRssMb }: Row): boolean | null {
  const checks = [
    must && ratio !== null ? ratio <= (must.most ?? Number.POSITIVE_INFINITY) && ratio >= (must.least ?? 0) : null,
    mostRssMb !== undefined && rssMb !== null ? rssMb <= mostRssMb : null,
  ].filter((check) => check !== null);
  return checks.length === 0 ? null : checks.every(Boolean);
}
