import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createApp } from '../../src/server/app.ts';
import { warmUp } from '../../src/server/question-routes.ts';
import type { ServerContext } from '../../src/server/serving.ts';
import { withheldFields } from '../../src/store/anonymous-log.ts';
import { type Mirror, mirrorVersion } from '../../src/store/mirror.ts';
import { openMirror } from '../../src/store/open.ts';
import { citationOf, lastFilledAt, listGaps, readContents } from '../../src/store/records/contents.ts';
import { readContradictionCount } from '../../src/store/records/contradictions.ts';
import { partialKinds } from '../../src/store/syncs/completeness.ts';
import { listFailures, listQuarantines } from '../../src/store/syncs/failures.ts';
import { lastRun } from '../../src/store/syncs/runs.ts';
import { listDrifts } from '../../src/store/syncs/shapes.ts';
import { countTombstones } from '../../src/store/tombstones.ts';
import { compositionsOf } from '../../src/sync/profile-composition.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';

/** A mirror that notes the text of each of its statements. */
function noted(mirror: Mirror, texts: Set<string>): Mirror {
  return {
    ...mirror,
    sql: (text) => mirror.sql(texts.add(text) && text),
    column: (text) => mirror.column(texts.add(text) && text),
  };
}

/** The steps of these statements that read each row of a table that grows with the records. */
function wholeReads({ database }: Mirror, texts: Iterable<string>): string[] {
  return [...texts].flatMap((text) => {
    // The first record by its id is one step of a walk.
    const plain = text
      .replace(/[$@]\w+|\?\d*/g, 'NULL')
      .replace(/FROM main\.record ORDER BY id LIMIT 1/, 'FROM main.record WHERE id = 1');
    if (!/^\s*(SELECT|WITH)/.test(plain)) return [];
    const steps = database.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${plain}`).all();
    return steps.flatMap(({ detail }) =>
      /^SCAN (main\.)?(record|version|journal)\b(?!.*COVERING INDEX (record_gone|version_withdrawn))/.test(detail)
        ? [`${detail}: ${text}`]
        : [],
    );
  });
}

describe('a mirror of many records', () => {
  it('is not read whole for status, nor when serve begins', async () => {
    const demo = await createDemoMirror();
    const mirror = openMirror(demo.db);
    const texts = new Set<string>();
    const notedMirror = noted(mirror, texts);
    const statusReads = [
      readContents,
      listGaps,
      lastFilledAt,
      mirrorVersion,
      lastRun,
      listQuarantines,
      listDrifts,
      listFailures,
    ];
    for (const tell of [
      ...statusReads,
      withheldFields,
      countTombstones,
      readContradictionCount,
      partialKinds,
      compositionsOf,
    ])
      tell(notedMirror);
    citationOf({ citation: { name: null, siteUrl: null }, baseUrl: null }, notedMirror);
    expect(texts.size).to.be.greaterThan(10);
    expect(wholeReads(mirror, texts)).to.deep.equal([]);
    mirror.close();
    demo.remove();
  });

  it('is not read whole for a request', async () => {
    const demo = await createDemoMirror();
    const mirror = openMirror(demo.db);
    const texts = new Set<string>();
    const citation = { name: 'Transparence Valombre', siteUrl: 'https://transparence.example/' };
    const app = await createApp({
      mirror: noted(mirror, texts),
      settings: { citation, rateLimit: false, semantic: false },
      assetsFolder: fileURLToPath(new URL('../../dist/assets', import.meta.url)),
    });
    const addresses = [
      '/',
      '/statusz',
      '/readyz',
      '/api/v1/feed',
      '/api/v1/feed?topic=logement',
      '/api/v1/politicians',
      '/api/v1/politicians/oceane-bruyevre',
      '/api/v1/parties',
      '/api/v1/parties/alliance-des-rivages',
      '/api/v1/ballots',
      '/api/v1/votes/VAL1V4',
      '/api/v1/search?q=logement',
      '/api/v1/changes',
      '/api/v1/audit',
      '/api/v1/records/quote',
      '/politicians/oceane-bruyevre',
      '/votes?margin=3',
      '/changes',
      '/feed',
      '/search?q=logement',
      '/parties/alliance-des-rivages',
      '/votes/AN/VAL1V4',
    ];
    for (const address of addresses) {
      const { statusCode } = await app.inject(address);
      expect(statusCode, address).to.equal(200);
    }
    await app.close();
    expect(texts.size).to.be.greaterThan(40);
    expect(wholeReads(mirror, texts)).to.deep.equal([]);
    mirror.close();
    demo.remove();
  });
});

describe('a server that listens', () => {
  it('asks each of the questions that people ask first once, also where one fails', async () => {
    const askedQuestions: string[] = [];
    const reader = {
      read: ({ question }: { question: string }) => {
        askedQuestions.push(question);
        throw new Error('no mirror');
      },
    };
    await warmUp({ reader, settings: { semantic: true } } as unknown as ServerContext);
    expect(askedQuestions).to.have.members(['search', 'ballots', 'feed', 'changes', 'politicians']);
  });
});
