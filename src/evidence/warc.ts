import { permanentId } from '../format/web-feed.ts';
import type { Capture } from '../service/capture.ts';
import { say } from '../words/speech.ts';
import { type Fault, sha256 } from './bag.ts';

/** Path of the captured responses in a bag, in the format of web archives (WARC 1.1, ISO 28500). */
export const warcName = 'data/captures.warc';

/** The facts of a capture in `evidence.json`; unknown values are null. */
export type CaptureFacts = ReturnType<typeof captureFacts>;

const recordEnd = '\r\n\r\n';

/** Bytes of captures as WARC, and the facts of each; equal arguments give equal bytes. */
export function createWarc(captures: readonly Capture[], { software, madeAt }: { software: string; madeAt: string }) {
  const records: Buffer[] = [];
  let offset = 0;
  /** Appends a WARC record; returns its id and position in the file. */
  function addRecord(type: string, fields: Record<string, string>, block: Buffer) {
    const headerFields = { 'WARC-Type': type, ...fields, 'WARC-Block-Digest': `sha256:${sha256(block)}` };
    const id = `<${permanentId(JSON.stringify(headerFields))}>`;
    const headerLines = Object.entries({ ...headerFields, 'WARC-Record-ID': id, 'Content-Length': block.length });
    const header = `WARC/1.1\r\n${headerLines.map((pair) => `${pair.join(': ')}\r\n`).join('')}\r\n`;
    const record = Buffer.concat([Buffer.from(header), block, Buffer.from(recordEnd)]);
    records.push(record);
    offset += record.length;
    return { id, offset: offset - record.length, length: record.length };
  }
  const info = `software: ${software}\r\nformat: WARC File Format 1.1\r\nrobots: ignore\r\n`;
  const infoFields = { 'WARC-Date': madeAt, 'Content-Type': 'application/warc-fields' };
  const warcInfo = addRecord('warcinfo', infoFields, Buffer.from(info));
  const facts = captures.map((capture) => {
    const { address, at, request, response } = capture;
    if (response === null) return captureFacts(capture, null);
    const fields = (type: string) => ({
      'WARC-Target-URI': address,
      'WARC-Date': at!,
      'WARC-Warcinfo-ID': warcInfo.id,
      'Content-Type': `application/http; msgtype=${type}`,
    });
    const { id } = addRecord('request', fields('request'), Buffer.from(request));
    const payloadHash = sha256(response.body);
    const responseFields = {
      ...fields('response'),
      'WARC-Concurrent-To': id,
      'WARC-Payload-Digest': `sha256:${payloadHash}`,
      ...(response.cut && { 'WARC-Truncated': response.cut }),
    };
    const block = Buffer.concat([Buffer.from(response.head, 'latin1'), response.body]);
    return captureFacts(capture, { ...addRecord('response', responseFields, block), sha256: payloadHash });
  });
  return { bytes: Buffer.concat(records), facts };
}

function captureFacts(capture: Capture, warcRecord: { sha256: string; offset: number; length: number } | null) {
  const { address, at, response, redirectsTo, reason } = capture;
  return {
    address,
    asked_at: at,
    status: response?.status ?? null,
    type: response?.type ?? null,
    bytes: response?.body.length ?? null,
    sha256: warcRecord?.sha256 ?? null,
    offset: warcRecord?.offset ?? null,
    length: warcRecord?.length ?? null,
    redirects_to: redirectsTo,
    reason: reason && `${reason}`,
  };
}

/** The first difference between the declared captures and the WARC file, both untrusted; empty if none. */
export function captureFaults(declaredCaptures: unknown, file: Uint8Array | undefined): Fault[] {
  if (declaredCaptures === undefined && file === undefined) return [];
  const fault = (reason: Fault['reason']) => [{ part: warcName, reason }];
  if (!Array.isArray(declaredCaptures) || file === undefined)
    return fault(say`it is missing, or evidence.json does not mention it`);
  let previousEnd = 0;
  for (const { address, bytes, sha256: sum, offset, length } of declaredCaptures) {
    if (offset === null && sum === null) continue; // a URL without a response
    const record = Buffer.from(file.subarray(offset, offset + length));
    const head = record.toString('latin1', 0, Math.max(0, record.length - bytes));
    const hasMatchingHead = head.startsWith('WARC/1.1\r\n') && head.includes(`\r\nWARC-Target-URI: ${address}\r\n`);
    const body = record.subarray(-recordEnd.length - bytes, -recordEnd.length);
    // Records must not overlap: many large ones could make verification read without end.
    if (!(offset >= previousEnd && length > 0) || !hasMatchingHead || sha256(body) !== sum)
      return fault(say`it does not contain what evidence.json states about ${String(address).slice(0, 200)}`);
    previousEnd = offset + length;
  }
  return [];
}
