/** Keys of the file, the bill and the name that a ballot gives its text; null for what it does not state. */
export type TextReference = { file: string | null; bill: string | null; name: string | null };

/** Key of the text of each ballot: its file, else that of its bill, else that of its name; null without any. */
export function textKeys(references: readonly TextReference[]): (string | null)[] {
  // A bill or name is an alias of a file only if no ballot states another file for it.
  const fileOfBill = onlyValues(references.map(({ bill, file }) => [bill, file]));
  const fileOfName = onlyValues(references.flatMap(({ name, file }) => [[name, file] as const, [file, file] as const]));
  const billOfName = onlyValues(references.map(({ name, bill }) => [name, bill]));
  const nameOfBill = onlyValues(references.map(({ bill, name }) => [bill, name]));
  const ofBill = (bill: string): string => {
    const name = nameOfBill.get(bill) ?? null;
    return fileOfBill.get(bill) ?? (name && fileOfName.get(name)) ?? name ?? bill;
  };
  const ofName = (name: string): string => {
    const bill = billOfName.get(name) ?? null;
    return fileOfName.get(name) ?? (bill && ofBill(bill)) ?? name;
  };
  return references.map(({ file, bill, name }) => file ?? (bill && ofBill(bill)) ?? (name && ofName(name)));
}

/** The only value of each key; null if a key has several. */
function onlyValues(pairs: Iterable<readonly [string | null, string | null]>): Map<string, string | null> {
  const values = new Map<string, string | null>();
  for (const [key, value] of pairs)
    if (key !== null && value !== null) values.set(key, values.has(key) && values.get(key) !== value ? null : value);
  return values;
}
