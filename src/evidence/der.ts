/** An ASN.1 value in DER: tag, contents, and the whole encoding. */
export type Der = { tag: number; contents: Uint8Array; whole: Uint8Array };

/** The tags that time stamps are made of (X.690). */
export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bytes: 0x04,
  nothing: 0x05,
  name: 0x06,
  text: 0x0c,
  time: 0x18,
  sequence: 0x30,
  explicit: 0xa0,
} as const;

/** Encodes a value; several parts are concatenated. */
export function derOf(tag: number, ...parts: Uint8Array[]): Uint8Array {
  const contents = Buffer.concat(parts);
  const { length } = contents;
  const sizes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) sizes.unshift(rest % 256);
  const head = length < 0x80 ? [tag, length] : [tag, 0x80 | sizes.length, ...sizes];
  return Buffer.concat([Uint8Array.from(head), contents]);
}

/** Parses consecutive values; throws a RangeError if the bytes are no DER. */
export function readDer(bytes: Uint8Array): Der[] {
  const values: Der[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at]!;
    const first = bytes[at + 1];
    if (first === undefined || (tag & 0x1f) === 0x1f) throw new RangeError('no DER');
    const more = first < 0x80 ? 0 : first & 0x7f;
    if (first === 0x80 || more > 4 || at + 2 + more > bytes.length) throw new RangeError('no DER');
    let length = more === 0 ? first : 0;
    for (let n = 0; n < more; n += 1) length = length * 256 + bytes[at + 2 + n]!;
    const begin = at + 2 + more;
    const end = begin + length;
    if (end > bytes.length || (more > 0 && length < 0x80)) throw new RangeError('no DER');
    values.push({ tag, contents: bytes.subarray(begin, end), whole: bytes.subarray(at, end) });
    at = end;
  }
  return values;
}

/** Parses exactly one value of that tag; throws a RangeError otherwise. */
export function onlyDer(bytes: Uint8Array | undefined, tag: number): Der {
  const values = bytes === undefined ? [] : readDer(bytes);
  if (values.length !== 1 || values[0]!.tag !== tag) throw new RangeError('no DER of that kind');
  return values[0]!;
}
