/** Words as one line that a POSIX shell reads as the same words. */
export function shellLine(words: string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');
}
