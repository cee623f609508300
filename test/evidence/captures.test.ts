import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { unzipSync } from 'fflate';
import { verifyEvidence } from '../../src/evidence/verify.ts';
import type { Capture } from '../../src/service/capture.ts';
import { loadLanguage, say } from '../../src/words/speech.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';
import { day, evidenceOf, fillWithPast, forgedEvidence } from './evidence-samples.ts';

const at = '2026-11-22T10:00:00.000Z';
const body = Buffer.from('<p>Mille arbres\r\n\r\nplantés</p>\0');
const captures: Capture[] = [
  {
    ...{
      address: 'https://gazette.example/old',
      at,
      request: 'GET /old HTTP/1.1\r\nhost: gazette.example\r\n\r\n',
    },
    response: { status: 301, type: null, head: 'HTTP/1.1 301 \r\n\r\n', body: Buffer.alloc(0), cut: null },
    ...{ redirectsTo: 'https://gazette.example/arbres', reason: null },
  },
  {
    ...{
      address: 'https://gazette.example/arbres',
      at,
      request: 'GET /arbres HTTP/1.1\r\nhost: gazette.example\r\n\r\n',
    },
    response: {
      status: 200,
      type: 'text/html',
      head: 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n',
      body,
      cut: 'time',
    },
    ...{ redirectsTo: null, reason: say`the answer stopped coming` },
  },
  {
    ...{
      address: 'https://gone.example/',
      at,
      request: 'GET / HTTP/1.1\r\n\r\n',
      response: null,
      redirectsTo: null,
    },
    reason: say`there is no such host`,
  },
];

const sum = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** The records of a WARC file, read by the letter of ISO 28500. */
function recordsOf(warc: Buffer) {
  const records: { offset: number; length: number; fields: Record<string, string>; block: Buffer }[] = [];
  for (let offset = 0; offset < warc.length; ) {
    const end = warc.indexOf('\r\n\r\n', offset);
    const [first, ...lines] = warc.toString('latin1', offset, end).split('\r\n');
    expect(first).to.equal('WARC/1.1');
    const fields = Object.fromEntries(lines.map((line) => /^([^: ]+): (.*)$/.exec(line)!.slice(1)));
    const begin = end + 4;
    const block = warc.subarray(begin, begin + Number(fields['Content-Length']));
    expect(warc.toString('latin1', begin + block.length, begin + block.length + 4)).to.equal('\r\n\r\n');
    records.push({ offset, length: begin + block.length + 4 - offset, fields, block });
    offset = begin + block.length + 4;
  }
  return records;
}

describe('evidence with captures', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  beforeEach(() => {
    own = createTemporaryMirror();
    fillWithPast(own.mirror);
  });
  afterEach(() => own.remove());
  const evidence = (language: 'en' | 'fr' = 'en', asOf: string | null = null) =>
    evidenceOf(own.mirror, { asOf }, language, captures);
  const warcOf = ({ bytes }: { bytes: Buffer }) => Buffer.from(unzipSync(bytes)['evidence/data/captures.warc']!);
  const faultsOf = (bytes: Uint8Array) => verifyEvidence(bytes).faults.map(({ part, reason }) => `${part}: ${reason}`);

  it('holds them as WARC: each request and answer with its sums, and ids that name one record each', () => {
    const records = recordsOf(warcOf(evidence()));
    expect(records.map(({ fields }) => [fields['WARC-Type'], fields['WARC-Target-URI']])).to.deep.equal([
      ['warcinfo', undefined],
      ['request', 'https://gazette.example/old'],
      ['response', 'https://gazette.example/old'],
      ['request', 'https://gazette.example/arbres'],
      ['response', 'https://gazette.example/arbres'],
    ]);
    const ids = records.map(({ fields }) => fields['WARC-Record-ID']!);
    expect(new Set(ids).size).to.equal(5);
    for (const { fields, block } of records) {
      expect(fields['WARC-Record-ID']).to.match(
        /^<urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}>$/,
      );
      expect(fields['WARC-Block-Digest']).to.equal(`sha256:${sum(block)}`);
      expect(fields['WARC-Date']).to.equal(at);
    }
    const [, , , request, response] = records;
    expect(response!.fields).to.include({
      'Content-Type': 'application/http; msgtype=response',
      'WARC-Concurrent-To': request!.fields['WARC-Record-ID'],
      'WARC-Warcinfo-ID': ids[0],
      'WARC-Payload-Digest': `sha256:${sum(body)}`,
      'WARC-Truncated': 'time',
    });
    expect(`${response!.block}`).to.equal(`HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n${body}`);
  });

  it('states each, where its record stands, or why there is none', () => {
    const { facts, bytes } = evidenceOf(own.mirror, {}, 'en', captures);
    const responses = recordsOf(warcOf({ bytes })).filter(({ fields }) => fields['WARC-Type'] === 'response');
    const none = { status: null, type: null, bytes: null, sha256: null, offset: null, length: null };
    expect(facts.captures!.slice(1)).to.deep.equal([
      {
        ...{ address: 'https://gazette.example/arbres', asked_at: at, status: 200, type: 'text/html' },
        ...{
          bytes: body.length,
          sha256: sum(body),
          offset: responses[1]!.offset,
          length: responses[1]!.length,
        },
        ...{ redirects_to: null, reason: 'the answer stopped coming' },
      },
      {
        address: 'https://gone.example/',
        asked_at: at,
        ...none,
        redirects_to: null,
        reason: 'there is no such host',
      },
    ]);
    expect(facts.captures![0]).to.include({ status: 301, redirects_to: 'https://gazette.example/arbres' });
    expect('captures' in evidenceOf(own.mirror).facts).to.equal(false);
  });

  it('is the same bytes for the same answers, and shows one that was changed', () => {
    const { bytes } = evidence();
    expect(bytes.equals(evidence().bytes)).to.equal(true);
    expect(verifyEvidence(bytes)).to.deep.include({ faults: [] });
    const changed = Buffer.from(bytes);
    changed[changed.indexOf('plant')] = 0x50;
    expect(faultsOf(changed)).to.deep.equal(['data/captures.warc: its SHA-256 is not the one in manifest-sha256.txt']);
  });

  it('is refused where every sum of the bag is right, and its statement is not what the answers are', () => {
    const { facts } = evidence();
    const [first, second, third] = facts.captures!;
    const states = (declaredCaptures: unknown) =>
      faultsOf(forgedEvidence(own.mirror, { captures: declaredCaptures }, captures));
    expect(states(facts.captures)).to.deep.equal([]);
    const other = (address: string) => [
      `data/captures.warc: it does not contain what evidence.json states about ${address}`,
    ];
    for (const wrong of [
      { sha256: first!.sha256 },
      { address: 'https://gazette.example/' },
      { bytes: 1 },
      { offset: 0 },
      { length: 9 },
      { offset: 1e9 },
      { offset: null },
    ])
      expect(states([first, { ...second, ...wrong }, third]), JSON.stringify(wrong)).to.deep.equal(
        other(wrong.address ?? second!.address),
      );
    expect(states([second, first])).to.deep.equal(other(first!.address));
    expect(states([first, second, second])).to.deep.equal(other(second!.address));
    expect(states(undefined)).to.have.length(1);
    expect(states([null])).to.deep.equal(['data/evidence.json: this program cannot read it']);
  });

  it('lists them on its page in both languages, with what they do not show', async () => {
    await loadLanguage('fr');
    const pageOf = (language: 'en' | 'fr', asOf: string | null = null) => {
      const { entries } = evidence(language, asOf);
      return `${entries.find(({ path }) => path.endsWith('index.html'))!.bytes}`;
    };
    const page = pageOf('en');
    for (const text of [
      'https://gazette.example/old',
      'redirects to https://gazette.example/arbres',
      '200 text/html',
      'there is no such host',
      'href="captures.warc"',
      'without cookies',
      'may have changed since the record was made',
      sum(body),
    ])
      expect(page).to.include(text);
    expect(page).to.not.include('not from the date of the records');
    expect(pageOf('en', day(3))).to.include('not from the date of the records');
    expect(pageOf('fr')).to.include('hôte').and.to.include('sans cookies');
  });
});
