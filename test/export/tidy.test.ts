import { expect } from 'chai';
import { createPart } from '../../src/export/part.ts';
import { type ExportTable, validReferences, writeTable } from '../../src/export/table.ts';
import { allTables, exportTable, isTidyTable, parseTableName, selectTables } from '../../src/export/tables.ts';
import type { Document } from '../../src/model/document.ts';
import { type KindName, kindOf } from '../../src/model/kinds.ts';
import { withFlatTotals, withoutFlatTotals } from '../../src/parliament/group-rows.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { rows } from '../../src/store/rows.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { migrate } from '../../src/store/schema.ts';
import { runStatement } from '../../src/store/statements/statement.ts';
import { transaction } from '../../src/store/transaction.ts';
import { readDemoMirror } from '../helpers/demo-mirror.ts';
import { memorySink } from '../helpers/memory-sink.ts';
import { phares, pharesPeople } from '../helpers/phares.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';

const citation = { name: 'Vitrine', siteUrl: null };

/** Saves single records of a mirror. */
const saverOf = (mirror: Mirror) => (name: KindName, document: Document) =>
  transaction(mirror, () => {
    const saver = createSaver(mirror, kindOf(name), { at: '2026-11-01T00:00:00.000Z' });
    saver.save(document);
    saver.finish();
  });

describe('a tidy table', () => {
  const demo = readDemoMirror();

  const tableOf = (name: string) => exportTable(demo.mirror, parseTableName(name), { citation, filter: {} });
  const rowsOf = (name: string): Document[] => [...tableOf(name).rows()];
  const keysOf = ({ key, rows: all }: ExportTable) =>
    [...all()].map((row) => JSON.stringify(key.map((column) => row[column])));

  it('names each of its rows by its key, as every table does that has one', () => {
    for (const table of [...allTables.map((each) => exportTable(demo.mirror, each, { citation, filter: {} }))]) {
      const keys = keysOf(table);
      expect(table.key, table.name).to.have.length.greaterThan(0);
      expect(new Set(keys).size, table.name).to.equal(keys.length);
    }
    const wide = keysOf(tableOf('votes-wide'));
    expect(new Set(wide).size).to.equal(wide.length);
  });

  it('has a row for each part of a list, and describes every column that its rows fill', () => {
    const lists = (kind: 'politician' | 'ballot', field: string) =>
      [...rows(demo.mirror, kindOf(kind))].flatMap((document) => (document[field] as Document[] | null) ?? []);
    expect(rowsOf('affiliations')).to.have.length(lists('politician', 'affiliations').length);
    expect(rowsOf('votes')).to.have.length(lists('ballot', 'votes_by_party').length);
    expect(rowsOf('affiliations').length).to.be.greaterThan(0);
    for (const name of [
      'affiliations',
      'party_members',
      'position_ballots',
      'record_sources',
      'other_record_sources',
      'votes-wide',
    ]) {
      const { columns, rows: all } = tableOf(name);
      const columnNames = columns.map((column) => column.name);
      for (const row of all()) expect(columnNames).to.include.members(Object.keys(row));
    }
  });

  it('has in NDJSON the columns that are described, and no others', async () => {
    for (const table of allTables.filter(isTidyTable)) {
      const exported = exportTable(demo.mirror, table, { citation, filter: {} });
      const sink = memorySink();
      await writeTable(exported, { format: 'ndjson', header: true }, sink);
      const names = exported.columns.map(({ name }) => name);
      for (const line of sink.text.split('\n').filter(Boolean))
        expect(Object.keys(JSON.parse(line)), table.name).to.deep.equal(names);
    }
  });

  it('names what each politician of a party is to it, which is not always a member', () => {
    const own = createTemporaryMirror();
    const save = saverOf(own.mirror);
    for (const each of phares) save('party', each);
    for (const each of pharesPeople) save('politician', each);
    const { rows: all } = exportTable(own.mirror, parseTableName('party_members'), { citation, filter: {} });
    const standings = [...all()].filter((row) => row.party === 'parti-des-phares').map((row) => row.standing);
    own.remove();
    const attachments = ['financial attachment (derived)', 'financial attachment'];
    expect(standings).to.have.members(['member', ...attachments, ...Array(3).fill('no lasting affiliation'), 'member']);
  });

  it('names the financial attachments among affiliations and memberships, beside the role as the source states it', () => {
    const own = createTemporaryMirror();
    const save = saverOf(own.mirror);
    for (const each of phares) save('party', each);
    for (const each of pharesPeople) save('politician', each);
    const links = (name: string) =>
      [...exportTable(own.mirror, parseTableName(name), { citation, filter: {} }).rows()]
        .filter(({ party_link: link }) => link !== null)
        .map(({ politician, party, role, party_link: link }) => [politician, party, ...(role ? [role] : []), link]);
    const derived = 'financial attachment (derived)';
    const [affiliations, days] = [links('affiliations'), links('membership_days')];
    own.remove();
    expect(affiliations).to.have.deep.members([
      ['bea-digue', 'parti-des-phares', 'Membre', derived],
      ['cleo-mole', 'parti-des-phares', 'rattachement financier', 'financial attachment'],
      ['dora-quai', 'parti-des-phares', 'rattachement financier', 'financial attachment'],
      ['ella-bac', 'parti-des-phares', 'Membre', derived],
    ]);
    expect(days).to.have.deep.members([
      ['bea-digue', 'parti-des-phares', derived],
      ['ella-bac', 'parti-des-phares', derived],
    ]);
  });

  it('has one row for each unbroken stay in a party or group, in `sql` too', () => {
    const own = createTemporaryMirror();
    const stay = (party: string, start: string | null, end: string | null) => ({
      party,
      role: null,
      start,
      end,
    });
    const affiliations = [
      stay('verger', '2010-01-01', '2012-05-31'),
      stay('verger', '2011-01-01', '2011-06-30'),
      stay('verger', '2012-06-01', '2014-01-01'),
      stay('verger', '2014-01-03', null),
      stay('rivages', null, null),
      { ...stay('rivages', '2010-01-01', '2010-12-31'), party: { slug: 'rivages' } },
    ];
    transaction(own.mirror, () => {
      createSaver(own.mirror, kindOf('politician'), { at: 'now' }).save({ slug: 'ada', affiliations });
      createSaver(own.mirror, kindOf('party'), { at: 'now' }).save({ slug: 'verger', kind: 'parti' });
    });
    const expected = [
      ['ada', 'verger', 'parti', '2010-01-01', '2014-01-01'],
      ['ada', 'rivages', null, '2010-01-01', '2010-12-31'],
      ['ada', 'verger', 'parti', '2014-01-03', null],
    ];
    const table = exportTable(own.mirror, parseTableName('membership_days'), { citation, filter: {} });
    const values = ({ n: _n, party_link: _link, ...row }: Document) => Object.values(row);
    expect([...table.rows()].map(values)).to.deep.equal(expected);
    const view = (mirror: typeof own.mirror) =>
      runStatement(mirror, { sql: 'SELECT * FROM membership_days', values: {} }, 1000).rows.map(values);
    expect(view(own.mirror)).to.have.deep.members(expected);
    own.remove();
    expect(view(demo.mirror)).to.have.deep.members(rowsOf('membership_days').map(values));
  });

  it('keeps the sources of datasets apart from those of other records, for their terms are others', () => {
    const ours = tableOf('record_sources');
    const otherRecordSources = tableOf('other_record_sources');
    expect(ours.attribution.licence?.id).to.equal('ODbL-1.0');
    expect(otherRecordSources.attribution.licence).to.equal(null);
    const kindsIn = ({ rows: all }: ExportTable) => new Set([...all()].map(({ kind }) => kind));
    expect([...kindsIn(ours)]).to.not.include.members(['ballot']);
    expect(
      [...kindsIn(otherRecordSources)].every((kind) => ['ballot', 'speech', 'content'].includes(String(kind))),
    ).to.equal(true);
  });

  it('has a source that a record cites by a number', () => {
    const own = createTemporaryMirror();
    saverOf(own.mirror)('quote', { id: 'q1', text: 'Un', source_ids: [1, 'two'] });
    const cited = exportTable(own.mirror, parseTableName('record_sources'), { citation, filter: {} });
    expect([...cited.rows()].map(({ source_id }) => source_id)).to.deep.equal(['1', 'two']);
    own.remove();
  });

  it('has with --party what the groups of that party voted and said, whatever names it', () => {
    const own = createTemporaryMirror();
    const save = saverOf(own.mirror);
    save('party', { slug: 'verger', name: 'Parti du Verger', short_name: 'PDV' });
    for (const slug of ['pdv-v1', 'ride-v1'])
      save('party', { slug, name: slug, short_name: slug === 'pdv-v1' ? 'PDV' : 'RIDE', chamber: 'AN' });
    const stays = ['verger', 'pdv-v1'].map((party) => ({ party, start: '2025-01-01', end: null }));
    for (const slug of ['ada', 'bo'])
      save('politician', { slug, full_name: slug, party: 'verger', group: 'pdv-v1', affiliations: stays });
    const votes = ['pdv-v1', 'ride-v1'].map((party) => ({ party, party_name: party, for: 3, against: 0 }));
    save('ballot', { scrutin_id: 'V1', chamber: 'AN', date: '2026-01-01', votes_by_party: votes });
    const groupsFor = (party: string, name: string) => {
      const filter = { filter: { party }, isAll: false, citation };
      const [table] = selectTables(own.mirror, [parseTableName(name)], filter);
      return [...table!.rows()].map((row) => row.party ?? Object.keys(row).filter((key) => /-v1$/.test(key)));
    };
    save('content', { id: 'c1', party: 'pdv-v1', title: 'Article 2' });
    for (const typed of ['PDV', 'parti du verger', 'pdv-v1'])
      expect(groupsFor(typed, 'content'), typed).to.deep.equal(['pdv-v1']);
    expect(groupsFor('PDV', 'politicians')).to.deep.equal(['verger', 'verger']);
    for (const typed of ['PDV', 'verger', 'parti du verger', 'pdv-v1']) {
      expect(groupsFor(typed, 'votes'), typed).to.deep.equal(['pdv-v1']);
      expect(groupsFor(typed, 'votes-wide')[0], typed).to.deep.equal(['pdv-v1']);
    }
    own.remove();
  });

  it('spreads the groups of a ballot over columns, and gives one that took no part no number', () => {
    const votes = rowsOf('votes');
    const wide = rowsOf('votes-wide');
    const rowOf = (word: string) => wide.find(({ scrutin_id, choice }) => scrutin_id === 'VAL1V4' && choice === word)!;
    const one = rowOf('for');
    const counted = votes.filter(({ scrutin_id }) => scrutin_id === 'VAL1V4');
    for (const { party, votes_for, no_vote_recorded } of counted) {
      expect(one[String(party)]).to.equal(votes_for);
      expect(rowOf('no_vote_recorded')[String(party)]).to.equal(no_vote_recorded);
    }
    const parties = new Set(counted.map(({ party }) => party));
    const absent = tableOf('votes-wide')
      .columns.map(({ name }) => name)
      .filter((name) => name in one && !parties.has(name));
    expect(absent).to.deep.equal(['ballot', 'chamber', 'scrutin_id', 'date', 'title', 'result', 'choice']);
  });

  it('is found by its name in one or several words, and not part of everything where its columns move', () => {
    expect(parseTableName('votes_wide')).to.equal(parseTableName('votes-wide'));
    expect(parseTableName('affiliation')).to.equal(parseTableName('AFFILIATIONS'));
    expect(allTables).to.include(parseTableName('votes')).and.not.include(parseTableName('votes-wide'));
  });
});

describe('a reference between tables', () => {
  it('is stated where every row names a record that is there', () => {
    const own = createTemporaryMirror();
    const save = saverOf(own.mirror);
    const names = ['parties', 'politicians', 'ballots', 'votes', 'affiliations'];
    const declaredReferences = () =>
      names.flatMap((name) => {
        const { references } = exportTable(own.mirror, parseTableName(name), { citation, filter: {} });
        return validReferences(references, names).map(({ columns, table }) => `${name} ${columns} ${table}`);
      });
    const all = [
      'politicians party parties',
      'politicians group parties',
      'votes ballot ballots',
      'votes party parties',
      'affiliations politician politicians',
      'affiliations party parties',
    ];
    save('party', { slug: 'mer', name: 'Mer' });
    save('politician', { slug: 'aube', party: 'mer', group: 'mer', affiliations: [{ party: 'mer' }] });
    save('ballot', {
      scrutin_id: 'V1',
      chamber: 'AN',
      votes_by_party: [{ party: 'mer', for: 1 }, { for: 2 }],
    });
    expect(declaredReferences()).to.deep.equal(all);
    save('politician', { slug: 'crue', party: null, group: 'rive', affiliations: [{ party: 'rive' }] });
    save('ballot', { scrutin_id: 'V2', chamber: 'AN', votes_by_party: [{ party: 'rive', for: 1 }] });
    expect(declaredReferences()).to.deep.equal(
      all.filter((each) => !/group|votes party|affiliations party/.test(each)),
    );
    own.remove();
  });
});

describe('the totals of a ballot', () => {
  const totals = { for: 3, against: 0, abstention: null, non_voting: 2, voters: 5 };
  const flat = {
    votes_for: 3,
    votes_against: 0,
    votes_abstention: null,
    votes_non_voting: 2,
    voters: 5,
    expressed: null,
  };

  it('are columns of flat files, and the interface has them where it says', () => {
    const ballot = { scrutin_id: 'V1', chamber: 'AN' };
    const derived = { nature: null, text_kind: null, one_sided: false };
    const electorate = { members: null, no_vote_recorded: null, turnout: null };
    expect(withFlatTotals({ ...ballot, totals }, null)).to.deep.equal({
      ballot: 'AN:V1',
      ...ballot,
      totals,
      ...flat,
      ...derived,
      ...electorate,
    });
    expect(withFlatTotals(ballot, null)).to.include({ votes_for: null, expressed: null });
    const { for: _, ...otherTotals } = totals;
    expect(withFlatTotals({ totals: { ...otherTotals, pour: '3' } }, null)).to.include({ votes_for: 3 });
  });

  it('are read from the columns of a flat file, under their old name too', () => {
    const sourceTotals = { for: 3, against: 0, non_voting: 2, voters: 5 };
    expect(withoutFlatTotals({ scrutin_id: 'V1', ...flat })).to.deep.equal({
      scrutin_id: 'V1',
      totals: sourceTotals,
    });
    expect(withoutFlatTotals({ scrutin_id: 'V1', totals, ...flat })).to.deep.equal({
      scrutin_id: 'V1',
      totals,
    });
    expect(withoutFlatTotals({ scrutin_id: 'V1', totals })).to.deep.equal({ scrutin_id: 'V1', totals });
    const nothing = Object.fromEntries(Object.keys(flat).map((name) => [name, null]));
    expect(withoutFlatTotals(nothing)).to.deep.equal({ totals: null });
  });
});

describe('a ballot in tables', () => {
  const demo = readDemoMirror();

  it('has one key, by which votes, positions and sources join in SQL', () => {
    const count = (sql: string) => demo.mirror.column<number>(`SELECT count(*) ${sql}`).get();
    const voted = count('FROM positions WHERE ballot_id IS NOT NULL');
    expect(voted).to.be.above(0);
    expect(count('FROM positions JOIN ballots USING (ballot)')).to.equal(voted);
    expect(count("FROM ballots WHERE ballot <> chamber || ':' || scrutin_id")).to.equal(0);
    expect(count("FROM ballots WHERE typeof(number) <> 'integer'")).to.equal(0);
  });

  it('is named by a table of positions and ballots, as the view of positions does', () => {
    const table = exportTable(demo.mirror, parseTableName('position_ballots'), { citation, filter: {} });
    const viewed = demo.mirror.sql('SELECT id AS position, ballot FROM positions WHERE ballot IS NOT NULL').all();
    const byPosition = (rows: Iterable<unknown>) => [...rows].map((row) => JSON.stringify(row)).sort();
    expect(byPosition(table.rows())).to.deep.equal(byPosition(viewed));
    const own = createTemporaryMirror();
    const save = saverOf(own.mirror);
    for (const [scrutin_id, chamber] of [
      ['V1', 'AN'],
      ['V1', 'Senat'],
      ['V2', 'Senat'],
    ])
      save('ballot', { scrutin_id: scrutin_id!, chamber: chamber! });
    for (const [id, ballot_id] of [
      ['of-both', 'V1'],
      ['of-one', 'V2'],
      ['of-none', 'V3'],
      ['unnamed', null],
    ])
      save('position', { id: id!, ballot_id: ballot_id! });
    const { rows, references } = exportTable(own.mirror, parseTableName('position-ballots'), {
      citation,
      filter: {},
    });
    expect([...rows()]).to.deep.equal([{ position: 'of-one', ballot: 'Senat:V2' }]);
    expect(validReferences(references, ['positions', 'ballots'])).to.have.length(2);
    own.remove();
  });

  it('has last what is derived of it, which an import drops, and a value of the source in place of one derived', () => {
    const ballotRecord = { scrutin_id: 'V1', chamber: 'AN', title: 'Motion de censure', totals: null };
    const flat = withFlatTotals(ballotRecord, 'censure');
    expect(Object.keys(flat).slice(-6)).to.deep.equal([
      ...['nature', 'text_kind', 'one_sided', 'members', 'no_vote_recorded', 'turnout'],
    ]);
    expect(flat).to.include({ nature: 'censure', one_sided: true });
    expect(withoutFlatTotals(flat)).to.deep.equal(ballotRecord);
    expect(withFlatTotals({ ...ballotRecord, nature: 'x' }, 'censure')).to.include({ nature: 'x', one_sided: true });
  });

  it('has a nature that other ballots decide, in files and by SQL alike', () => {
    const own = createTemporaryMirror();
    const save = saverOf(own.mirror);
    const on = (scrutin_id: string, title: string) =>
      save('ballot', { ...{ scrutin_id, chamber: 'AN', title }, votes_by_party: [{ party: 'rive', for: 1 }] });
    const links = () =>
      [...exportTable(own.mirror, parseTableName('ballots'), { citation, filter: {} }).rows()].map(
        ({ nature }) => nature,
      );
    on('V1', "l'article unique de la proposition de loi verger (première lecture).");
    expect(links()).to.deep.equal(['whole']);
    on('V2', "l'ensemble de la proposition de loi verger (première lecture).");
    expect(links()).to.have.members(['article', 'whole']);
    const { rows } = runStatement(own.mirror, { sql: 'SELECT nature FROM ballots', values: {} }, 9);
    expect(rows.map(({ nature }) => nature)).to.have.members(['article', 'whole']);
    own.remove();
  });

  it('has in the views of SQL what the export has, also where words, members and counts are odd', () => {
    const own = createTemporaryMirror();
    const save = saverOf(own.mirror);
    const words = ['pour', 'POUR ', 'contre', 'Abstention', 'partagé', 'for', null];
    const counts = { for: 6, against: 1, abstention: 0, non_voting: 1, members: 10 };
    const groups: Document[] = words.flatMap((position, at): Document[] => [
      { party: `g${at}`, party_name: `G ${at}`, ...counts, position },
      { party: `h${at}`, party_name: `H ${at}`, for: 1, against: null, abstention: 0, members: '9', position },
      { party: `ni-${at}`, party_name: 'Non inscrit', for: 'Y', pour: '3', position },
    ]);
    const totals = { for: 9, against: null, abstention: null, non_voting: 3 };
    save('ballot', { scrutin_id: 'a', chamber: 'AN', title: 'Motion de censure', date: '2026-01-02T10:00', totals });
    for (const title of ['Motion de censure', "l'article 2 du projet de loi verger"])
      save('ballot', { scrutin_id: title, chamber: 'Senat', title, date: 'hier', totals, votes_by_party: groups });
    for (const mirror of [own.mirror, demo.mirror])
      for (const [name, first] of [
        ['votes', 'position'],
        ['ballots', 'nature'],
      ] as const) {
        const { columns, rows } = exportTable(mirror, parseTableName(name), { citation, filter: {} });
        const all = columns.map((each) => each.name);
        const names = ['ballot', ...all.slice(all.indexOf(first))];
        const viewed = runStatement(mirror, { sql: `SELECT ${names.join(', ')} FROM ${name}`, values: {} }, 9999);
        const cells = (row: Document) =>
          JSON.stringify(names.map((each) => (typeof row[each] === 'boolean' ? Number(row[each]) : row[each])));
        expect(viewed.rows.map(cells), name).to.have.members([...rows()].map(cells));
        expect(names.length).to.be.greaterThan(4);
      }
    own.remove();
  });

  it('has integers where the source states numbers as text, which an import reads back as they were', () => {
    const ballotRecord = { scrutin_id: 'V1', chamber: 'AN', number: '12', legislature: null, totals: null };
    const flat = withFlatTotals(ballotRecord, null);
    expect(flat).to.include({ ballot: 'AN:V1', number: 12, legislature: null });
    expect(withoutFlatTotals(flat)).to.deep.equal(ballotRecord);
    expect(withFlatTotals({ ...ballotRecord, number: '12 bis' }, null)).to.include({ number: '12 bis' });
  });

  it('keeps a number that is no plain integer as the source spells it, in files and by SQL alike', () => {
    const own = createTemporaryMirror();
    const save = saverOf(own.mirror);
    const numbers = ['001', '', '12', '-0', '9007199254740993', '12 bis'];
    for (const number of numbers) save('ballot', { scrutin_id: `of ${number}`, chamber: 'AN', number });
    const table = exportTable(own.mirror, parseTableName('ballots'), { citation, filter: {} });
    const viewed = runStatement(own.mirror, { sql: 'SELECT scrutin_id, number FROM ballots', values: {} }, 9);
    for (const row of [...table.rows(), ...viewed.rows]) {
      const source = String(row.scrutin_id).slice(3);
      expect(row.number).to.equal(source === '12' ? 12 : source);
    }
    own.remove();
  });

  it('shows its key in the views of a mirror that an older program made, once it is opened to be written', () => {
    const own = createTemporaryMirror();
    const views = () => own.mirror.column<string>("SELECT sql FROM sqlite_schema WHERE name = 'ballots'").get();
    const createdView = views();
    own.mirror.database.exec('DROP VIEW ballots; CREATE VIEW ballots AS SELECT key FROM record');
    migrate(own.mirror);
    expect(views()).to.equal(createdView);
    own.remove();
  });
});

describe('an export of a politician', () => {
  const demo = readDemoMirror();

  it('is a dossier: what its records cite and name comes along, and nothing else of it', async () => {
    const filter = { politician: 'Océane Bruyèvre' };
    const tables = selectTables(demo.mirror, [...allTables], { citation, filter, isAll: true });
    const all = new Map(tables.map((table) => [table.name, [...table.rows()]]));
    const cited = [...all.get('record_sources')!, ...all.get('other_record_sources')!].map(
      ({ source_id }) => source_id,
    );
    const sourceIds = all.get('sources')!.map(({ id }) => id);
    expect(new Set(sourceIds)).to.deep.equal(new Set(cited));
    expect(sourceIds.length)
      .to.be.greaterThan(0)
      .and.lessThan([...rows(demo.mirror, kindOf('source'))].length);
    const [profile] = all.get('politicians')!;
    const parties = all.get('parties')!.map(({ slug }) => slug);
    expect(parties).to.include(profile!.party);
    for (const { politician, party } of all.get('affiliations')!) {
      expect(politician).to.equal(profile!.slug);
      expect(parties).to.include(party);
    }
    const sources = tables.find(({ name }) => name === 'sources')!;
    expect(createPart(sources, { format: 'csv', header: true }).description).to.match(
      /Chosen: only what is named by records about the politician oceane-bruyevre\.$/,
    );
    expect(sources.count()).to.equal(sourceIds.length);
  });
});
