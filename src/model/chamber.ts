/** The two chambers, as the service's interface spells them. */
export type Chamber = 'AN' | 'Senat';

export const chambers: readonly Chamber[] = ['AN', 'Senat'];

/** The chamber that a foreign spelling means (`Sénat`, `senate`, `assemblee`, `an`), or null. */
export function chamberOf(spelling: unknown): Chamber | null {
  if (typeof spelling !== 'string') return null;
  const word = spelling
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase();
  if (/^(an|assemblee(nationale)?|lower(house)?|nationalassembly)$/.test(word)) return 'AN';
  return /^(senat|senate|upper(house)?)$/.test(word) ? 'Senat' : null;
}
