import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Document } from '../../../src/model/document.ts';
import {
  type Column,
  historyPath,
  type Kind,
  type KindName,
  kindOf,
  kinds,
  recordPath,
} from '../../../src/model/kinds.ts';
import { writeSite } from '../../../src/server/site/site.ts';
import { saveDetail } from '../../../src/store/saving/detail.ts';
import { transaction } from '../../../src/store/transaction.ts';
import { type DemoServer, demoRecords, filledAt, saveAll, startDemoServer } from '../../server/demo-server.ts';

const citation = { name: 'Transparence Valombre', siteUrl: 'https://transparence.example/' };
const assetsFolder = fileURLToPath(new URL('../../../dist/assets', import.meta.url));

/** A record of a kind whose every reference leads to a record that does not exist. */
function dangling({ name, keyField, columns }: Kind): Document {
  const nowhere = ({ name: column, isReference, inside }: Column): [string, Document[string]][] =>
    isReference ? [[column, `no-${column}`]] : inside && 'list' in inside ? [[column, listed(inside.list)]] : [];
  const listed = (items: 'ids' | Column[]) =>
    items === 'ids' ? ['no-id'] : [Object.fromEntries(items.flatMap(nowhere))];
  return {
    ...Object.fromEntries(columns.flatMap(nowhere)),
    ...{ [keyField]: `dangling-${name}`, title: 'Un titre', text: 'Un texte', date: '2026-02-01' },
    ...{ full_name: 'Une Personne', name: 'Un Parti', entity_type: 'promise', role: 'editor', chamber: 'AN' },
    ...{ votes_by_party: [{ party: 'no-party', for: 9, against: 0, abstention: 0, position: 'for' }] },
  };
}

/** Records nested in a profile that exist nowhere else. */
const nested = {
  topic: 'no-nested-topic',
  party: 'no-party',
  politician: 'no-politician',
  source_ids: ['no-source'],
};
const profile: Document = {
  slug: 'dangling-politician',
  full_name: 'Une Personne',
  ...{ party: 'no-party', group: 'no-group', topic: 'no-nested-topic', department: 'Nulle-Part' },
  affiliations: [{ party: 'no-party', start_date: '2020-01-01' }, { party: 'no-group' }],
  sources: [{ id: 'no-source', title: 'Une source' }, 'no-id'],
  ...Object.fromEntries(
    ['positions', 'promises', 'quotes'].map((name) => [
      name,
      [
        { topic: 'no-nested-topic' },
        { ...nested, title: 'Un titre', text: `Un texte de ${name}` },
        { ...nested, id: `no-${name}` },
      ],
    ]),
  ),
};

describe('references to records that do not exist', () => {
  let server: DemoServer;
  before(async () => {
    server = await startDemoServer();
    for (const kind of kinds) saveAll(server.writer, kind.name, [...demoRecords(kind), dangling(kind)]);
    const party = {
      slug: 'dangling-party',
      name: 'Un Parti',
      members: [{ slug: 'no-politician' }, 'no-slug'],
    };
    transaction(server.writer, () => {
      saveDetail(server.writer, kindOf('politician'), profile, { at: filledAt });
      saveDetail(server.writer, kindOf('party'), party, { at: filledAt });
    });
  });
  after(() => server.close());

  it('are no links on served pages', async () => {
    const stored = server.mirror
      .sql<{ kind: KindName; key: string }>("SELECT kind, key FROM record WHERE key LIKE '%dangling%'")
      .all();
    const pages = [
      ...['/', '/feed', '/votes', '/topics', '/changes', '/cohesion', '/departments', '/affiliations'],
      ...['/search?q=titre', '/politicians', '/parties', '/contradictions'],
      ...stored.flatMap(({ kind, key }) => [recordPath(kind, key), historyPath(kind, key)]),
    ];
    const answers = new Map<string, number>();
    const dead: string[] = [];
    for (const url of pages) {
      const { body, statusCode } = await server.app.inject({ url, headers: { accept: 'text/html' } });
      if (statusCode !== 200) dead.push(`${url}: ${statusCode}`);
      for (const [, written] of body.matchAll(/<a\b[^>]*? href="(\/[^"]*)"/g)) {
        const link = written!.replaceAll('&amp;', '&').replaceAll('&#39;', "'");
        if (!answers.has(link)) {
          const answer = await server.app.inject({ url: link, headers: { accept: 'text/html' } });
          answers.set(link, answer.statusCode);
        }
        if (answers.get(link)! >= 400) dead.push(`${url} → ${link}: ${answers.get(link)}`);
      }
    }
    expect(dead).to.deep.equal([]);
  });

  it('end no site, and are no links there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hemicycle-site-'));
    try {
      const outcome = await writeSite(server.mirror, {
        folder,
        assetsFolder,
        citation,
        language: 'en',
        site: null,
      });
      expect(outcome.failures).to.deep.equal([]);
      const dead: string[] = [];
      for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!file.endsWith('.html')) continue;
        for (const [, written] of readFileSync(join(folder, file), 'utf8').matchAll(/ (?:href|src)="([^"]*)"/g)) {
          if (/^https?:|^#/.test(written!)) continue;
          const target = join(dirname(file), decodeURIComponent(written!.split('#')[0]!));
          if (!existsSync(join(folder, normalize(target)))) dead.push(`${written} of ${file}`);
        }
      }
      expect(dead).to.deep.equal([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
