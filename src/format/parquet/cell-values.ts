import type { ParquetParsers, SchemaElement } from 'hyparquet';
import { maxRecordChars } from '../../model/bounds.ts';
import type { Json } from '../../model/document.ts';
import { say } from '../../words/speech.ts';
import { shortMoment } from '../fit.ts';
import { ParquetFault } from './pages.ts';

/** True for bytes beyond the longest record: a UTF-16 unit takes at most three bytes of UTF-8. */
export const isTooLong = (value: unknown) => value instanceof Uint8Array && value.length > 3 * maxRecordChars;

/** Keeps a leading U+FEFF: it belongs to the value. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

const notText = say`it holds bytes that are not UTF-8 text`;

function textIn(bytes: Uint8Array, reason = notText): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new ParquetFault(reason, { isDamage: false });
  }
}

const notBlob = say`its type is BLOB, and it holds bytes that are not UTF-8 text`;

function jsonIn(bytes: Uint8Array): Json {
  const text = textIn(bytes);
  try {
    return JSON.parse(text);
  } catch {
    throw new ParquetFault(say`it holds a text that is not JSON`, { isDamage: false });
  }
}

function isoTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime()))
    throw new ParquetFault(say`it holds a date that lies too far from 1970`, { isDamage: false });
  return date.toISOString();
}

const day = (days: number) => isoTime(days * 86_400_000).replace(/T.*/, '');

/** Dates as text, as the service writes them in JSON. */
const textParsers = {
  dateFromDays: (days: number | null | undefined) => (typeof days === 'number' ? day(days) : undefined),
  timestampFromMilliseconds: (value: bigint) => isoTime(Number(value)),
  timestampFromMicroseconds: (value: bigint) => isoTime(Number(value / 1000n)),
  timestampFromNanoseconds: (value: bigint) => isoTime(Number(value / 1_000_000n)),
  stringFromBytes: (bytes: Uint8Array) => (!bytes || isTooLong(bytes) ? bytes : textIn(bytes)),
  jsonFromBytes: (bytes: Uint8Array) => (!bytes || isTooLong(bytes) ? (bytes ?? null) : jsonIn(bytes)),
};

/** The parsers of a file; hyparquet types dates as `Date`, but passes on any value that a parser returns. */
export const parsersOf = (isOurs: boolean) =>
  ({
    ...textParsers,
    ...(isOurs ? { timestampFromMilliseconds: (value: bigint) => shortMoment(Number(value)) } : {}),
  }) as unknown as ParquetParsers;

type StoredValue = number | bigint | Uint8Array;

/** Makes hyparquet return stored values; returns their converter or null. Throws a ParquetFault if unsupported. */
export function storedValueDecoder(element: SchemaElement): ((value: StoredValue) => unknown) | null {
  const { type, converted_type: converted, logical_type: logical, scale = 0 } = element;
  if (converted === 'INTERVAL' || converted === 'BSON')
    throw new ParquetFault(say`its type is ${converted}, which is not read`, { isDamage: false });
  // hyparquet recognises these two only by their older annotation.
  if (logical?.type === 'DATE' || logical?.type === 'JSON') element.converted_type = logical.type;
  if (converted === 'DECIMAL' || logical?.type === 'DECIMAL') {
    const digits = logical?.type === 'DECIMAL' ? logical.scale : scale;
    unannotate(element);
    return (value) => decimal(typeof value === 'object' ? signedInteger(value) : BigInt(value), digits);
  }
  if (logical?.type === 'TIME' || converted?.startsWith('TIME_')) {
    const unit = logical?.type === 'TIME' ? logical.unit : converted!.slice('TIME_'.length);
    const decimals = unit === 'MILLIS' ? 3 : unit === 'MICROS' ? 6 : 9;
    unannotate(element);
    const zone = logical?.type === 'TIME' && !logical.isAdjustedToUTC ? '' : 'Z';
    return (value) => `${timeOfDay(BigInt(value as number | bigint), decimals)}${zone}`;
  }
  const isAnnotated = converted !== undefined || logical !== undefined;
  if (isAnnotated || (type !== 'BYTE_ARRAY' && type !== 'FIXED_LEN_BYTE_ARRAY')) return null;
  return (value) => (isTooLong(value) ? value : textIn(value as Uint8Array, notBlob));
}

function unannotate(element: SchemaElement): void {
  delete element.converted_type;
  delete element.logical_type;
}

/** The number in big-endian bytes of two's complement. */
function signedInteger(bytes: Uint8Array): bigint {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${hex || '0'}`));
}

/** A decimal as a number, or as text where a number has too few digits. */
function decimal(unscaled: bigint, scale: number): number | string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  const text = `${unscaled < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
  // A double keeps 15 digits.
  return digits.replace(/^0+/, '').length <= 15 ? Number(text) : text;
}

/** A time of day, such as `09:30:00` or `09:30:00.25`. */
function timeOfDay(value: bigint, decimals: number): string {
  const perSecond = 10n ** BigInt(decimals);
  const seconds = value / perSecond;
  const parts = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n];
  const fraction = String(value % perSecond)
    .padStart(decimals, '0')
    .replace(/0+$/, '');
  return `${parts.map((part) => String(part).padStart(2, '0')).join(':')}${fraction === '' ? '' : `.${fraction}`}`;
}
