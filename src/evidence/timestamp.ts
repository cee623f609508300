import { randomBytes } from 'node:crypto';
import { say, type UserText } from '../words/speech.ts';

/** A time stamp: time, hash, and the request's nonce if any. */
export type Timestamp = { at: string; imprint: string; nonce: string | null };

/** A response that is no time stamp, and why. */
export class NoTimestampError extends Error {
  readonly reason: UserText;

  constructor(reason: UserText) {
    super(`${reason}`);
    this.reason = reason;
  }
}

/** The object identifiers of SHA-256, of CMS signed data, and of what a time stamp states, in DER. */
const names = {
  sha256: Buffer.from('608648016503040201', 'hex'),
  signedData: Buffer.from('2a864886f70d010702', 'hex'),
  statement: Buffer.from('2a864886f70d0109100104', 'hex'),
};

/** Encodes a time-stamp request for a SHA-256 in hex (RFC 3161, section 2.4.1), asking for the certificate. */
export function timestampRequest(
  sum: string,
  random: (size: number) => Uint8Array = randomBytes,
): { bytes: Uint8Array; nonce: string } {
  // A positive DER integer without padding.
  const nonce = Buffer.from(random(8));
  nonce[0] = (nonce[0]! & 0x3f) | 0x40;
  const algorithm = derOf(tags.sequence, derOf(tags.name, names.sha256), derOf(tags.nothing));
  const imprint = derOf(tags.sequence, algorithm, derOf(tags.bytes, Buffer.from(sum, 'hex')));
  const bytes = derOf(
    tags.sequence,
    derOf(tags.integer, Uint8Array.of(1)),
    imprint,
    derOf(tags.integer, nonce),
    derOf(tags.boolean, Uint8Array.of(0xff)),
  );
  return { bytes, nonce: nonce.toString('hex') };
}

/** Parses a time-stamp response (RFC 3161, 2.4.2) without checking signatures; throws a NoTimestampError for any other. */
export function readTimestamp(answer: Uint8Array): Timestamp {
  const parts = partsOf(answer);
  if (parts === null)
    throw new NoTimestampError(say`it is no answer of a time-stamping authority (RFC 3161)`);
  const [status, token] = parts;
  if (status !== 0 && status !== 1)
    throw new NoTimestampError(
      say`the authority refused the request (status ${status}${refusalText(answer)})`,
    );
  try {
    return statementOf(token!);
  } catch (error) {
    if (error instanceof NoTimestampError) throw error;
    throw new NoTimestampError(say`its time stamp cannot be read`);
  }
}

function partsOf(answer: Uint8Array): [status: number, token: Uint8Array | undefined] | null {
  try {
    const [info, token, ...others] = readDer(onlyDer(answer, tags.sequence).contents);
    if (info?.tag !== tags.sequence || others.length > 0) return null;
    const [status] = readDer(info.contents);
    if (status?.tag !== tags.integer || status.contents.length !== 1) return null;
    return [status.contents[0]!, token?.whole];
  } catch {
    return null;
  }
}

function refusalText(answer: Uint8Array): string {
  try {
    const [info] = readDer(onlyDer(answer, tags.sequence).contents);
    const said = readDer(info!.contents).find(({ tag }) => tag === tags.sequence);
    const texts = said ? readDer(said.contents).filter(({ tag }) => tag === tags.text) : [];
    const text = texts.map(({ contents }) => Buffer.from(contents).toString('utf8')).join(' ');
    return text === '' ? '' : `: ${text.slice(0, 200)}`;
  } catch {
    return '';
  }
}

/** ContentInfo, SignedData, EncapsulatedContentInfo (RFC 5652) down to TSTInfo. */
function statementOf(token: Uint8Array): Timestamp {
  const [type, content] = readDer(onlyDer(token, tags.sequence).contents);
  if (!isName(type, names.signedData)) throw new RangeError('no signed data');
  const signed = onlyDer(content?.contents, tags.sequence);
  const encapsulated = readDer(signed.contents).find(({ tag }) => tag === tags.sequence);
  const [what, inner] = readDer(encapsulated?.contents ?? new Uint8Array());
  if (!isName(what, names.statement)) throw new RangeError('no time stamp');
  const stated = readDer(onlyDer(onlyDer(inner?.contents, tags.bytes).contents, tags.sequence).contents);
  const [, , imprint, , time, ...rest] = stated;
  const [algorithm, sum] = readDer(imprint?.contents ?? new Uint8Array());
  if (time?.tag !== tags.time || sum?.tag !== tags.bytes) throw new RangeError('no time stamp');
  if (!isName(readDer(algorithm!.contents)[0], names.sha256))
    throw new NoTimestampError(say`it stamps another hash than SHA-256`);
  const nonce = rest.find(({ tag }) => tag === tags.integer);
  return {
    at: momentOf(Buffer.from(time.contents).toString('latin1')),
    imprint: Buffer.from(sum.contents).toString('hex'),
    nonce: nonce ? Buffer.from(nonce.contents).toString('hex') : null,
  };
}

const isName = (value: { tag: number; contents: Uint8Array } | undefined, name: Uint8Array) =>
  value?.tag === tags.name && Buffer.compare(value.contents, name) === 0;

/** Converts GeneralizedTime (`YYYYMMDDhhmmss[.s…]Z`) to ISO 8601. */
function momentOf(text: string): string {
  const [, year, month, day, hour, minute, second, fraction = ''] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z$/.exec(text) ?? [];
  const moment = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}Z`);
  if (Number.isNaN(moment.getTime())) throw new RangeError('no moment');
  return moment.toISOString();
}

type Der = { tag: number; contents: Uint8Array; whole: Uint8Array };

const tags = {
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

function derOf(tag: number, ...parts: Uint8Array[]): Uint8Array {
  const contents = Buffer.concat(parts);
  const { length } = contents;
  const sizes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) sizes.unshift(rest % 256);
  const head = length < 0x80 ? [tag, length] : [tag, 0x80 | sizes.length, ...sizes];
  return Buffer.concat([Uint8Array.from(head), contents]);
}

/** Parses consecutive values; throws a RangeError if the bytes are no DER. */
function readDer(bytes: Uint8Array): Der[] {
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

function onlyDer(bytes: Uint8Array | undefined, tag: number): Der {
  const values = bytes === undefined ? [] : readDer(bytes);
  if (values.length !== 1 || values[0]!.tag !== tag) throw new RangeError('no DER of that kind');
  return values[0]!;
}
