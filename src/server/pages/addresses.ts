/** The parameters that every page takes beside its own, and that its links keep. */
export const keptParameters = ['lang', 'as_of'] as const;

/** What was stated in the address of a page, by parameter, as it was written. */
export type Given = Readonly<Record<string, readonly string[]>>;

/** The same page in another form, in its language and of its moment. */
export function otherForm(
  { path, hrefWith }: { path: string; hrefWith(query: Record<string, never>): string },
  ending: string,
): string {
  return hrefWith({}).replace(path, `${path}.${ending}`);
}
