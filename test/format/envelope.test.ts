import { expect } from 'chai';
import { NotFoundError } from '../../src/errors.ts';
import { errorJson, jsonRecord, type ListMeta, writeJsonList } from '../../src/format/json.ts';
import type { Document } from '../../src/model/document.ts';
import { verbatim } from '../../src/words/speech.ts';
import { attribution, memorySink } from '../helpers/memory-sink.ts';

const origin = { from: 'mirror', as_of: '2031-05-06T07:08:09Z' } as const;
const meta: ListMeta = { total: 7, nextCursor: 'abc', origin, attribution };
const items: Document[] = [{ slug: 'ada-brume', votes: null, tags: [{ a: 1 }] }, { slug: 'zoe\nvatel' }];

async function written(some: Iterable<Document> | AsyncIterable<Document>, change: Partial<ListMeta> = {}) {
  const sink = memorySink();
  await writeJsonList(some, { ...meta, ...change }, sink);
  return sink.text;
}

describe('a JSON list', () => {
  const whole = { items, shown: 2, total: 7, next_cursor: 'abc', origin, attribution };

  it('in a pipe has one item a line', async () => {
    const text = await written(items);
    expect(text).to.equal(
      '{"items":[\n{"slug":"ada-brume","votes":null,"tags":[{"a":1}]},\n{"slug":"zoe\\nvatel"}\n],' +
        '"shown":2,"total":7,"next_cursor":"abc","origin":{"from":"mirror","as_of":"2031-05-06T07:08:09Z"},' +
        `"attribution":${JSON.stringify(attribution)}}\n`,
    );
    expect(JSON.parse(text)).to.deep.equal(whole);
  });

  it('at a terminal is indented as JSON.stringify would', async () => {
    expect(await written(items, { pretty: true })).to.equal(`${JSON.stringify(whole, null, 2)}\n`);
    const none = { ...whole, items: [], shown: 0 };
    expect(await written([], { pretty: true })).to.equal(`${JSON.stringify(none, null, 2)}\n`);
  });

  it('is JSON when empty, too', async () => {
    expect(JSON.parse(await written([], { total: null, nextCursor: null }))).to.deep.include({
      items: [],
      shown: 0,
      total: null,
      next_cursor: null,
    });
  });

  it('asks for the cursor only when the items are written, and puts what a search adds after it', async () => {
    let cursor = 'first';
    const pages = async function* () {
      yield* items;
      cursor = 'last';
    };
    const text = await written(pages(), {
      nextCursor: () => cursor,
      extra: { mode: 'fulltext', fallback: false },
    });
    expect(text).to.contain('"next_cursor":"last","mode":"fulltext","fallback":false,"origin"');
  });

  it('escapes at a terminal what a pipe gets unaltered', async () => {
    const some = [{ text: '\u202eabc\u009b' }];
    expect(await written(some)).to.contain('\u202eabc\u009b');
    const text = await written(some, { pretty: true });
    expect(text).to.contain('"\\u202eabc\\u009b"');
    expect(JSON.parse(text).items).to.deep.equal(some);
  });

  it('ends the reading when the sink closes', async () => {
    let closed = false;
    const endless = function* () {
      try {
        for (;;) yield items[0]!;
      } finally {
        closed = true;
      }
    };
    await writeJsonList(endless(), meta, memorySink(10));
    expect(closed).to.equal(true);
  });
});

describe('a JSON record', () => {
  it('stands between its origin and its attribution', () => {
    const envelope = { item: items[0], origin, attribution };
    expect(jsonRecord(items[0]!, { origin, attribution })).to.equal(`${JSON.stringify(envelope)}\n`);
    expect(jsonRecord(items[0]!, { origin, attribution, pretty: true })).to.equal(
      `${JSON.stringify(envelope, null, 2)}\n`,
    );
  });
});

describe('an error as JSON', () => {
  it('says code, message, hint and exit', () => {
    expect(errorJson(new NotFoundError(verbatim('no politician "ada\u202e"')))).to.equal(
      '{"error":{"code":"NOT_FOUND","message":"no politician \\"ada\\u202e\\"","hint":null,"exit":3}}',
    );
  });
});
