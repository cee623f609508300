import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import pjson from '../../../package.json' with { type: 'json' };
import commandSynonyms from '../../../src/cli/command-synonyms.json' with { type: 'json' };
import { helpText } from '../../../src/cli/help.ts';
import { findCommand, readManifest } from '../../../src/cli/manifest.ts';
import { openWritableMirror } from '../../../src/store/open.ts';
import { speechOf } from '../../../src/words/speech.ts';
import { createDemoMirror } from '../../helpers/demo-mirror.ts';
import { askProgram, runAtTerminal } from '../../helpers/program.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { commands } = readManifest(root);

/** What a newcomer types → the lines that are offered instead; none where nothing matches. */
const inputs: [typed: string, ...offered: string[]][] = [
  ['depute Haute-Ombre', 'politicians --chamber AN --department Haute-Ombre'],
  ['mp Haute-Ombre 1', 'politicians --chamber AN --department Haute-Ombre --constituency 1'],
  ['députée Bruyèvre', 'politicians Bruyèvre'],
  ['sénateurs --parti ADR', 'politicians --chamber Senat --party ADR'],
  ['politicians --parti ADR sénateurs', 'politicians --party ADR --chamber Senat'],
  ['politicians sénateurs', 'politicians --chamber Senat'],
  ['politicians ADR', 'politicians --party ADR'],
  ['politicians UDC --departement Haute-Ombre', 'politicians --department Haute-Ombre --party UDC'],
  ['who is Bruyèvre', 'politicians Bruyèvre'],
  ['qui est "Océane Bruyèvre"', "politicians 'Océane Bruyèvre'"],
  ['members --group PDV', 'politicians --group PDV'],
  ['votes phare', 'ballots phare'],
  ['votes "Océane Bruyèvre"', "search votes 'Océane Bruyèvre'"],
  ['votes zorglub', 'ballots --help', 'vote --help'],
  ['vote zorglub'],
  ['vote 7 --senat', 'vote 7 --chamber Senat'],
  ['scrutin 7', 'vote 7'],
  ['ballots --party ADR --to 2027 -limit 3', 'ballots --group ADR --until 2027 --limit 3'],
  ['ballots --chambre AN --csv', 'ballots --chamber AN --format csv'],
  ['parties --politician Bruyèvre', 'politicians --query Bruyèvre'],
  ['audit --politicien Bruyèvre', 'politicians --query Bruyèvre'],
  ['cohesion ADR --politician Bruyèvre', 'politicians --query Bruyèvre'],
  ['vote 7 --elu Bruyèvre', 'politicians --query Bruyèvre'],
  ['ballots --politician Bruyèvre', 'politicians --query Bruyèvre'],
  ['records ballot --group ADR'],
  ['records ballot --group "parti du verger"'],
  ['text bibliobus', 'search bibliobus'],
  ['text loi', 'ballots -q loi'],
  ['text zorglub'],
  ['ballots -o adr.csv', 'ballots --format csv > adr.csv'],
  ['ballots --party ADR --zorglub'],
  ['compare ADR', 'compare ADR majority'],
  ['compare ADR --since 2025', 'compare ADR --since 2025 majority'],
  ['compare'],
  ['comparer ADR et PDV', 'compare ADR et PDV'],
  ['dissidents PDV', 'cohesion PDV'],
  ['parti du verger', 'parties parti du verger', 'parties verger'],
  ['lois phare', 'search lois phare'],
  ['promesses logement', 'records promises logement'],
  ['promises zorglub', 'records --help'],
  ['theme logement', 'feed --topic logement'],
  ['theme zorglub', 'feed --help', 'topics --help'],
  ['feed --lmit=3 --depuis 2020', 'feed --limit 3 --since 2020'],
  ['search --author Bruyèvre phare', 'search phare --politician Bruyèvre'],
  ['politicians --sort nme --group ADR', 'politicians --sort name --group ADR'],
  ['histoire Bruyèvre', 'history Bruyèvre'],
  ['gardiens phare', 'search gardiens phare'],
  ['ministries'],
  ['qui a voté pour le phare', 'ballots phare'],
  ['comment a voté Bruyèvre', 'search comment a voté Bruyèvre'],
  ['scrutins --chambre assemblée --depuis janvier 2025', "ballots --chamber assemblée --since 'janvier 2025'"],
  ['scrutins depuis mars 2025', "ballots --since 'mars 2025'"],
  ['votes --thème phare', 'ballots --query phare'],
  ['les motions de censure', 'ballots --nature censure'],
  ['note du matin', 'brief'],
  ['quoi de neuf depuis novembre 2026', "changes --since 'novembre 2026'"],
  ['recherche zorglub', 'search zorglub'],
  ['suivre Bruyèvre', 'watch add --help'],
  ['compare ADR PDV --mensuel', 'compare ADR PDV --by month'],
  ['comparer ADR PDV --par mois', 'compare ADR PDV --by month'],
  ['export votes.csv', 'export votes -o votes.csv'],
  ['export --csv'],
  ['evidence AN:VAL1V4', 'evidence AN:VAL1V4 -o evidence.zip'],
  ['evidence AN:VAL9V9'],
];

/** Lines that name days, or ask what the words do not find: an empty answer says what the mirror covers. */
const mayBeEmpty = /--since|^brief$|^search (?:comment|zorglub)/;

/** The lines that a hint offers. */
function offeredLines(stderr: string): string[] {
  const [, lines] = /^did you mean: (.*)\?$/m.exec(stderr) ?? [];
  return lines?.split(', ').map((line) => line.replace(/^hemicycle /, '')) ?? [];
}

/** The whole lines that a message names otherwise; words in capitals stand for something else. */
function namedLines(stderr: string): string[] {
  const lines = [...stderr.matchAll(/`hemicycle ([^`]+)`/g)].map(([, line]) => line!);
  return lines.filter((line) => !/ [A-Z]{3,}\b/.test(line));
}

/** The words of a line as a shell splits it, which only one with quotes or signs of the shell needs. */
function shellWords(line: string, env: Record<string, string>): string[] {
  if (/^[\p{L}\p{N} .,:@/_=-]*$/u.test(line)) return line.split(' ').filter(Boolean);
  const words = execFileSync('sh', ['-c', 'eval "set -- $LINE"; printf "%s\\0" "$@"'], { env });
  return words.toString().split('\0').slice(0, -1);
}

describe('a line that is offered in place of what was typed', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  before(async () => {
    demo = await createDemoMirror();
  });
  after(() => demo.remove());
  const env = () => ({ HEMICYCLE_DB: demo.db, HOME: demo.folder });

  /** Types a line in a shell, word for word; one that writes a file is run by the shell, in the folder of the mirror. */
  const typeLine = (line: string, variables = {}) => {
    const typedEnv = { ...env(), LINE: line, ...variables };
    if (/ -o | > /.test(line))
      return askProgram([], {
        env: typedEnv,
        cwd: demo.folder,
        before: ['sh', '-c', 'program="$0 $*"; hemicycle() { $program "$@"; }; eval "hemicycle $LINE"'],
      });
    return askProgram(shellWords(line, typedEnv), { env: typedEnv });
  };

  /** True if the line shows help, writes a file or answers with at least one record. */
  async function answers(line: string): Promise<boolean> {
    const words = line.split(' ');
    const { id } = findCommand(words, Object.keys(commands))!;
    if (!('source' in commands[id]!.flags) || /--help| > |--format/.test(line))
      return (await typeLine(line)).exit === 0;
    const { stdout, exit } = await typeLine(`${line} --json`);
    const { items, item } = JSON.parse(stdout);
    return exit === 0 && (item !== undefined || items.length > 0 || mayBeEmpty.test(line));
  }

  for (const [typed, ...lines] of inputs)
    it(`answers if it is typed: \`${typed}\` leads to ${lines.join(', ') || 'none'}`, async () => {
      const { stderr, exit } = await typeLine(typed);
      expect(exit, stderr).not.to.equal(0);
      expect(offeredLines(stderr)).to.deep.equal(lines);
      for (const line of [...lines, ...namedLines(stderr)]) expect(await answers(line), line).to.equal(true);
    });

  it('answers after a typing error in each command that reads records', async () => {
    for (const { id, flags } of Object.values(commands).filter((each) => 'source' in each.flags)) {
      const typed = [`${id}x`, ...('limit' in flags ? ['-limit', '1'] : ['--cvs'])].join(' ');
      const lines = offeredLines((await typeLine(typed)).stderr);
      for (const line of lines) expect((await typeLine(line)).exit, `${typed}: ${line}`).to.equal(0);
    }
  });

  it('never leads to a line that would empty a file that is there', async () => {
    const draft = join(demo.folder, 'draft.md');
    writeFileSync(draft, 'Mes notes.\n');
    for (const typed of [`vérifier --fichier ${draft}`, `check ${draft}`])
      expect(offeredLines((await typeLine(typed)).stderr), typed).to.deep.equal([`check --file ${draft}`]);
    for (const typed of [`ballots -o ${draft}`, `search phare --output ${draft}`])
      expect(offeredLines((await typeLine(typed)).stderr).join(), typed).not.to.include('>');
    rmSync(draft);
  });

  it('names nothing of the fictional data on the mirror of another service', async () => {
    const db = join(demo.folder, 'empty.db');
    openWritableMirror(db).close();
    const names = /ADR|PDV|rivages|bruy[eè]v|gardiens|VAL1V|src-0/i;
    for (const id of Object.keys(commands).filter((each) => !/^(demo|help|serve|mcp|init|sync|doctor)$/.test(each)))
      expect((await typeLine(id.replace(':', ' '), { HEMICYCLE_DB: db })).stderr, id).not.to.match(names);
    rmSync(db);
  });

  it('is offered only if a mirror is there that it matches', async () => {
    const { stderr } = await typeLine('politicans Bruyèvre', { HEMICYCLE_DB: '/nowhere/mirror.db' });
    expect(offeredLines(stderr)).to.deep.equal(['politicians --help']);
  });

  it('is a command or its help for every synonym', async () => {
    // Words behind `* ` are second words within a group of commands.
    const lines = Object.entries(commandSynonyms).filter(([, words]) => words.some((word) => !word.startsWith('* ')));
    for (const [line] of lines)
      expect(
        await helpText(line.split(' '), { root, pjson }, { width: 80, speech: speechOf('en') }),
        line,
      ).not.to.equal('');
  });

  it('names every ending that an export takes', async () => {
    const named = new Set<string>();
    for (const typed of ['export -o x.ods', 'export ballots -o x.ods', 'export votes -o x.xls']) {
      const { stderr } = await typeLine(typed);
      const endings = [...stderr.matchAll(/\.(?:csv|parquet|ndjson|xlsx)[\w.]*/g)].map(([ending]) => ending);
      expect(new Set(endings), stderr).to.include.all.keys('.csv', '.parquet', '.ndjson.zst', '.xlsx');
      for (const ending of endings) named.add(ending);
    }
    for (const ending of named) {
      const out = join(demo.folder, `x${ending}`);
      expect((await askProgram(['export', 'ballots', '-o', out], { env: env() })).exit, ending).to.equal(0);
    }
  });

  it('says of a person where a group is asked for that this is one', async () => {
    const { stderr, exit } = await askProgram(['ballots', '--group', 'Bruyèvre'], { env: env() });
    expect(stderr).to.include('that is a politician: `hemicycle politicians oceane-bruyevre` shows');
    expect(exit).to.equal(3);
  });

  it('compares groups with a word between them as without', async () => {
    const { stdout } = await askProgram(['compare', 'ADR', 'PDV'], { env: env() });
    for (const word of ['et', 'and', 'vs', 'avec'])
      expect(await askProgram(['compare', 'ADR', word, 'PDV'], { env: env() }), word).to.include({
        stdout,
        exit: 0,
      });
  });

  it('takes such a word for the name of a group where none stands on both its sides', async () => {
    const { stderr, exit } = await askProgram(['cohesion', 'avec'], { env: env() });
    expect(exit, stderr).to.equal(3);
  });

  it('is asked at a terminal for the value of a secret', async () => {
    const input = 'newsroom-token\n\u0004';
    const { stdout, exit } = await runAtTerminal(['config', 'set', 'token'], { env: env(), input });
    expect(stdout).to.include('type the value of token, then Enter and Ctrl-D');
    expect(exit).to.equal(0);
  });

  it('is told at a terminal, too, what a missing flag would take', async () => {
    const { stdout } = await runAtTerminal(['evidence', 'AN:VAL1V4'], { env: env() });
    expect(stdout).to.include('--output is missing').and.include('evidence AN:VAL1V4 -o evidence.zip');
  });
});
