import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { matchTable } from '../../src/export/matched-table.ts';
import { plainUtf8 } from '../../src/format/transcoding.ts';
import { openMirror } from '../../src/store/open.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { memorySink } from '../helpers/memory-sink.ts';
import { askProgram } from '../helpers/program.ts';

const list = `\ufeffid;Nom;Parti\r
1;BRUYÈVRE Océane;ADR\r
2;"Œillevent; Barnabé";"ADR"\r
\r
3;Camille Rouvre;PDV\r
4;Oceane Bruyevre;PDV\r
5;Nobody Zzqxwv;=1+1\r
6;;ADR`;

const matchedCsv = `\ufeffid;Nom;Parti;slug;full_name;score;candidates\r
1;BRUYÈVRE Océane;ADR;oceane-bruyevre;Océane Bruyèvre;98.5;\r
2;"Œillevent; Barnabé";"ADR";barnabe-oeillevent;Barnabé Œillevent;98.5;\r
\r
3;Camille Rouvre;PDV;;;98.5;camille-rouvre camille-rouvre-2\r
4;Oceane Bruyevre;PDV;;;58.2;oceane-bruyevre\r
5;Nobody Zzqxwv;=1+1;;;;\r
6;;ADR;;;;`;

describe('match', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let file: string;

  before(async () => {
    demo = await createDemoMirror();
    file = join(demo.folder, 'list.csv');
    writeFileSync(file, list);
  });

  after(() => demo.remove());

  const demoBirthDay = async (slug: string) => {
    const mirror = openMirror(demo.db);
    const birthDate = mirror
      .column<string>("SELECT json_extract(row, '$.birth_date') FROM record WHERE key = ?")
      .get(slug)!;
    mirror.close();
    return birthDate;
  };

  /** Matches a list; what a test writes stands in a file in the place of `-`, which needs no process. */
  const run = ([list = '', ...flags]: string[], input?: string) => {
    const written = join(demo.folder, 'written.csv');
    if (input !== undefined) writeFileSync(written, input);
    return askProgram(['match', input === undefined ? list : written, ...flags, '--db', demo.db], {
      env: { HOME: demo.folder },
    });
  };

  it('takes a party in brackets or behind a dash for a fact, which agrees or contradicts', async () => {
    const names = [
      'Océane Bruyèvre (ADR)',
      'Océane Bruyèvre [Alliance des Rivages]',
      'BRUYÈVRE Océane - ADR',
      'Océane Bruyèvre – ADR',
      'Océane Bruyèvre (PDV)',
      'Océane Bruyèvre (une inconnue)',
    ];
    const { stdout } = await run(['-', '--column', 'nom', '--json'], `nom\n${names.join('\n')}\n`);
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(({ match }) => match)).to.deep.equal([true, true, true, true, false, false]);
    expect(rows[0].candidates[0].agrees).to.deep.equal(['party']);
    expect(rows[4].candidates[0].differs).to.deep.equal(['party']);
    const plural = await run(['-', '--column', 'nom'], 'nom\nMM. Zéphyrin Boisdhiver\n');
    expect(plural.stdout).to.include('zephyrin-boisdhiver,Zéphyrin Boisdhiver');
  });

  it('lets an exact day of birth decide between people of one name only where that is asked for', async () => {
    const born = await demoBirthDay('camille-rouvre');
    const list = `nom,né\nCamille Rouvre,${born}\nCamille Rouvre,${born.slice(0, 4)}\n`;
    const flags = ['-', '--column', 'nom', '--born', 'né'];
    expect((await run(flags, list)).stdout).to.match(/^Camille Rouvre,[\d-]+,,,/m);
    const decided = (await run([...flags, '--decide', 'birth'], list)).stdout.trim().split('\n');
    expect(decided[1]).to.include(`${born},camille-rouvre,Camille Rouvre,`);
    expect(decided[2], 'a year is no day').to.match(/,,,[\d.]+,camille-rouvre/);
    expect((await run(['-', '--column', 'nom', '--decide', 'birth'], list)).exit).to.equal(2);
  });

  const slugsOf = (csv: string) =>
    csv
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',').at(-4));

  it('finds names in two columns by their headings, with the district beside them, and says which it read', async () => {
    const rows = [
      'dpt,circo,date,nameLast,nameFirst,voix',
      'Côtes-Cendrées,1,2024-12-01,BRUYEVRE,Océane,5388',
      'cotes cendrees,1re circonscription,2024-12-01,Bruyèvre,Océane,260',
      'Haute-Ombre,1,2024-12-01,Bruyèvre,Océane,260',
      '2A,1,2024-12-01,Bruyèvre,Océane,260',
      'XX,,2024-12-01,Bruyèvre,Océane,260',
      'Côtes-Cendrées,2,2024-12-01,Bruyèvre,Océane,260',
      'Brume-et-Lande,02,2024-12-01,d’Orgemousse,Philomène,13040',
      'Brume-et-Lande,2,2024-12-01,Orgemousse,Philémon,13040',
    ];
    const { stdout, stderr } = await run(['-'], `${rows.join('\n')}\n`);
    const matched = ['oceane-bruyevre', 'oceane-bruyevre', '', '', 'oceane-bruyevre', '', 'philomene-d-orgemousse', ''];
    expect(slugsOf(stdout)).to.deep.equal(matched);
    expect(stderr.split('\n').slice(0, 2)).to.deep.equal([
      'the names are read from nameFirst, nameLast',
      'also compared: dpt, circo',
    ]);
  });

  it('knows the usual headings, and takes two columns that are named', async () => {
    const headers = ['Prénom,Nom', 'first_name,last_name', 'PRENOM,NOM DE FAMILLE', 'given name,surname'];
    for (const header of headers)
      expect(slugsOf((await run(['-'], `${header}\nOcéane,Bruyèvre\n`)).stdout), header).to.deep.equal([
        'oceane-bruyevre',
      ]);
    for (const header of ['Nom complet', 'full_name', 'name', 'Nom'])
      expect(
        slugsOf((await run(['-', '--prefix', 'm_'], `${header}\nOcéane Bruyèvre\n`)).stdout),
        header,
      ).to.deep.equal(['oceane-bruyevre']);
    for (const column of ['a,b', '1,2', ' B , A '])
      expect(slugsOf((await run(['-', '--column', column], 'a,b\nOcéane,Bruyèvre\n')).stdout), column).to.deep.equal([
        'oceane-bruyevre',
      ]);
    expect((await run(['-', '--column', 'Nom, prénom'], '"Nom, prénom"\nBruyèvre Océane\n')).stdout).to.contain(
      ',oceane-bruyevre,',
    );
    const refused = await run(['-'], 'a,b\nOcéane,Bruyèvre\n');
    expect(refused.exit).to.equal(2);
    expect(refused.stderr).to.contain('no column of names was found among a, b').and.contain('--column FIRST,LAST');
  });

  it('lists no candidate below a score', async () => {
    const columnArguments = ['-', '--column', 'nom'];
    expect((await run(columnArguments, 'nom\nBruyevr\n')).stdout).to.include('oceane-bruyevre');
    expect((await run([...columnArguments, '--threshold', '99'], 'nom\nBruyevr\n')).stdout).to.equal(
      'nom,slug,full_name,score,candidates\nBruyevr,,,,\n',
    );
  });

  it('passes on the line by which Excel names the delimiter, and reads bars', async () => {
    const matchedCells = 'oceane-bruyevre;Océane Bruyèvre';
    const { stdout } = await run(['-', '--column', 'nom'], 'sep=;\nid;nom\n1;Océane Bruyèvre\n');
    expect(stdout)
      .to.match(/^sep=;\nid;nom;slug;full_name;score;candidates\n1;Océane Bruyèvre;/)
      .and.include(matchedCells);
    const bars = await run(['-', '--column', 'nom'], 'id|nom\n1|Océane Bruyèvre\n');
    expect(bars.stdout).to.include('1|Océane Bruyèvre|oceane-bruyevre|');
  });

  it('adds columns and keeps every byte of the file, and says on stderr how many were found', async () => {
    const { stdout, stderr, exit } = await run([file, '--column', 'nom', '--party', 'Parti']);
    expect(stdout).to.equal(matchedCsv.replaceAll('\r\n', '\n'));
    expect(stderr.split('\n')).to.deep.equal([
      '2 matched, 2 with candidates only, 1 not found',
      'rows without a name: 1',
      'Source: Service de Valombre (fictional) (https://valombre.example), retrieved 2026-11-01; free for non-commercial use',
      '',
    ]);
    expect(exit).to.equal(0);
    expect((await run([file, '--column', 'Nom', '--party', '3', '-o', file, '--quiet'])).stderr).to.equal('');
    expect(readFileSync(file, 'utf8')).to.equal(matchedCsv);
    writeFileSync(file, list);
  });

  it('reads stdin, and writes a JSON object for each row', async () => {
    const { stdout, exit } = await askProgram(['match', '-', '--column', '1', '--json', '--db', demo.db], {
      env: { HOME: demo.folder },
      input: 'name\nADR\nCamille Rouvre\n',
    });
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(exit).to.equal(0);
    expect(rows.map(({ line, name, match, slug }) => [line, name, match, slug])).to.deep.equal([
      [2, 'ADR', false, null],
      [3, 'Camille Rouvre', false, null],
    ]);
    expect(
      rows[1].candidates.map(({ slug, match }: { slug: string; match: boolean }) => [slug, match]),
    ).to.have.deep.members([
      ['camille-rouvre', false],
      ['camille-rouvre-2', false],
    ]);
  });

  it('reads what spreadsheets write and keeps its bytes: UTF-16 by its mark, Windows-1252 where it is said', async () => {
    const text = 'Nom;Note\r\nBRUYÈVRE Océane;Œuvre – 5 €\r\n';
    const wanted =
      'Nom;Note;slug;full_name;score;candidates\r\nBRUYÈVRE Océane;Œuvre – 5 €;oceane-bruyevre;Océane Bruyèvre;97;\r\n';
    const bytes = (of: string) =>
      Buffer.from(of.replace('€', '\x80').replace('Œ', '\x8c').replace('–', '\x96'), 'latin1');
    const path = join(demo.folder, 'foreign.csv');
    const out = join(demo.folder, 'foreign-out.csv');
    const matchedFile = async (content: Buffer, ...more: string[]) => {
      writeFileSync(path, content);
      const { exit, stderr } = await run([path, '--column', 'nom', '-o', out, ...more]);
      expect(exit, stderr).to.equal(0);
      return readFileSync(out);
    };
    expect(await matchedFile(bytes(text), '--encoding', 'windows-1252')).to.deep.equal(bytes(wanted));
    const little = (of: string) => Buffer.from(`\ufeff${of}`, 'utf16le');
    expect(await matchedFile(little(text))).to.deep.equal(little(wanted));
    expect(await matchedFile(little(text).swap16())).to.deep.equal(little(wanted).swap16());
    writeFileSync(path, bytes(text));
    const refused = await run([path, '--column', '1']);
    expect(refused.exit).to.equal(5);
    expect(refused.stderr).to.contain('foreign.csv:2: is not UTF-8 text: byte 5 of that row is 0xC8');
    expect(refused.stderr).to.contain('--encoding windows-1252');
    writeFileSync(path, Buffer.from([0xff, 0xfe, 0x41]));
    expect((await run([path, '--column', '1'])).stderr).to.contain('is not utf-16le text');
  });

  it('leaves nothing behind of a file that is no CSV, and says where it is wrong', async () => {
    const bad = join(demo.folder, 'bad.csv');
    writeFileSync(bad, 'name\nOcéane Bruyèvre\n"never closed\nx\n');
    const out = join(demo.folder, 'out.csv');
    const { stderr, exit } = await run([bad, '--column', 'name', '-o', out, '--json']);
    expect(JSON.parse(stderr).error).to.include({ code: 'BAD_INPUT', exit: 5 });
    expect(stderr).to.contain('bad.csv:3: a quote that opens there is never closed');
    expect(exit).to.equal(5);
    expect(existsSync(out)).to.equal(false);
  });

  describe('over a table in this process', () => {
    const matching = async (text: string, more: object = {}) => {
      const mirror = openMirror(demo.db);
      const sink = memorySink();
      async function* source() {
        yield Buffer.from(text);
      }
      const options = {
        ...{ file: 'list.csv', columns: { name: 'name' }, kinds: ['politician' as const], limit: 5 },
        ...{
          isJson: false,
          prefix: '',
          threshold: 0,
          birthDecides: false,
          transcoding: plainUtf8,
          sanitise: (each: string) => each,
          progress: () => {},
        },
        ...more,
      };
      try {
        return { summary: await matchTable(mirror, source(), sink, options), text: sink.text };
      } finally {
        mirror.close();
      }
    };
    const refused = async (text: string, more: object = {}) => {
      try {
        await matching(text, more);
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };

    it('refuses columns that are not there or there already, and rows longer than the header', async () => {
      expect(await refused('nom,b\n')).to.equal('the table has no column "name"');
      expect(await refused('name,slug\n')).to.equal('the table already has a column slug');
      expect((await matching('name,slug\n', { prefix: 'm_' })).text).to.equal(
        'name,slug,m_slug,m_full_name,m_score,m_candidates\n',
      );
      expect(await refused('name,b\nx,1,2\n')).to.equal('list.csv:2: has 3 cells, but the header has 2');
    });

    it('puts the new cells of a short row under their names, and ends the header that it adds to', async () => {
      const { text } = await matching('name,b,c\nOcéane Bruyèvre\n');
      expect(text).to.equal(
        'name,b,c,slug,full_name,score,candidates\nOcéane Bruyèvre,,,oceane-bruyevre,Océane Bruyèvre,97,\n',
      );
      expect((await matching('name')).text).to.equal('name,slug,full_name,score,candidates\n');
    });

    it('stops reading once nobody reads what it writes', async () => {
      const mirror = openMirror(demo.db);
      let rowCount = 0;
      async function* endless() {
        yield Buffer.from('name\n');
        for (;;) {
          rowCount += 1;
          yield Buffer.from('Océane Bruyèvre\n'.repeat(1000));
        }
      }
      await matchTable(mirror, endless(), memorySink(100_000), {
        file: '-',
        columns: { name: 'name' },
        kinds: ['politician'],
        limit: 1,
        isJson: false,
        prefix: '',
        threshold: 0,
        birthDecides: false,
        transcoding: plainUtf8,
        sanitise: (text) => text,
        progress: () => {},
      });
      mirror.close();
      expect(rowCount).to.be.lessThan(40);
    });
  });
});
