import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import pjson from '../../package.json' with { type: 'json' };
import commandSynonyms from '../../src/cli/command-synonyms.json' with { type: 'json' };
import { helpText } from '../../src/cli/help.ts';
import { readManifest } from '../../src/cli/manifest.ts';
import { unknownCommand } from '../../src/cli/unknown-command.ts';
import { speechOf } from '../../src/words/speech.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { runAtTerminal, runProgram } from '../helpers/program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest = readManifest(root);

/** A question as somebody types it → the line that answers it. */
const questions: [asked: string, line: string][] = [
  ['qui a voté contre les vergers de pommiers ?', "vote 'vergers de pommiers'"],
  ['who voted against the orchards', 'vote orchards'],
  ['combien de députés ont voté pour la motion de censure', "vote 'motion de censure'"],
  ['combien de fois le PDV a voté avec ADR', 'compare PDV ADR'],
  ['how often does ADR vote with PDV since 2025?', 'compare ADR PDV --since 2025'],
  ['do ADR and PDV vote together', 'compare ADR PDV'],
  ['ADR vs PDV', 'compare ADR PDV'],
  ['comment a voté le PDV sur les retraites', 'ballots retraites --group PDV'],
  ['how did the ADR vote on retraites', 'ballots retraites --group ADR'],
  ['les Ateliers ont-ils voté la censure', 'ballots censure --group Ateliers'],
  ['est-ce que Bruyèvre a dit "les gardiens de phare"', "check 'les gardiens de phare'"],
  ['est-ce que Bruyèvre a dit que l’île coule', "check 'l’île coule'"],
  ["did Bruyèvre say l'île coule", 'check "l\'île coule"'],
  ['did Bruyèvre ever say that the lamp is out', "check 'the lamp is out'"],
  ['qui a dit les gardiens de phare', "check 'les gardiens de phare'"],
  ['que dit Bruyèvre sur les retraites', 'search Bruyèvre retraites'],
  ['que Bruyèvre a dit sur les retraites', 'search Bruyèvre retraites'],
  ['quand Bruyèvre a-t-elle parlé de logement', 'search Bruyèvre logement'],
  ['what did Bruyèvre say about logement', 'search Bruyèvre logement'],
  ['qui est Océane Bruyèvre', "politicians 'Océane Bruyèvre'"],
  ['who is Bruyèvre?', 'politicians Bruyèvre'],
  ['combien de députés a le PDV', 'politicians --party PDV'],
  ["qu'est-ce qui a changé depuis hier", 'changes --since hier'],
  ['what changed since last week', 'changes --since 7d'],
  ['what changed since 2026-10-01', 'changes --since 2026-10-01'],
  ['quoi de neuf cette semaine ?', 'changes --since 7d'],
  ["what's new", 'changes'],
  ['who deleted a promise', 'changes --only withdrawn --since 30d'],
  ['qui vote contre son groupe', 'cohesion --sort dissent'],
  ['how united is the PDV', 'cohesion PDV'],
  ['taux de participation du PDV', 'cohesion PDV'],
  ['est-ce que Le Phare a voté la censure', "ballots censure --group 'Le Phare'"],
  ['how many ballots are there', 'status'],
  ['count ballots', 'ballots'],
  ['nombre de députés du PDV', 'politicians PDV'],
  ['derniers votes', 'ballots'],
  ['le dernier scrutin', 'vote --latest'],
  ['combien de scrutins sur les retraites', 'ballots retraites'],
  ['la loi phare a-t-elle été adoptée', "ballots 'loi phare'"],
  ['voting record of PDV', 'ballots --group PDV'],
];

/** What is a question for the words of a search alone: another answer would mislead. */
const otherQuestions = [
  'qui est le premier ministre',
  'who is the prime minister',
  'pourquoi Bruyèvre a changé de parti',
  'quand auront lieu les élections',
  'is Bruyèvre honest',
];

describe('a question typed in place of a command', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  before(async () => {
    demo = await createDemoMirror();
  });
  after(() => demo.remove());
  const env = () => ({ HEMICYCLE_DB: demo.db, HOME: demo.folder });
  const hint = (words: string[], flags: string[] = []) => String(unknownCommand(words, manifest, flags).hint ?? '');

  it('leads to the line that answers it, quoted or not', () => {
    for (const [typedQuestion, line] of questions) {
      expect(hint(typedQuestion.split(' ')), typedQuestion).to.equal(`did you mean: ${line}?`);
      expect(hint([typedQuestion]), typedQuestion).to.equal(`did you mean: ${line}?`);
    }
  });

  it('keeps the flags that were typed behind it', () => {
    expect(hint(['qui', 'a', 'voté', 'la', 'censure'], ['--json'])).to.equal('did you mean: vote censure --json?');
  });

  it('leads to the commands alone that take these flags', () => {
    expect(hint(['members'], ['--group', 'PDV'])).to.equal('did you mean: politicians --group PDV?');
    expect(hint(['members'])).to.equal('did you mean: parties, politicians?');
  });

  it('leads to a search where no command answers it', () => {
    for (const typedQuestion of otherQuestions)
      expect(hint(typedQuestion.split(' ')), typedQuestion).to.match(/^to search for it: `hemicycle search /);
  });

  it('leads to lines that the program takes', async () => {
    for (const line of new Set(questions.map(([, line]) => line))) {
      const words = [...line.matchAll(/'([^']+)'|"([^"]+)"|(\S+)/g)].map(([, ...parts]) => parts.find(Boolean)!);
      expect((await runProgram(words, { env: env() })).exit, line).to.be.oneOf([0, 3, 11]);
    }
    for (const line of Object.keys(commandSynonyms))
      expect(
        await helpText(line.split(' '), { root, pjson }, { width: 80, speech: speechOf('en') }),
        line,
      ).not.to.equal('');
  });

  it('says of a person where a group is asked for that this is one', async () => {
    const { stderr, exit } = await runProgram(['ballots', '--group', 'Bruyèvre'], { env: env() });
    expect(stderr).to.include('that is a politician: `hemicycle politicians oceane-bruyevre` shows');
    expect(exit).to.equal(3);
  });

  it('compares groups with a word between them as without', async () => {
    const { stdout } = await runProgram(['compare', 'ADR', 'PDV'], { env: env() });
    for (const word of ['et', 'and', 'vs', 'avec'])
      expect(await runProgram(['compare', 'ADR', word, 'PDV'], { env: env() }), word).to.include({
        stdout,
        exit: 0,
      });
  });

  it('takes such a word for the name of a group where none stands on both its sides', async () => {
    const { stderr, exit } = await runProgram(['cohesion', 'avec'], { env: env() });
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
