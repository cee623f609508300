import { globSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parseQuery } from '../../src/language/query.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { changesSql } from '../../src/store/history/changes.ts';
import { changedSinceSql, openPast, readHistoryStart } from '../../src/store/history/past.ts';
import { readTimeline } from '../../src/store/history/timeline.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openMirror } from '../../src/store/open.ts';
import { type FeedFilter, feedCountSql, feedScans, feedSql } from '../../src/store/records/feed.ts';
import { membersSql } from '../../src/store/records/members.ts';
import { type PoliticianSort, politiciansPageSql } from '../../src/store/records/politicians.ts';
import { orphanSql } from '../../src/store/records/references.ts';
import { replaceRenames } from '../../src/store/renames.ts';
import { rows } from '../../src/store/rows.ts';
import { matchingSql } from '../../src/store/search/counting.ts';
import { matchExpression } from '../../src/store/search/expression.ts';
import { sameTextSql } from '../../src/store/search/result-page.ts';
import { composedCountSql } from '../../src/store/syncs/composition.ts';
import { newestRecordTimeSql } from '../../src/store/syncs/runs.ts';
import { currentIndex, rowidRangeSql } from '../../src/store/word-index/search-index.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';

describe('the plan of a list', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let mirror: Mirror;
  before(async () => {
    demo = await createDemoMirror();
    mirror = openMirror(demo.db);
  });
  after(() => {
    mirror.close();
    demo.remove();
  });

  const planOf = ({ sql, parameters }: { sql: string; parameters: (string | number | Uint8Array)[] }) => {
    const steps = mirror.database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as {
      detail: string;
    }[];
    return steps.map(({ detail }) => detail).join('\n');
  };

  for (const sort of ['name', 'updated_at'] as PoliticianSort[]) {
    it(`of politicians by ${sort} walks an index and sorts nothing`, () => {
      const plan = planOf(politiciansPageSql({ sort, limit: 100 }));
      expect(plan)
        .to.match(/USING INDEX politician_/)
        .and.not.match(/TEMP B-TREE/);
    });
  }

  it('of the members of a party reads these alone, not all people', () => {
    for (const query of [{ sql: membersSql, parameters: ['x', 'x'] }, politiciansPageSql({ party: 'x', limit: 100 })]) {
      const searches = planOf(query).match(/(SEARCH|SCAN) record .*/g);
      expect(searches).to.have.length(2);
      expect(searches![0]).to.match(/USING INDEX record_party \(party=\? AND kind=\?\)/);
      expect(searches![1]).to.match(/USING INDEX record_group /);
    }
  });

  for (const facet of ['politician', 'party', 'group_slug'])
    it(`of whether each ${facet} is held walks the index of what is named, not all records of a kind`, () => {
      const [, orphanPlan] = planOf({ sql: orphanSql(facet), parameters: ['party', 'content'] }).split('\n');
      expect(orphanPlan).to.match(/^(SEARCH|SCAN) record USING COVERING INDEX record_(politician|party|group)/);
    });

  it('of politicians by freshness asks for the last day of each kind of fact, not for all facts', () => {
    const steps = planOf(politiciansPageSql({ sort: 'freshness', limit: 100 })).split('\n');
    const facts = steps.filter((step) => step.startsWith('SEARCH fact '));
    expect(facts.length).to.be.greaterThan(4);
    for (const step of facts) expect(step).to.match(/USING INDEX record_politician \(politician=\? AND kind=\?\)/);
    expect(steps.filter((step) => /TEMP B-TREE/.test(step))).to.have.length(1);
  });

  const pageOf = (filter: FeedFilter) => feedSql(feedScans(mirror, filter), filter);

  it('of the feed of a place or chamber parses the politicians once, not for each type of fact', () => {
    for (const filter of [{ department: 'Haute-Ombre' }, { chamber: 'AN' }] as const) {
      const { sql } = pageOf({ limit: 50, ...filter });
      expect(sql).to.not.match(/SELECT key FROM record WHERE [^)]*'politician'/);
    }
  });

  it('of the feed of a party reads what states its name, and of its members what states no party', () => {
    const steps = planOf(pageOf({ limit: 50, party: 'x' })).split('\n');
    const walks = steps.filter((step) => step.startsWith('SEARCH record '));
    expect(walks.slice(0, -1).join()).to.match(
      /^(SEARCH record USING INDEX record_party \(party=\? AND kind=\?\),?)+$/,
    );
    expect(walks.at(-1)).to.match(/USING INTEGER PRIMARY KEY/);
    for (const step of steps.filter((step) => step.startsWith('SEARCH fact ')))
      expect(step).to.match(/USING INDEX record_partyless \(politician=\?/);
  });

  it('of the feed walks one index a type', () => {
    expect(planOf(pageOf({ limit: 50 }))).to.match(/USING INDEX record_date/);
    expect(planOf(pageOf({ limit: 50, politician: 'x' }))).to.match(/USING INDEX record_politician/);
  });

  for (const [index, filter] of [
    ['record_date', {}],
    ['record_politician', { politician: 'x' }],
    ['record_party', { party: 'x' }],
    ['record_topic', { topic: 'x' }],
  ] as const) {
    it(`of the feed's count reads ${index} and no record that is not withdrawn`, () => {
      const steps = planOf(feedCountSql(feedScans(mirror, { limit: 1, types: ['content'], ...filter }))).split('\n');
      const searches = steps.filter((step) => /SEARCH|SCAN/.test(step) && !/CONSTANT/.test(step));
      expect(searches[0]).to.match(new RegExp(`COVERING INDEX ${index} `));
      expect(searches[1]).to.match(/COVERING INDEX record_gone /);
      // What follows is of records that state no party.
      expect(searches.slice(2, 3).join()).to.match(/^SEARCH record USING INTEGER PRIMARY KEY[^,]*$/);
    });
  }

  it('of changes reads each source along its index of time, and merges them instead of sorting all', () => {
    const since = '2026-01-01T00:00:00.000Z';
    for (const plan of [
      planOf(changesSql({ since })),
      planOf(changesSql({ since, until: since, kinds: [kindOf('content')] }, [since, 1, 1])),
    ]) {
      expect(plan.match(/MERGE \(UNION ALL\)/g)).to.have.length(3);
      for (const index of ['record_added', 'record_gone', 'version_ended'])
        expect(plan).to.match(new RegExp(`USING COVERING INDEX ${index} `));
      // What was seen at one moment, which may be all there is, is not sorted either.
      expect(plan).not.to.match(/LAST [2-9] TERMS/);
      expect(plan).not.to.match(/CO-ROUTINE/);
    }
    expect(planOf(changesSql({ since, kinds: [kindOf('party')] }, null, true))).to.match(/version_record/);
    // Of some additions none else is read.
    expect(planOf(changesSql({ since, added: '[1]' }))).not.to.match(/record_added/);
  });

  it('of where a mirror stands reads the end of three indexes, as each of ten thousand watches asks it', () => {
    const plan = planOf({ sql: newestRecordTimeSql, parameters: [] });
    for (const index of ['record_added', 'record_gone', 'version_ended'])
      expect(plan).to.match(new RegExp(`SEARCH \\w+ USING COVERING INDEX ${index}`));
  });

  it('of what changed since a moment reads four indexes, and no table', () => {
    const steps = planOf({ sql: changedSinceSql, parameters: Array(3).fill('2026-01-01') }).split('\n');
    const reads = steps.filter((step) => /^(SEARCH|SCAN) [^(]/.test(step));
    expect(reads).to.have.length(4);
    for (const read of reads)
      expect(read).to.match(/USING COVERING INDEX (version_ended|version_withdrawn|record_gone|record_detail_since)/);
  });

  it('of the count of composed profiles looks for those few, and reads no other record', () => {
    const steps = planOf({ sql: composedCountSql, parameters: ['politician'] }).split('\n');
    expect(steps[0]).to.match(/^SEARCH composed /);
    expect(steps[1]).to.match(/^SEARCH record .*\(kind=\? AND key=\?\)/);
  });

  it('of words of some kind goes straight to its records: FTS5 takes whole numbers alone for their bounds', () => {
    const bound = /CAST\(\? AS \w+\)/.exec(rowidRangeSql)?.[0] ?? '?';
    const mirror = openMirror(demo.db);
    const type = mirror.column<string>(`SELECT typeof(${bound})`).get(2 ** 43);
    mirror.close();
    expect(type).to.equal('integer');
  });

  it('of what is found on a topic asks the full-text index once, not once a record', () => {
    const mirror = openMirror(demo.db);
    const promise = kindOf('promise');
    const matching = { part: currentIndex, match: '"a" *', ranges: [{ kind: promise, from: 0 }] };
    const from = matchingSql(mirror, { ...matching, scope: { kinds: [promise], topic: 'retraites' } });
    mirror.close();
    expect(from.sql).to.include(rowidRangeSql);
    const plan = planOf({ ...from, sql: `SELECT rowid ${from.sql}` });
    expect(plan).to.match(/search VIRTUAL TABLE INDEX 0:M\d+><$/m);
    expect(plan).to.match(/record USING (?:COVERING )?INDEX/);
  });

  it('of some records by id, now or over time, looks for these, not through all keys of their kind', () => {
    const statements: string[] = [];
    const collect = (text: string) => {
      statements.push(text);
      return text;
    };
    const observedMirror: Mirror = {
      ...mirror,
      sql: <Row>(text: string) => mirror.sql<Row>(collect(text)),
      column: <Value>(text: string) => mirror.column<Value>(collect(text)),
    };
    const kind = kindOf('content');
    for (const read of [rows(observedMirror, kind, { ids: [1] }), readTimeline(observedMirror, kind, [1])])
      expect([...read]).to.eql([]);
    const byId = statements.filter((sql) => /id IN \(SELECT value/.test(sql));
    expect(byId).to.have.length(2);
    for (const sql of byId)
      expect(planOf({ sql, parameters: ['content', '[1]'] })).to.match(/record USING INTEGER PRIMARY KEY \(rowid=\?\)/);
  });

  it('of one record in the past reads that one, not all that changed since', () => {
    const past = openPast(demo.db, new Date().toISOString());
    for (const sql of ['SELECT row FROM record WHERE id = ?', 'UPDATE past SET row = NULL WHERE id = ?']) {
      const steps = past.sql<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(1);
      expect(steps.map(({ detail }) => detail).join('\n')).to.not.match(/SCAN/);
    }
    past.close();
  });

  it('of the copies of a text walks their index, also in the past', () => {
    const past = openPast(demo.db, new Date().toISOString());
    for (const mirror of [openMirror(demo.db), past]) {
      const steps = mirror.sql<{ detail: string }>(`EXPLAIN QUERY PLAN ${sameTextSql}`).all(1, 0, 1);
      expect(steps.map(({ detail }) => detail).join('\n')).to.match(
        /^(MERGE .*\n.*\n)?SEARCH (main\.)?record USING INDEX same_text \(text_hash=\? AND rowid>\? AND rowid<\?\)/,
      );
      mirror.close();
    }
  });

  it('of the first time of a kind seeks the records of each time, of which most are of other kinds', () => {
    const statements: string[] = [];
    const column = (sql: string) => ({
      get() {
        statements.push(sql);
        return '1';
      },
    });
    readHistoryStart({ column } as unknown as Mirror, [kindOf('content')]);
    const named = { since: '', until: '9', from: 1, to: 2 };
    const plan = planOf({ sql: statements.at(-1)!, parameters: [named as never] });
    expect(plan).to.match(/record_added \(first_seen=\? AND rowid>\? AND rowid<\?\)/);
    expect(plan).not.to.match(/SCAN (main\.)?record/);
  });

  it('begins with a list of values that is joined: SQLite would pair all records of a kind before it reads the list', () => {
    const sources = globSync('src/**/*.ts').map((path) => [path, readFileSync(path, 'utf8')] as const);
    const joins = sources.flatMap(([path, text]) =>
      [...text.matchAll(/json_each\(\?[^)]*\)(?: AS \w+)?\s+(\w+ )?JOIN/g)].map(([join]) => `${path}: ${join}`),
    );
    expect(joins).to.have.length.above(3);
    expect(joins.filter((join) => !join.endsWith('CROSS JOIN'))).to.deep.equal([]);
  });

  it('inserts and updates records by two statements: for ON CONFLICT DO UPDATE, SQLite copies each changed page', () => {
    const templates = globSync('src/**/*.ts').flatMap((path) => readFileSync(path, 'utf8').match(/`[^`]*`/g) ?? []);
    const insertions = templates.filter((text) => /INSERT (OR \w+ )?INTO (main\.)?record\b/.test(text));
    expect(insertions).to.have.length.above(1);
    expect(insertions.filter((text) => /DO UPDATE|OR REPLACE/.test(text))).to.deep.equal([]);
  });

  it('of the renames of another mirror looks for their records by key', () => {
    const statements: string[] = [];
    const recorder = { sql: (text: string) => ({ run: () => statements.push(text) }) };
    replaceRenames(recorder as unknown as Mirror, kindOf('content'), []);
    const insertion = statements.find((sql) => sql.includes('json_each'))!;
    const [list, ...lookups] = planOf({ sql: insertion, parameters: ['[]', 'content'] }).split('\n');
    expect(list).to.match(/SCAN json_each/);
    for (const lookup of lookups) expect(lookup).to.match(/\(kind=\? AND key=\?\)/);
  });
});

describe('the expression of a search', () => {
  it('has a word once, however often it is written', () => {
    const expressionOf = (query: string) => matchExpression(parseQuery(query));
    expect(expressionOf('port* port* "port"* mer port*')).to.equal(expressionOf('port* mer'));
  });
});
