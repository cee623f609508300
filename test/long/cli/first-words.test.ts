import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { rowFormats } from '../../../src/format/formats.ts';
import { createDemoMirror } from '../../helpers/demo-mirror.ts';
import { askProgram, runProgram } from '../../helpers/program.ts';

/** What somebody types → what they are told, on stderr and with exit 2. */
const mistyped: [typed: string, error: string, hint: string][] = [
  ['politicans bruyevre', 'unknown command "politicans"', 'did you mean: hemicycle politicians bruyevre?'],
  ['politicans --help', 'unknown command "politicans"', 'did you mean: hemicycle politicians?'],
  [
    '--party RN',
    'put the command before its flags: hemicycle COMMAND --party RN',
    '`hemicycle help` lists the commands, `hemicycle help recipes` questions with theirs',
  ],
  ['help sarch', 'unknown command "sarch"', 'did you mean: hemicycle search --help?'],
  [
    'agreement ADR PDV --since 2026',
    'unknown command "agreement"',
    'did you mean: hemicycle compare ADR PDV --since 2026?',
  ],
  ['vot VAL1V4', 'unknown command "vot"', 'did you mean: hemicycle vote VAL1V4?'],
  ['config lst', 'unknown command "config lst"', 'did you mean: hemicycle config list?'],
  ['help config lst', 'unknown command "config lst"', 'did you mean: hemicycle config list?'],
  [
    'config wipe',
    'unknown command "config wipe"',
    'as in `hemicycle config get base-url`; `hemicycle help config` lists the commands',
  ],
  [
    'watch phare',
    'unknown command "watch phare"',
    'as in `hemicycle watch add logement search logement --type promise --file logement.atom`; `hemicycle help watch` lists the commands',
  ],
  ['parties:adr', 'unknown command "parties:adr"', 'did you mean: hemicycle parties adr?'],
  [
    'ministries',
    'unknown command "ministries"',
    '`hemicycle help` lists the commands, `hemicycle help recipes` questions with theirs',
  ],
  ['députés', 'unknown command "députés"', 'did you mean: hemicycle politicians --chamber AN?'],
  ['scrutins', 'unknown command "scrutins"', 'did you mean: hemicycle ballots?'],
  ['votes', 'unknown command "votes"', 'did you mean: hemicycle ballots?'],
  ['party ADR', 'unknown command "party"', 'did you mean: hemicycle parties ADR?'],
  ['votes loi phare', 'unknown command "votes"', 'did you mean: hemicycle ballots loi phare?'],
  ['députée Bruyèvre', 'unknown command "députée"', 'did you mean: hemicycle politicians Bruyèvre?'],
  [
    'verify a.zip',
    'unknown command "verify"',
    'did you mean: hemicycle evidence verify a.zip, hemicycle export verify a.zip?',
  ],
  ['forget bruyevre', 'unknown command "forget"', 'did you mean: hemicycle withhold bruyevre?'],
  ['liste des partis', 'unknown command "liste"', 'did you mean: hemicycle parties?'],
  ['les promesses de Bruyèvre', 'unknown command "les"', 'did you mean: hemicycle records promises Bruyèvre?'],
  ['api politicians', 'unknown command "api"', 'did you mean: hemicycle serve?'],
  ['set token', 'unknown command "set"', 'did you mean: hemicycle config set token?'],
  [
    'config token',
    'unknown command "config token"',
    'did you mean: hemicycle config get token, hemicycle config set token, hemicycle config unset token?',
  ],
  ['proxy', 'unknown command "proxy"', 'did you mean: hemicycle help environment?'],
  ['--aide', 'unknown command "--aide"', 'did you mean: hemicycle help?'],
  ['citations Bruyèvre phare', 'unknown command "citations"', 'did you mean: hemicycle records quotes Bruyèvre phare?'],
  ['search --type promise', 'query is missing: search words', 'see `hemicycle search --help`'],
  ['backup', '--output is missing', 'did you mean: hemicycle backup -o hemicycle.tar.zst?'],
  ['vote', 'no ballot was given', '`hemicycle ballots` lists them, `hemicycle vote --latest` shows the newest'],
  [
    'vote --latest --source service',
    'no ballot was given',
    '`hemicycle ballots` lists them, `hemicycle vote --latest` shows the newest',
  ],
  ['promises', 'unknown command "promises"', 'did you mean: hemicycle records promises?'],
  ['search phare -limit 3', 'unknown flag -limit', 'did you mean: hemicycle search phare --limit 3?'],
  ['feed --lmit 3', 'unknown flag --lmit', 'did you mean: hemicycle feed --limit 3?'],
  ['feed --lmit=3', 'unknown flag --lmit=3', 'did you mean: hemicycle feed --limit 3?'],
  ['ballots --to 2026', 'unknown flag --to', 'did you mean: hemicycle ballots --until 2026?'],
  ['vote 7 --senat', 'unknown flag --senat', 'did you mean: hemicycle vote 7 --chamber Senat?'],
  ['sync --token abc', 'unknown flag --token', 'did you mean: hemicycle config set token?'],
  ['evidence AN:VAL1V4', '--output is missing', 'did you mean: hemicycle evidence AN:VAL1V4 -o evidence.zip?'],
  [
    'export scrutins.xlsx',
    'there is no dataset called "scrutins.xlsx"',
    'did you mean: hemicycle export ballots -o scrutins.xlsx?',
  ],
  ['export votes.csv', 'there is no dataset called "votes.csv"', 'did you mean: hemicycle export votes -o votes.csv?'],
  ['feed --type promise', 'unknown flag --type', 'did you mean: hemicycle feed --types promise?'],
  ['parties --no-colour', 'unknown flag --no-colour', 'did you mean: hemicycle parties --no-color?'],
  ['parties --height', 'unknown flag --height', 'see `hemicycle parties --help`'],
  ['ballots --group ADR --csv', 'unknown flag --csv', 'did you mean: hemicycle ballots --group ADR --format csv?'],
  ['ballots --from 2026', 'unknown flag --from', 'did you mean: hemicycle ballots --since 2026?'],
  ['ballots -o adr.csv', 'unknown flag -o', 'did you mean: hemicycle ballots --format csv > adr.csv?'],
  ['serve -p 3000', 'unknown flag -p', 'did you mean: hemicycle serve --port 3000?'],
  ['parties --columns ,', '--columns names no column', 'remove it for the default columns'],
  ['topics retraites vieillesse', 'too many words: "retraites, vieillesse"', 'see `hemicycle topics --help`'],
  ['serve 3000', 'too many words: "3000"', 'did you mean: hemicycle serve --port 3000?'],
  [
    'sync http://127.0.0.1:9',
    'too many words: "http://127.0.0.1:9"',
    'did you mean: hemicycle sync --from http://127.0.0.1:9?',
  ],
  ['sync --proxy http://a:3128', 'unknown flag --proxy', 'did you mean: hemicycle help environment?'],
  ['backup a.tar.gz', 'too many words: "a.tar.gz"', 'did you mean: hemicycle backup --output a.tar.gz?'],
  [
    'ballots --format parquet',
    `--format must be one of table, json, ${rowFormats.join(', ')}`,
    '`hemicycle export` writes parquet, as in `hemicycle export votes -o votes.parquet`',
  ],
  ['watch add phare', 'no command was given', 'as in `hemicycle watch add phare search phare --file phare.atom`'],
  [
    'watch add phare --email a@b.example',
    'unknown flag --email',
    'did you mean: hemicycle watch add phare --mail a@b.example?',
  ],
  [
    'parties --format jsn',
    `--format must be one of table, json, ${rowFormats.join(', ')}`,
    'did you mean: hemicycle parties --format json?',
  ],
  ['export promse', 'there is no dataset called "promse"', 'did you mean: promises?'],
  ['sync --only Promse', '"Promse" is not a kind of record', 'did you mean: promise?'],
  ['compare ADR ADR', '"ADR" is given twice: a group cannot be compared with itself', 'give another group'],
];

/** A filter or word that matches no record → exit 3 where it names no kind and nothing of the data, 2 where no such word exists. */
const namingNothing: [line: string, exit: 2 | 3, near?: string][] = [
  ['search phare --type nosuch', 3],
  ['search phare --type promse', 3, 'promise'],
  ['search phare --type=party,nosuch', 3],
  ['search phare --type party --type nosuch', 3],
  ['search phare --kind promse', 3, 'promise'],
  ['feed --types promse', 3, 'promise'],
  ['changes --since 2026-01-01 --kind promse', 3, 'promise'],
  ['watch add phare changes --kind promse --file phare.atom', 3, 'promise'],
  ['audit --entity-type promse', 3, 'promise'],
  ['ballots --type nosuch', 3],
  ['ballots --result nosuch', 3],
  ['ballots --voted nosuch:for', 3],
  ['politicians --department nosuch', 3],
  ['feed --topic logment', 3, 'logement'],
  ['search phare --politician nosuch', 3],
  ['politicians --party nosuch', 3],
  ['changes --since 2026-01-01 --only edted', 2, 'edited'],
  ['ballots --voted ADR:nosuch', 2],
  ['ballots --chamber nosuch', 2],
  ['politicians --sort nme', 2, 'hemicycle politicians --sort name --json'],
  ['search phare --format jsn', 2, 'hemicycle search phare --format json --json'],
  ['records nosuch', 2],
  ['export promse', 2, 'promises'],
];

/** A command line that asks for kinds of records, and a word of it in other spellings that mean the same. */
const spelled: [argv: string, word: string, spellings: string[]][] = [
  ['feed --types WORD --format ndjson', 'promise', ['promises', 'Promise', 'PROMISES']],
  ['feed --types WORD --format ndjson', 'content', ['Content', 'contents']],
  ['search phare --type WORD --format ndjson', 'speech', ['Speeches', 'speechs', 'discours', 'Intervention']],
  ['changes --since 2026-10-01 --kind WORD --format ndjson', 'party', ['Parties', 'PARTY']],
  ['history WORD parti-du-verger --format ndjson', 'party', ['parties', 'Party']],
  ['show WORD parti-du-verger --format ndjson', 'party', ['parties', 'Party']],
  ['show WORD:parti-du-verger --format ndjson', 'party', ['parties', 'Party']],
  ['export WORD', 'parties', ['Party', 'PARTIES']],
  ['export WORD', 'votes', ['Vote', 'VOTES']],
  ['audit --entity-type WORD --format ndjson', 'promise', ['Promises', 'PROMISE']],
  ['sync --from http://127.0.0.1:9 --dry-run --json --only WORD', 'promise', ['promises', 'Promise', 'PROMISES']],
];

describe('what is typed first', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  before(async () => {
    demo = await createDemoMirror();
  });
  after(() => demo.remove());
  const env = () => ({ HEMICYCLE_DB: demo.db, HOME: demo.folder });
  const run = (line: string, input = '') =>
    askProgram(line === '' ? [] : line.split(' '), { env: env(), ...(input && { input }) });

  it('gets the list of commands from `help`, -h, --help and nothing at all, whatever stands on stdin', async () => {
    const { stdout } = await run('--help');
    expect(stdout).to.include('FOLLOW AND CITE\n').and.include('politicians');
    for (const line of ['help', '-h', ''])
      expect(await run(line, 'search\n'), line).to.deep.equal({ stdout, stderr: '', exit: 0 });
  });

  it('gets the help of one command before and behind its name', async () => {
    const { stdout } = await run('search --help');
    expect(stdout).to.include('$ hemicycle search QUERY');
    for (const line of ['help search', 'search -h', 'search phare -h', 'help search -h'])
      expect(await run(line), line).to.deep.equal({ stdout, stderr: '', exit: 0 });
    expect((await run('help config list')).stdout).to.equal((await run('config list --help')).stdout);
  });

  it('gets the same help whatever flags of other commands stand behind `help`', async () => {
    const { stdout } = await run('help');
    for (const flags of ['--quiet', '--json', '--db other.db', '--debug'])
      expect(await run(`help ${flags}`), flags).to.include({ stdout, exit: 0 });
    expect((await run('help --lang fr')).stdout).to.equal((await run('--help --lang fr')).stdout);
    expect((await run('--quiet')).exit).to.equal(2);
  });

  it('gets the version from `version`, -v and --version', async () => {
    const { stdout } = await run('version');
    expect(stdout).to.match(/^hemicycle\/\d+\.\d+\.\d+ \S+ node-v\d+\.\d+\.\d+\n$/);
    for (const word of ['-v', '--version'])
      expect(await runProgram([word]), word).to.deep.equal({ stdout, stderr: '', exit: 0 });
    expect(JSON.parse((await run('version --json')).stdout)).to.have.keys(['name', 'version', 'platform', 'node']);
  });

  for (const [line, error, hint] of mistyped)
    it(`is told \`${hint}\` after \`hemicycle ${line}\``, async () => {
      expect(await run(line)).to.deep.equal({ stdout: '', stderr: `Error: ${error}\n${hint}\n`, exit: 2 });
    });

  for (const [line, english] of [
    ['ballots --depuis mars 2026 --groupe ADR --chambre AN', 'ballots --since 2026-03 --group ADR --chamber AN'],
    ['ballots --département=Haute-Ombre'],
    ['politicians --département=Haute-Ombre --limite 3', 'politicians --department Haute-Ombre --limit 3'],
    ['compare ADR PDV --jusqu octobre 2026', 'compare ADR PDV --until 2026-10'],
    ['cohesion du PDV', 'cohesion PDV'],
  ])
    it(`${english ? `is answered as \`${english}\`` : 'is refused'}: \`hemicycle ${line}\``, async () => {
      const { stdout, exit } = await run(`${line} --format ndjson`);
      expect([stdout !== '', exit]).to.deep.equal(english ? [true, 0] : [false, 2]);
      if (english) expect(stdout).to.equal((await run(`${english} --format ndjson`)).stdout);
    });

  for (const [line, exit, near] of namingNothing)
    it(`ends with exit ${exit}${near ? ` and is told ${near}` : ''} after \`hemicycle ${line}\``, async () => {
      const refusal = await run(`${line} --json`);
      const { hint, ...error } = JSON.parse(refusal.stderr).error;
      expect([refusal.stdout, refusal.exit, error.exit]).to.deep.equal(['', exit, exit]);
      expect(error.code).to.equal(exit === 3 ? 'NOT_FOUND' : 'USAGE');
      if (near) expect(hint).to.equal(`did you mean: ${near}?`);
      const french = await run(`${line} --lang fr`);
      expect(french.exit).to.equal(exit);
      if (near) expect(french.stderr).to.include(near.replace(/ --json$/, ''));
    });

  it('is told the near word in JSON too', async () => {
    const { stderr, exit } = await run('politicans bruyevre --json');
    expect(exit).to.equal(2);
    expect(JSON.parse(stderr).error).to.deep.equal({
      code: 'USAGE',
      message: 'unknown command "politicans"',
      hint: 'did you mean: hemicycle politicians bruyevre --json?',
      exit: 2,
    });
  });

  it('leaves out the words of a search that begin with a hyphen, wherever they stand', async () => {
    const quoted = (await askProgram(['search', 'phare -gardiens', '--format', 'ndjson'], { env: env() })).stdout;
    const all = (await run('search phare --format ndjson')).stdout;
    expect(quoted).not.to.equal('').and.not.to.equal(all);
    for (const line of [
      'search phare -gardiens --format ndjson',
      'search -gardiens phare --format ndjson',
      'search --format ndjson phare -k20 -gardiens',
      'search phare --format ndjson -- -gardiens',
      'search phare -«gardiens» --format ndjson',
      'search phare -“gardiens” --format ndjson',
    ])
      expect(await run(line), line).to.include({ stdout: quoted, exit: 0 });
    for (const word of ['-l’île', "-l'île", '-é'])
      expect((await askProgram(['search', 'phare', word, '--quiet'], { env: env() })).exit, word).to.equal(0);
  });

  it('is told where the matches of a hit stand', async () => {
    expect((await run('search phare --columns offsets --limit 1')).stdout).to.match(/^offsets\n\d+-\d+/);
  });

  it('gets JSON from `cite` and `open` where JSON was asked for', async () => {
    const cited = JSON.parse((await run('cite AN:VAL1V4 --style bibtex --json')).stdout);
    expect(cited).to.have.keys(['item', 'origin', 'attribution']);
    expect(cited.item).to.include({ kind: 'ballot', key: 'AN:VAL1V4', style: 'bibtex' });
    expect(`${cited.item.citation}\n`).to.equal((await run('cite AN:VAL1V4 --style bibtex')).stdout);
    expect((await run('cite AN:VAL1V4 --format csv --columns key,style')).stdout).to.equal(
      'key,style\nAN:VAL1V4,text\n',
    );
    const opened = JSON.parse((await run('open AN:VAL1V4 --format json')).stdout);
    expect(`${opened.item.url}\n`).to.equal((await run('open AN:VAL1V4 --print')).stdout);
  });

  it('gets from a fact to its source: publisher, title, day and address', async () => {
    const source = JSON.parse((await run('show src-programme-bruyevre-2025 --json')).stdout).item;
    const fact = 'promise-bruyevre-2025-001';
    expect(await run(`open ${fact} --print`)).to.include({ stdout: `${source.url}\n`, exit: 0 });
    for (const line of [`show ${fact}`, `cite ${fact}`, `cite ${fact} --style bibtex`])
      expect((await run(line)).stdout, line)
        .to.include(source.publisher)
        .and.include(source.url);
    const shown = (await run(`show ${fact}`)).stdout;
    expect(shown).to.include(source.title).and.include('src-commission-electorale-2025');
    expect(shown).not.to.include('source ids');
  });

  it('gets a picture in a file and the ballot as JSON on stdout, and never both there', async () => {
    const file = join(demo.folder, 'VAL1V4.svg');
    const drawn = (...words: string[]) => askProgram(['vote', 'VAL1V4', ...words], { env: env() });
    const { stdout, exit } = await drawn('--svg', file, '--json');
    expect([exit, JSON.parse(stdout).item.scrutin_id]).to.deep.equal([0, 'VAL1V4']);
    expect(readFileSync(file, 'utf8')).to.match(/^<svg /);
    expect(await run('vote VAL1V4 --svg - --json --quiet')).to.include({ stdout: '', exit: 2 });
    expect((await drawn('--png', file)).exit).to.equal(0);
    expect(readFileSync(file).subarray(1, 4).toString()).to.equal('PNG');
  });

  it('is told in its language which flag is missing, too large, or lacks its dashes', async () => {
    for (const [line, message] of [
      ['dossier ADR', 'il manque --output'],
      ['serve --port 99999', '--port : « 99999 » doit être au plus 65535'],
      ['schedule print systemd', '--systemd'],
    ] as const) {
      const { stderr, exit } = await run(`${line} --lang fr`);
      expect([exit, stderr.replaceAll('\u00a0', ' ').includes(message)], stderr).to.deep.equal([2, true]);
    }
  });

  it('is told how the list is narrowed to a party or a department that was typed for a person', async () => {
    for (const [line, exit, narrowed] of [
      ['politicians ADR', 3, 'politicians --party ADR'],
      ['politicians haute-ombre', 3, 'politicians --department haute-ombre'],
      ['politicians Haute-Ombre 1', 3, 'politicians --department Haute-Ombre --constituency 1'],
    ] as const) {
      const refusal = await run(line);
      expect(refusal.stderr, line).to.include(`did you mean: hemicycle ${narrowed}?`);
      expect(refusal.exit, line).to.equal(exit);
      expect(await run(narrowed), narrowed).to.include({ exit: 0 });
    }
    expect((await run('politicians nobody')).stderr).not.to.include('did you mean');
  });

  it('is told in French what to do next, also where no ballot is called that, or several people are', async () => {
    for (const [line, hint] of [
      ['vote zorglub', 'par des mots de leur titre : `hemicycle ballots -q MOT`'],
      ['vote 77777 --source mirror', 'pour l’autre chambre : --chamber'],
      ['vote vergers', 'choisissez-en un par id'],
    ] as const) {
      const { stderr } = await run(`${line} --lang fr`);
      expect(stderr.replaceAll('\u00a0', ' '), line).to.match(new RegExp(hint));
    }
  });

  it('is told that no ballot was given where the name is empty', async () => {
    const { stderr, exit } = await askProgram(['vote', ' '], { env: env() });
    expect([exit, stderr.split('\n')[0]]).to.deep.equal([2, 'Error: no ballot was given']);
  });

  it('gets by a number the ballot of the Assemblée nationale, and that of the Sénat where only it has one', async () => {
    const key = async (line: string) => {
      const { scrutin_id, chamber } = JSON.parse((await run(`${line} --format ndjson`)).stdout);
      return `${chamber}:${scrutin_id}`;
    };
    expect(await key('vote 7')).to.equal('AN:VAL1V7');
    expect(await key('vote 7 --chamber Senat')).to.equal('Senat:2026-7');
  });

  it('gets a ballot by its chamber and id in any case', async () => {
    const { stdout } = await run('vote AN:VAL1V4 --format ndjson');
    expect(stdout).to.include('"scrutin_id":"VAL1V4"');
    for (const line of ['vote an:val1v4', 'vote AN:val1v4', 'vote an:VAL1V4', 'vote val1v4 --chamber AN'])
      expect(await run(`${line} --format ndjson`), line).to.include({ stdout, exit: 0 });
  });

  for (const [line, word, spellings] of spelled)
    it(`means \`${word}\` by ${spellings.join(', ')} in \`hemicycle ${line}\``, async () => {
      const { stdout, exit } = await run(line.replace('WORD', word));
      expect(exit).to.equal(0);
      expect(stdout).not.to.equal('');
      for (const spelling of spellings)
        expect(await run(line.replace('WORD', spelling)), spelling).to.include({ stdout, exit });
    });
});
