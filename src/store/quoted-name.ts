/** A name as SQL writes it; SQL cannot hold U+0000. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""').replaceAll('\0', '\ufffd')}"`;
}
