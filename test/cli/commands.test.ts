import { expect } from 'chai';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { askProgram } from '../helpers/program.ts';

describe('commands', () => {
  it('have help, whatever flags stand beside it', async () => {
    const { db, folder, remove } = await createDemoMirror();
    try {
      const env = { HEMICYCLE_DB: db, HOME: folder };
      const [help, quoted, unknown] = await Promise.all(
        [['sync', '--help'], ['status', '--', '--help'], ['vot']].map((argv) => askProgram(argv, { env })),
      );
      expect(help!.stdout).to.match(/\$ hemicycle sync --from/);
      expect(quoted!.exit, quoted!.stderr).to.equal(2);
      expect(unknown!.stderr).to.include('vote');
    } finally {
      remove();
    }
  });

  it('list the records of one name by slug, each of which answers', async () => {
    const { db, folder, remove } = await createDemoMirror();
    try {
      const env = { HEMICYCLE_DB: db, HOME: folder };
      const { stderr, exit } = await askProgram(['politicians', 'Rouvre'], { env });
      const slugs = [...stderr.matchAll(/^ {2}([a-z0-9-]+) {2}/gm)].map(([, slug]) => slug!);
      expect([exit, slugs.length > 1], stderr).to.deep.equal([11, true]);
      for (const slug of slugs) expect((await askProgram(['politicians', slug], { env })).exit, slug).to.equal(0);
      expect((await askProgram(['feed', '--politician', 'Rouvre'], { env })).stderr).to.include(slugs[0]!);
    } finally {
      remove();
    }
  });

  it('note how words of the latest ballot were read, and nothing about words that are read as they stand', async () => {
    const { db, folder, remove } = await createDemoMirror();
    try {
      const env = { HEMICYCLE_DB: db, HOME: folder };
      const latest = (...words: string[]) => askProgram(['vote', ...words, '--latest'], { env });
      const [dated, plain, quiet] = await Promise.all([
        latest('vergers', 'février', '2026'),
        latest('vergers'),
        latest('vergers', 'février', '2026', '--quiet'),
      ]);
      expect(dated.stderr).to.include('"février 2026" is read as the days 2026-02-01 – 2026-02-28');
      expect([dated.exit, plain.exit, quiet.exit]).to.deep.equal([0, 0, 0]);
      expect(plain.stderr + quiet.stderr).not.to.include('is read as');
    } finally {
      remove();
    }
  });

  it('search for a filter of several words whose quotes the shell took off', async () => {
    const { db, folder, remove } = await createDemoMirror();
    try {
      const env = { HEMICYCLE_DB: db, HOME: folder };
      const search = (...words: string[]) => askProgram(['search', ...words, '--json'], { env });
      const [bare, quoted] = await Promise.all([
        search('phare', 'politician:Océane Bruyèvre', '--type', 'promise'),
        search('phare politician:"Océane Bruyèvre"', '--type', 'promise'),
      ]);
      expect(JSON.parse(quoted!.stdout).items).to.not.deep.equal([]);
      expect(JSON.parse(bare!.stdout).items).to.deep.equal(JSON.parse(quoted!.stdout).items);
    } finally {
      remove();
    }
  });

  it('take a name without quotes, and say what kinds there are to who names none', async () => {
    const { db, folder, remove } = await createDemoMirror();
    try {
      const env = { HEMICYCLE_DB: db, HOME: folder };
      const run = (...argv: string[]) => askProgram([...argv, '--quiet'], { env });
      const [profile, shown, vague, numbered, past, huge] = await Promise.all([
        run('politicians', 'océane', 'bruyevre', '--format', 'csv', '--columns', 'slug'),
        run('show', 'Océane', 'Bruyèvre', '--format', 'csv', '--columns', 'slug'),
        run('show', 'lettre', 'x'),
        run('vote', 'Sénat', '2026-1', '--format', 'ndjson'),
        run('history', 'ballot', 'AN:7', '--json'),
        run('politicians', 'x'.repeat(100_000)),
      ]);
      expect(profile!.stdout).to.equal('slug\noceane-bruyevre\n');
      expect(shown!.stdout).to.equal(profile!.stdout);
      expect([vague!.exit, vague!.stderr]).to.deep.equal([2, vague!.stderr]);
      expect(vague!.stderr).to.include('kind must be one of politician,');
      expect(numbered!.stdout).to.include('"scrutin_id":"2026-1"');
      expect(JSON.parse(past!.stdout)).to.include({ kind: 'ballot', key: 'AN:VAL1V7' });
      expect([huge!.exit, huge!.stderr.length < 1000]).to.deep.equal([3, true]);
    } finally {
      remove();
    }
  });
});
