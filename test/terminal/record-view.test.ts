import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { type DisplayedRecord, writeRecord } from '../../src/terminal/record-view.ts';
import { attribution, attributionText, memorySinks, pipe, terminalOfWidth } from '../helpers/memory-sink.ts';

const politician: Document = {
  slug: 'ada-brume',
  full_name: 'Ada Brume',
  current_role: 'Députée (Val-d’Ombre)',
  party: { slug: 'aube', name: 'L’Aube' },
  bio: 'Ada Brume, née à Ombreville, est une femme politique fictive.\nElle siège depuis 2031.',
  affiliations: [
    { party: 'aube', role: 'Membre', start: '2031-01-02', end: null },
    { party: 'crue', role: null, start: null, end: null },
  ],
  quotes: Array.from({ length: 22 }, (_, at) => ({ text: `Citation ${at + 1}`, date: '2031-02-03' })),
  source_ids: ['src-1', 'src-2'],
  updated_at: '2031-05-06',
  birth_place: null,
  eye_colour: 'gris\x1b[31m',
  score: 0,
};

const record: DisplayedRecord = {
  item: politician,
  kind: 'politician',
  title: 'Politician',
  origin: { from: 'service', as_of: null },
  attribution,
};

async function shown(options: object, change: Partial<DisplayedRecord> = {}) {
  const sinks = memorySinks();
  await writeRecord({ ...record, ...change }, { format: 'table', header: true, terminal: pipe, ...options }, sinks);
  return { stdout: sinks.stdout.text, stderr: sinks.lines };
}

const lines = (...each: string[]) => each.map((line) => `${line}\n`).join('');

describe('one record', () => {
  it('is a page for people, whole in a pipe', async () => {
    const { stdout, stderr } = await shown({});
    expect(stdout).to.equal(
      lines(
        'Ada Brume',
        'slug          ada-brume',
        'current role  Députée (Val-d’Ombre)',
        'party         L’Aube (aube)',
        'updated at    2031-05-06',
        'eye colour    gris[31m',
        'score         0',
        '',
        'bio',
        '  Ada Brume, née à Ombreville, est une femme politique fictive.',
        '  Elle siège depuis 2031.',
        '',
        'quotes (22)',
        ...Array.from({ length: 22 }, (_, at) => `  Citation ${at + 1} · 2031-02-03`),
        '',
        'affiliations (2)',
        '  Membre · 2031-01-02 – … · aube',
        '  crue',
        '',
        'sources (2)',
        '  src-1',
        '  src-2',
        '',
        attributionText,
      ),
    );
    expect(stderr).to.deep.equal(['from the service']);
  });

  it('says of a ballot without groups that their votes are not published', async () => {
    const item = { scrutin_id: '1', chamber: 'AN', title: 'Loi sur les digues', votes_by_party: [] };
    const { stderr } = await shown({ format: 'csv' }, { kind: 'ballot', ballot: {} as never, item });
    expect(stderr.map(String)).to.include('the votes of groups are not published');
  });

  it('is wrapped and cut for a terminal, and says so', async () => {
    const { stdout } = await shown({ terminal: terminalOfWidth(32) });
    const page = stdout.slice(0, stdout.indexOf('Source: '));
    for (const line of page.split('\n')) expect(line.length).to.be.at.most(38);
    expect(page).to.contain('  Ada Brume, née à Ombreville,\n  est une femme politique\n');
    expect(page).to.contain('  Citation 20 · 3 February\n    2031\n  … and 2 more (--json shows all)\n');
    expect(page).to.not.contain('Citation 21');
  });

  it('is one row in CSV and NDJSON, the attribution beside', async () => {
    const item = { slug: 'aube', name: 'L’Aube' };
    expect(await shown({ format: 'csv' }, { item, kind: 'party' })).to.deep.equal({
      stdout: 'slug,name\naube,L’Aube\n',
      stderr: ['from the service', attributionText],
    });
    expect((await shown({ format: 'ndjson' }, { item, kind: 'party' })).stdout).to.equal(
      '{"slug":"aube","name":"L’Aube"}\n',
    );
  });

  it('is an envelope in JSON', async () => {
    const { stdout, stderr } = await shown({ format: 'json' });
    expect(JSON.parse(stdout)).to.deep.equal({ item: politician, origin: record.origin, attribution });
    expect(stderr).to.deep.equal(['from the service']);
  });

  it('is a table of one row when columns are named', async () => {
    const { stdout } = await shown({ columns: ['full_name', 'birth_place', 'score'] });
    expect(stdout).to.equal(lines('full_name  birth_place  score', 'Ada Brume               0', '', attributionText));
  });

  it('refuses a column that it has not', async () => {
    const failure = await shown({ columns: ['nom'] }).catch((error) => error);
    expect(failure.code).to.equal('USAGE');
  });
});
