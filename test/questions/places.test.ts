import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { postcodeDepartment } from '../../src/names/department.ts';
import { createMirrorAnswerer } from '../../src/questions/answering.ts';
import { parseUserInput } from '../../src/questions/parameter.ts';
import { findCommunes, readCommuneLines } from '../../src/questions/places.ts';
import { politicians } from '../../src/questions/politicians.ts';
import { loadLanguage, speechOf } from '../../src/words/speech.ts';
import { readDemoMirror } from '../helpers/demo-mirror.ts';
import { askProgram } from '../helpers/program.ts';
import { type DemoServer, startDemoServer } from '../server/demo-server.ts';

const header = 'postcode,commune,department,constituency';

/** Two constituencies of one commune and postcode, a commune of two postcodes, and communes of one name. */
const rows = [
  '98123,Port-Ombreux,Haute-Ombre,1',
  '98123,Port-Ombreux,Haute-Ombre,2',
  '98124,SAINTE-LUMIERE,Haute-Ombre,3',
  '98125,SAINTE-LUMIERE,Haute-Ombre,3',
  '98300,Le Moulin,Bocage-Doré,2',
  '98400,Le Moulin,Sel-et-Grève,1',
];

describe('places', () => {
  const demo = readDemoMirror();
  let folder: string;
  let path: string;
  before(async () => {
    await loadLanguage('fr');
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
    path = tableOf([header, ...rows].join('\n'));
  });
  after(() => rmSync(folder, { recursive: true }));
  const tableOf = (content: string | Buffer, name = 'communes.csv') => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const listing = (place: string, places: string | null = path, more: Record<string, unknown> = {}) =>
    createMirrorAnswerer(demo.mirror, { searchesByMeaning: false, asOf: null, places }).list(
      politicians,
      parseUserInput(politicians.parameters, { place, ...more }),
    );
  const seatsOf = async (...of: Parameters<typeof listing>) => {
    const seats: string[] = [];
    for await (const { department, constituency_number, chamber } of (await listing(...of)).items)
      seats.push(`${chamber} ${department} ${constituency_number}`);
    return seats.sort();
  };

  it('lead from a commune or a postcode to the deputies of all its constituencies', async () => {
    const both = ['AN Haute-Ombre 1', 'AN Haute-Ombre 2'];
    for (const place of ['98123', 'Port-Ombreux', 'port ombreux', '98123 PORT OMBREUX'])
      expect(await seatsOf(place), place).to.deep.equal(both);
    for (const place of ['Sainte Lumière', 'ste-lumiere', '98125'])
      expect(await seatsOf(place), place).to.deep.equal(['AN Haute-Ombre 3']);
  });

  it('of one name are all listed, and none is chosen; other filters hold beside them', async () => {
    expect(await seatsOf('moulin')).to.deep.equal(['AN Bocage-Doré 2', 'AN Sel-et-Grève 1']);
    expect(await seatsOf('98400 moulin')).to.deep.equal(['AN Sel-et-Grève 1']);
    expect(await seatsOf('moulin', path, { department: 'Sel-et-Grève' })).to.deep.equal(['AN Sel-et-Grève 1']);
    const { remarks = [], extra = {} } = await listing('moulin');
    expect(remarks.map(String)).to.deep.equal([
      'Le Moulin (Bocage-Doré): constituency 2',
      'Le Moulin (Sel-et-Grève): constituency 1',
    ]);
    const { remarks: both = [] } = await listing('98123');
    expect(both.map(speechOf('en').render)).to.deep.equal(['Port-Ombreux (Haute-Ombre): constituencies 1, 2']);
    expect(both.map(speechOf('fr').render)).to.deep.equal(['Port-Ombreux (Haute-Ombre)\u00a0: circonscriptions 1, 2']);
    const place = { commune: 'Le Moulin', postcode: '98400', department: 'Sel-et-Grève', constituency: 1 };
    expect(extra.places).to.deep.include(place);
  });

  it('are read from tables as INSEE, La Poste, ministries and spreadsheets write them', () => {
    const lines: [name: string, content: string | Buffer][] = [
      ['La Poste', '#Code_commune_INSEE;Nom_de_la_commune;Code_postal;Libellé_d_acheminement\n01001;LE MOULIN;1400;X'],
      ['INSEE', 'DEP,libdep,COMMUNE_RESID,LIBCOM,CIRCO\n01,Ain,01001,Le Moulin,0104'],
      ['ministry', 'CODE DPT\tNOM DPT\tCODE COMMUNE\tNOM COMMUNE\tCODE CIRC LEGISLATIVE\n01\tAin\t01001\tMoulin\t04'],
      ['French', '\ufeffcode postal;commune;département;circonscription\r\n01400;Le Moulin;01;4e circonscription\r\n'],
      ['Latin-1', Buffer.from('Code postal;Commune;Département;Circonscription\n01400;Le Moulin;01;4', 'latin1')],
      ['English', `"Postcode","Town","Department","Constituency"\n"01400","Le Moulin","01","4"`],
    ];
    for (const [name, content] of lines) {
      const [place] = findCommunes(demo.mirror, 'moulin', tableOf(content, `${name}.csv`));
      expect(place?.department, name).to.match(/^(01|Ain)$/);
      expect(place?.constituency, name).to.equal(name === 'La Poste' ? null : 4);
      expect(place?.postcode ?? '01400', name).to.equal('01400');
    }
    const paris = tableOf(
      `${header}\n75001,PARIS 01,75,1\n"75012","Paris 12e Arrondissement",75,8\n"broken,75`,
      'other.csv',
    );
    expect(findCommunes(demo.mirror, 'paris', paris)).to.have.length(2);
    for (const text of ['Paris 12e', 'paris 12', 'PARIS 12E ARRONDISSEMENT'])
      expect(
        findCommunes(demo.mirror, text, paris).map(({ postcode }) => postcode),
        text,
      ).to.deep.equal(['75012']);
    expect(findCommunes(demo.mirror, 'Paris 1er', paris).map(({ postcode }) => postcode)).to.deep.equal(['75001']);
    expect(findCommunes(demo.mirror, 'Paris 3e', paris)).to.deep.equal([]);
    for (const text of [' ', '-', '99999', 'Par', 'arrondissement', '.*'])
      expect(findCommunes(demo.mirror, text, paris), text).to.deep.equal([]);
  });

  it('without a row or a constituency in the table lead to all of the department, and say why', async () => {
    const partial = tableOf('commune;département\nPort-Ombreux;Haute-Ombre', 'partial.csv');
    expect(await seatsOf('port-ombreux', partial)).to.have.length(3);
    const { remarks = [] } = await listing('port-ombreux', partial);
    expect(remarks.map(speechOf('en').render)).to.deep.equal([
      'Port-Ombreux (Haute-Ombre): all constituencies of the department, since the table of communes states none there',
    ]);
    const { remarks: missing = [], extra = {} } = await listing('59000', null);
    expect(missing.map(String)).to.deep.equal([
      '59000 (Nord): all constituencies of the department, since no table of communes is set (places)',
    ]);
    expect(extra.places).to.deep.equal([{ commune: null, postcode: '59000', department: 'Nord', constituency: null }]);
  });

  it('belong to the department of a postcode, also where it is not its beginning', async () => {
    const codes = { 20000: '2A', 20190: '2A', 20200: '2B', 20620: '2B', 97133: 'ZX', 97150: 'ZX', 97110: '971' };
    for (const [postcode, code] of Object.entries({ ...codes, 59000: '59', 98800: '988', 2000: null }))
      expect(postcodeDepartment(postcode), postcode).to.equal(code);
    for (const [postcode, department] of [
      ['20200', 'Haute-Corse'],
      ['97150', 'Saint-Barthélemy et Saint-Martin'],
    ] as const) {
      const { extra = {} } = await listing(postcode, null);
      expect(extra.places).to.deep.equal([{ commune: null, postcode, department, constituency: null }]);
    }
    const post = tableOf('#Code_commune_INSEE;Nom_de_la_commune;Code_postal\n2A004;AJACCIO;20000', 'post.csv');
    const { remarks = [] } = await listing('ajaccio', post);
    expect(String(remarks[0])).to.match(/^AJACCIO \(Corse-du-Sud\): all constituencies of the department, since the/);
  });

  it('that nobody knows are refused, and name the table that is missing', async () => {
    const refusal = async (place: string, places: string | null) =>
      listing(place, places).then(
        () => 'answered',
        (error) => `${error.exit} ${error.message}`,
      );
    expect(await refusal('lille', null)).to.equal('3 --place needs a table of communes, which is not set');
    expect(await refusal('lille', path)).to.equal(
      '3 --place names "lille", which is in no row of the table of communes',
    );
    for (const content of ['', 'a,b\n1,2', `${header}\n"98123`])
      expect(() => readCommuneLines(tableOf(content, 'other.csv')), content).to.throw(/table of communes/);
    expect(() => readCommuneLines(join(folder, 'none.csv'))).to.throw('no table of communes');
  });

  it('are set by a relative path, checked at once, and read from any folder', async () => {
    const env = { HOME: folder, HEMICYCLE_DB: join(demo.folder, 'mirror.db') };
    const run = (argv: string[], cwd: string) => askProgram(argv, { env, cwd });
    tableOf('a,b', 'other.csv');
    expect(await run(['config', 'set', 'places', 'other.csv'], folder)).to.include({ exit: 10 });
    expect(await run(['config', 'set', 'places', 'communes.csv'], folder)).to.include({ exit: 0 });
    const { stdout } = await run(
      ['politicians', '--place', 'Moulin', '--format', 'csv', '--columns', 'department'],
      tmpdir(),
    );
    expect(stdout.trim().split('\n')).to.have.members(['department', 'Bocage-Doré', 'Sel-et-Grève']);
  });

  describe('on pages', () => {
    let server: DemoServer;
    before(async () => {
      server = await startDemoServer({ settings: { places: path } });
    });
    after(() => server.close());
    const page = async (url: string) =>
      (await server.app.inject({ url, headers: { accept: 'text/html', 'accept-language': 'en' } })).body;

    it('are found by the search box, before any name, and in lists of politicians', async () => {
      const { items } = (await server.app.inject('/suggest.json?q=moulin')).json();
      expect(items[0]).to.deep.include({ name: 'moulin', href: '/politicians?place=moulin' });
      expect(items[0].about).to.include('Sel-et-Grève').and.include('Bocage-Doré');
      const list = await page('/politicians?place=moulin');
      expect(list).to.include('Le Moulin (Sel-et-Grève): constituency 1').and.include('nour-bellecume');
      expect(await page('/departments'))
        .to.include('action="/politicians"')
        .and.not.include('which this copy lacks');
      expect(await page('/departments/Moulin')).to.include('href="/politicians?place=Moulin"');
    });

    it('are read again from a table that was edited, without a restart', async () => {
      const edited = tableOf([header, '98123,Val-Neuf,Haute-Ombre,1'].join('\n'), 'edited.csv');
      utimesSync(edited, 1, 1);
      const own = await startDemoServer({ settings: { places: edited } });
      try {
        const request = () => own.app.inject({ url: '/api/v1/politicians?place=val-neuf' });
        const before = await request();
        tableOf([header, '98300,Val-Neuf,Bocage-Doré,2'].join('\n'), 'edited.csv');
        const after = await request();
        expect(before.body).to.include('Haute-Ombre').and.not.include('Bocage-Doré');
        expect(after.body).to.include('Bocage-Doré').and.not.include('Haute-Ombre');
        expect(after.headers.etag).not.to.equal(before.headers.etag);
      } finally {
        await own.close();
      }
    });

    it('that no row has are named', async () => {
      expect(await page('/politicians?place=Nowhere')).to.include(
        'The parameter place names &quot;Nowhere&quot;, which is in no row of the table of communes.',
      );
    });

    it('are left out of search and suggestions where the table cannot be read', async () => {
      const places = tableOf('a,b', 'no-table.csv');
      for (const path of [places, join(places, 'none.csv'), join(folder, 'none.csv')]) {
        const other = await startDemoServer({ settings: { places: path } });
        try {
          for (const url of ['/search?q=moulin', '/suggest.json?q=moulin', '/suggest?q=59000', '/departments'])
            expect((await other.app.inject(url)).statusCode, `${path} ${url}`).to.equal(200);
        } finally {
          await other.close();
        }
      }
    });

    it('are refused with the reason where the copy has no table', async () => {
      const bare = await startDemoServer();
      try {
        const headers = { accept: 'text/html', 'accept-language': 'en' };
        const refused = await bare.app.inject({ url: '/politicians?place=Lille', headers });
        expect(refused.statusCode).to.equal(422);
        expect(refused.body).to.include('The parameter place needs a table of communes, which is not set.');
        expect((await bare.app.inject({ url: '/departments', headers })).body).to.include('which this copy lacks');
      } finally {
        await bare.close();
      }
    });
  });
});
