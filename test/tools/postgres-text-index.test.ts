import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type pg from 'pg';
import { parseTableName } from '../../src/export/tables.ts';
import { kindOf } from '../../src/model/kinds.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { transaction } from '../../src/store/transaction.ts';
import { demoMirrorForEach } from '../helpers/demo-mirror.ts';
import { nightAt } from '../helpers/moving-mirror.ts';
import { copyToPostgres } from '../helpers/postgres-copy.ts';
import { hasPostgres, type RunningPostgres, startPostgres } from '../helpers/postgres-server.ts';
import { runProgram } from '../helpers/program.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';

/** The query that a page of the guide shows. */
function guideQuery(language: 'en' | 'fr'): string {
  const page = readFileSync(new URL(`../../docs/${language}/databases.md`, import.meta.url), 'utf8');
  return /```sql\n([\s\S]*?)```/.exec(page)![1]!;
}

(hasPostgres() ? describe : describe.skip)('French full-text indexes in PostgreSQL', () => {
  const demo = demoMirrorForEach();
  let server: RunningPostgres;
  let client: pg.Client;
  before(async () => {
    server = await startPostgres();
    client = await server.connect();
    // Small tables are read whole otherwise.
    await client.query('SET enable_seqscan = off');
  });
  after(async () => {
    await client.end();
    await server.stop();
  });

  /** The full-text indexes of a schema: names and object identifiers. */
  async function indexesIn(schema: string): Promise<Record<string, string>> {
    const { rows } = await client.query<{ name: string; oid: string }>(
      `SELECT relname AS name, c.oid FROM pg_class c JOIN pg_am m ON m.oid = relam
       WHERE relnamespace = to_regnamespace($1) AND amname = 'gin' ORDER BY 1`,
      [schema],
    );
    return Object.fromEntries(rows.map(({ name, oid }) => [name, oid]));
  }

  const planOf = async (sql: string) => JSON.stringify((await client.query(`EXPLAIN ${sql}`)).rows);

  it('are created by the flag alone, serve the query of the guide, and stay without the flag', async () => {
    const run = async (...flags: string[]) => {
      const argv = ['export', '--all', '--postgres', server.url, ...flags];
      const { exit, stderr } = await runProgram(argv, { env: { ...demo.env, PGPASSWORD: server.password } });
      expect([exit, stderr]).to.satisfy(([code]: [number]) => code === 0);
    };
    await run();
    expect(await indexesIn('hemicycle')).to.deep.equal({});
    await run('--text-index');
    const indexes = await indexesIn('hemicycle');
    expect(Object.keys(indexes)).to.deep.equal([
      ...['ballots_dossier_french_idx', 'ballots_title_french_idx'],
      ...['content_dossier_french_idx', 'content_text_french_idx', 'content_title_french_idx'],
      'parties_description_french_idx',
      ...['politicians_bio_french_idx', 'politicians_current_role_french_idx'],
      ...['positions_text_french_idx', 'positions_title_french_idx'],
      ...['promises_text_french_idx', 'promises_title_french_idx'],
      ...['quotes_context_french_idx', 'quotes_text_french_idx'],
      ...['speeches_text_french_idx', 'speeches_title_french_idx'],
    ]);
    for (const language of ['en', 'fr'] as const)
      expect(await planOf(guideQuery(language)), language).to.include('Bitmap Index Scan on content_text_french_idx');
    await run();
    await run('--text-index');
    expect(await indexesIn('hemicycle')).to.deep.equal(indexes);
    const withoutTarget = await runProgram(['export', 'quotes', '--text-index'], { env: demo.env });
    expect([withoutTarget.exit, withoutTarget.stderr.includes('--postgres')]).to.deep.equal([2, true]);
  });

  describe('over the texts of a mirror', () => {
    let own: ReturnType<typeof createTemporaryMirror>;
    beforeEach(() => {
      own = createTemporaryMirror();
    });
    afterEach(() => own.remove());

    const save = (mirror: Mirror, texts: Record<string, string>, night: number) =>
      transaction(mirror, () => {
        const saver = createSaver(mirror, kindOf('quote'), { at: nightAt(night) });
        for (const [id, text] of Object.entries(texts)) saver.save({ id, text });
        saver.finish();
      });
    const copy = (schema: string, hasTextIndexes: boolean) =>
      copyToPostgres(own.mirror, server.url.replace('@', `:${server.password}@`), {
        ...{ schema, hasTextIndexes, named: [parseTableName('quotes')] },
      });
    async function idsOf(schema: string, words: string): Promise<string[]> {
      const sql = `SELECT id FROM ${schema}.quotes
        WHERE to_tsvector('french', left(text, 100000)) @@ websearch_to_tsquery('french', '${words}')`;
      expect(await planOf(sql)).to.include('Bitmap Index Scan on quotes_text_french_idx');
      return (await client.query<{ id: string }>(sql)).rows.map(({ id }) => id).sort();
    }

    it('find the words of the latest run, also of one without the flag', async () => {
      save(own.mirror, { lamp: 'La retraite des gardiens', sea: 'Les marées' }, 0);
      await copy('followed', true);
      expect(await idsOf('followed', 'retraites')).to.deep.equal(['lamp']);
      save(own.mirror, { lamp: 'Le salaire des gardiens', sea: 'Les retraites des marins', wind: 'La côte' }, 1);
      await copy('followed', false);
      expect(await idsOf('followed', 'retraites')).to.deep.equal(['sea']);
      expect(await idsOf('followed', 'salaires -marin')).to.deep.equal(['lamp']);
      expect([await idsOf('followed', 'côtes'), await idsOf('followed', 'cote')]).to.deep.equal([['wind'], []]);
    });

    it('hold the first words of a text that has more than PostgreSQL can index', async () => {
      const letters = Array.from({ length: 400 }, (_, n) => String.fromCodePoint(0x20000 + n));
      const words = letters.flatMap((one) => letters.map((other) => `${one}-${other}`));
      save(own.mirror, { long: `phare ${words.join(' ')} fin`, short: 'phare' }, 0);
      const whole = await client.query("SELECT to_tsvector('french', $1)", [words.join(' ')]).catch(String);
      expect(whole).to.match(/too long for tsvector/);
      await copy('long', true);
      expect(await idsOf('long', 'phares')).to.deep.equal(['long', 'short']);
      expect(await idsOf('long', 'fin')).to.deep.equal([]);
    });
  });
});
