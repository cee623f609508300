/** One line of the printed table: a measurement beside a limit, or beside a peer measured in the same run. */
export type Row = {
  /** What is measured, with which input. */
  name: string;
  /** Dataset of the mirror. Rows that have one are printed in a second table, one column per dataset. */
  dataset?: string;
  /** What Hemicycle took, with its unit. */
  result: string;
  /** The limit, or what the peer took; empty where there is neither. */
  reference: string;
  /** Result ÷ reference. Lower is better for times, higher is better for rates. */
  ratio: number | null;
  /** Bounds of the ratio; null where nothing is required. */
  requiredRatio: { atMost?: number; atLeast?: number } | null;
  /** Peak resident memory of the measured process; null where it is not measured. */
  rssMb: number | null;
  /** The most that `rssMb` may be. */
  maxRssMb?: number;
};

/** A measurement that can be selected by name on the command line. */
export type Trial = {
  name: string;
  /** True if the bounds were set for the real records. On other records the rows are printed without bounds. */
  needsRealRecords?: boolean;
  /** True if `npm run bench -- quick` runs it. */
  isQuick?: boolean;
  run: (workspace: Workspace) => Promise<Row[]>;
};

/** What all trials of one run share. */
export type Workspace = {
  /** Temporary folder for files of the trials. */
  folder: string;
  /** The repository. */
  root: string;
  /** The real records, or the fictional ones of the demo where the real ones are missing. */
  records: { folder: string; name: string; areReal: boolean };
  /** A million generated records and a mirror of them, created by the first call. */
  millionRecords: () => Promise<{ folder: string; mirror: string }>;
};

/** The median; the upper one of an even number of values. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

/** The row that is closest to its bound, or furthest beyond it. Keeps the table short where many rows share a bound. */
export function worstRow(rows: Row[]): Row {
  const shareOfBound = ({ ratio, requiredRatio }: Row) =>
    requiredRatio?.atMost === undefined ? (requiredRatio?.atLeast ?? 0) / ratio! : ratio! / requiredRatio.atMost;
  const [worst] = [...rows].sort((a, b) => shareOfBound(b) - shareOfBound(a));
  return { ...worst!, name: `${worst!.name} (worst of ${rows.length} rows)` };
}

/** Whether ratio and memory are within their bounds; null for a row without bounds. */
export function isWithinBounds({ ratio, requiredRatio, rssMb, maxRssMb }: Row): boolean | null {
  const checks: boolean[] = [];
  if (requiredRatio !== null && ratio !== null) {
    const { atMost = Number.POSITIVE_INFINITY, atLeast = 0 } = requiredRatio;
    checks.push(ratio <= atMost && ratio >= atLeast);
  }
  if (maxRssMb !== undefined && rssMb !== null) checks.push(rssMb <= maxRssMb);
  return checks.length === 0 ? null : checks.every(Boolean);
}
