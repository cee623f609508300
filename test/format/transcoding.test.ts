import { expect } from 'chai';
import { transcode } from '../../src/format/transcoding.ts';

async function* byteByByte(bytes: Uint8Array) {
  for (const byte of bytes) yield Uint8Array.of(byte);
}

describe('a list in another encoding', () => {
  it('comes back byte for byte, in whatever parts it came', async () => {
    const every = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const little = Buffer.from('\ufeffÉva 🦊 Łuk', 'utf16le');
    for (const [declaredEncoding, bytes] of [
      ['windows-1252', every],
      [null, little],
      [null, Buffer.from(little).swap16()],
      ['utf-16le', little.subarray(2)],
      [null, Buffer.from('\ufeffÉva')],
      [null, Buffer.alloc(0)],
    ] as const) {
      const { source, encode } = await transcode(byteByByte(bytes), { declaredEncoding, name: 'list.csv' });
      const parts: Uint8Array[] = [];
      for await (const part of source) parts.push(part);
      expect(Buffer.from(encode(Buffer.concat(parts).toString()))).to.deep.equal(Buffer.from(bytes));
    }
  });

  it('says which letters it has no place for', async () => {
    const { canEncode } = await transcode(byteByByte(Buffer.from('a')), {
      declaredEncoding: 'windows-1252',
      name: 'list.csv',
    });
    expect(['Œuvre – 5 €', 'Łukasz', '日本'].map(canEncode)).to.deep.equal([true, false, false]);
  });
});
