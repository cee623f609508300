/** Keys by which a ballot identifies its legislative text: legislative file, bill number, name; null if not stated. */
export type TextReference = { file: string | null; bill: string | null; name: string | null };

/** Key of each ballot's text: a file (own, of its bill or name), else its bill's only name, the bill, or the name. */
export function ballotTextKeys(references: readonly TextReference[]): (string | null)[] {
  // Only unambiguous bills and names map to a file. A name that equals a file key maps to that file.
  const fileOfBill = mapUnique(references.map(({ bill, file }) => [bill, file]));
  const fileOfName = mapUnique(references.flatMap(({ name, file }) => [[name, file] as const, [file, file] as const]));
  const billOfName = mapUnique(references.map(({ name, bill }) => [name, bill]));
  const nameOfBill = mapUnique(references.map(({ bill, name }) => [bill, name]));
  const keyOfBill = (bill: string): string => {
    const name = nameOfBill.get(bill) ?? null;
    return fileOfBill.get(bill) ?? (name && fileOfName.get(name)) ?? name ?? bill;
  };
  const keyOfName = (name: string): string => {
    const bill = billOfName.get(name) ?? null;
    return fileOfName.get(name) ?? (bill && keyOfBill(bill)) ?? name;
  };
  return references.map(({ file, bill, name }) => file ?? (bill && keyOfBill(bill)) ?? (name && keyOfName(name)));
}

/** Maps each key to its only value; null if its pairs have different values. Pairs with a null are skipped. */
function mapUnique(pairs: Iterable<readonly [string | null, string | null]>): Map<string, string | null> {
  const values = new Map<string, string | null>();
  for (const [key, value] of pairs)
    if (key !== null && value !== null) values.set(key, values.has(key) && values.get(key) !== value ? null : value);
  return values;
}
