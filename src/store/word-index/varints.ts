/** Where in some bytes the next number is read. */
export type Reader = { bytes: Buffer; at: number };

/**
 * The next number of SQLite's own blobs, seven bits in a byte, the highest first; the reader stands behind it then. None
 * that this program reads has more than eight bytes. https://www.sqlite.org/fts5.html#the_docsize_table
 */
export function varint(reader: Reader): number {
  const { bytes } = reader;
  let byte = bytes[reader.at]!;
  reader.at += 1;
  let number = byte & 127;
  while (byte >= 128) {
    byte = bytes[reader.at]!;
    reader.at += 1;
    number = number * 128 + (byte & 127);
  }
  return number;
}

/** All numbers of a blob. */
export function varints(bytes: Buffer): number[] {
  const numbers: number[] = [];
  const reader = { bytes, at: 0 };
  while (reader.at < bytes.length) numbers.push(varint(reader));
  return numbers;
}
