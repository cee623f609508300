import type { ParquetParsers, SchemaElement } from 'hyparquet';
import { maxRecordChars } from '../../model/bounds.ts';
import type { Json } from '../../model/document.ts';
import { dayMs } from '../../model/moment.ts';
import { say } from '../../words/speech.ts';
import { shortMoment } from '../fit.ts';
import { unsupportedFault } from './pages.ts';

/** True for bytes longer than the longest record: a UTF-16 unit takes at most three bytes of UTF-8. */
export const isTooLong = (value: unknown) => value instanceof Uint8Array && value.length > 3 * maxRecordChars;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }); // A leading U+FEFF is part of the value.

const notTextReason = say`it holds bytes that are not UTF-8 text`;

function decodeText(bytes: Uint8Array, reason = notTextReason): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw unsupportedFault(reason);
  }
}

const binaryBlobReason = say`its type is BLOB, and it holds bytes that are not UTF-8 text`;

function decodeJson(bytes: Uint8Array): Json {
  const text = decodeText(bytes);
  try {
    return JSON.parse(text);
  } catch {
    throw unsupportedFault(say`it holds a text that is not JSON`);
  }
}

function isoTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) throw unsupportedFault(say`it holds a date that lies too far from 1970`);
  return date.toISOString();
}

/**
 * Returns parsers for hyparquet: dates and times become ISO 8601 text, texts longer than the longest record stay bytes.
 * In files that Hemicycle wrote (`isOwnFile`), times lose `.000`, as when exported.
 */
export const createParsers = (isOwnFile: boolean) =>
  ({
    dateFromDays: (days: number | null | undefined) =>
      typeof days === 'number' ? isoTime(days * dayMs).replace(/T.*/, '') : undefined,
    timestampFromMilliseconds: (value: bigint) => (isOwnFile ? shortMoment : isoTime)(Number(value)),
    timestampFromMicroseconds: (value: bigint) => isoTime(Number(value / 1000n)),
    timestampFromNanoseconds: (value: bigint) => isoTime(Number(value / 1_000_000n)),
    stringFromBytes: (bytes: Uint8Array) => (!bytes || isTooLong(bytes) ? bytes : decodeText(bytes)),
    jsonFromBytes: (bytes: Uint8Array) => (!bytes || isTooLong(bytes) ? (bytes ?? null) : decodeJson(bytes)),
  }) as unknown as ParquetParsers; // hyparquet declares dates as `Date`, but passes on any value.

/** Edits a schema element so that hyparquet returns raw values; returns their converter, null if none is needed. */
export function prepareDecoder(element: SchemaElement): ((value: number | bigint | Uint8Array) => unknown) | null {
  const { type, converted_type: convertedType, logical_type: logicalType, scale = 0 } = element;
  if (convertedType === 'INTERVAL' || convertedType === 'BSON')
    throw unsupportedFault(say`its type is ${convertedType}, which is not read`);
  // hyparquet recognises these two only by `converted_type`.
  if (logicalType?.type === 'DATE' || logicalType?.type === 'JSON') element.converted_type = logicalType.type;
  if (convertedType === 'DECIMAL' || logicalType?.type === 'DECIMAL') {
    const fractionDigits = logicalType?.type === 'DECIMAL' ? logicalType.scale : scale;
    removeAnnotations(element);
    return (value) => decodeDecimal(typeof value === 'object' ? signedInteger(value) : BigInt(value), fractionDigits);
  }
  if (logicalType?.type === 'TIME' || convertedType?.startsWith('TIME_')) {
    const unit = logicalType?.type === 'TIME' ? logicalType.unit : convertedType!.slice('TIME_'.length);
    const fractionDigits = unit === 'MILLIS' ? 3 : unit === 'MICROS' ? 6 : 9;
    removeAnnotations(element);
    const zone = logicalType?.type === 'TIME' && !logicalType.isAdjustedToUTC ? '' : 'Z';
    return (value) => `${timeOfDay(BigInt(value as number | bigint), fractionDigits)}${zone}`;
  }
  const isAnnotated = convertedType !== undefined || logicalType !== undefined;
  if (isAnnotated || (type !== 'BYTE_ARRAY' && type !== 'FIXED_LEN_BYTE_ARRAY')) return null;
  return (value) => (isTooLong(value) ? value : decodeText(value as Uint8Array, binaryBlobReason));
}

function removeAnnotations(element: SchemaElement): void {
  delete element.converted_type;
  delete element.logical_type;
}

/** The number in big-endian bytes of two's complement. */
function signedInteger(bytes: Uint8Array): bigint {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${hex || '0'}`));
}

/** A decimal as a number, or as text if it has more than the 15 digits that a double keeps. */
function decodeDecimal(unscaled: bigint, scale: number): number | string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  const wholeDigits = digits.slice(0, digits.length - scale);
  const fraction = `.${digits.slice(digits.length - scale)}`.replace(/\.?0*$/, '');
  const text = `${unscaled < 0n ? '-' : ''}${wholeDigits}${fraction}`;
  return digits.replace(/^0+/, '').length <= 15 ? Number(text) : text;
}

/** A time of day, such as `09:30:00` or `09:30:00.25`, from units of 10^-`fractionDigits` seconds since midnight. */
function timeOfDay(value: bigint, fractionDigits: number): string {
  const perSecond = 10n ** BigInt(fractionDigits);
  const seconds = value / perSecond;
  const parts = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n];
  const fraction = `.${String(value % perSecond).padStart(fractionDigits, '0')}`.replace(/\.?0*$/, '');
  return `${parts.map((part) => String(part).padStart(2, '0')).join(':')}${fraction}`;
}
