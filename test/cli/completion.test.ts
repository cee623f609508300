import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { completionsFor, type ReadMirror } from '../../src/cli/completion.ts';
import { readManifest } from '../../src/cli/manifest.ts';
import { openMirror } from '../../src/store/open.ts';
import { completeShortNames } from '../../src/store/records/reference.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';

const manifest = readManifest(fileURLToPath(new URL('../..', import.meta.url)));

describe('the completion of a command line', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let read: ReadMirror;
  let close: () => void;
  before(async () => {
    demo = await createDemoMirror();
    const mirror = openMirror(demo.db);
    close = () => mirror.close();
    read = (words) => words(mirror);
  });
  after(() => {
    close();
    return demo.remove();
  });

  const after_ = (line: string) => completionsFor(line.split(' '), manifest, read).map(({ word }) => word);

  /** A command line up to the cursor → what the last word may become. */
  const lines: [line: string, words: string[]][] = [
    ['pol', ['politicians']],
    ['config ', ['get', 'list', 'set', 'unset']],
    ['config get site', ['site-url']],
    ['vote --cham', ['--chamber']],
    ['parties --no-h', ['--no-header']],
    ['parties --format c', ['csv']],
    ['parties --format=ma', ['--format=markdown']],
    ['feed --types content,pr', ['content,promise']],
    ['feed --topic log', ['logement']],
    ['politicians oceane', ['oceane-bruyevre']],
    ['politicians --party AD', ['ADR']],
    ['politicians --party ADR --sort f', ['freshness']],
    ['ballots --group AD', ['ADR']],
    ['compare ADR PD', ['PDV']],
    ['show par', ['party']],
    ['changes --kind politician,prom', ['politician,promise']],
    ['sync --only part', ['party']],
    ['changes --only ed', ['edited']],
    ['watch add pensions ballots --only added,wi', ['added,withdrawn']],
    ['export prom', ['promises']],
    ['export verify ', [':files']],
    ['import ', [':files']],
    ['vote VAL1V4 --card ', [':files']],
    ['vote VAL1V4 --sv', []],
    ['help rec', ['records', 'recipes']],
    ['records spe', ['speech']],
    ['completion ', ['bash', 'zsh', 'fish']],
    ['nonsense ', []],
  ];
  for (const [line, expected] of lines)
    it(`offers ${expected.join(' ') || 'nothing'} after \`${line}\``, () => {
      expect(after_(line)).to.deep.equal(expected);
    });

  it('says whom or what a word means', () => {
    const [candidate] = completionsFor(['politicians', 'oceane-b'], manifest, read);
    expect(candidate).to.deep.equal({ word: 'oceane-bruyevre', meaning: 'Océane Bruyèvre' });
  });

  it('takes no wildcard of SQL for one', () => {
    expect(completeShortNames).to.be.a('function');
    expect(after_('ballots --group %')).to.deep.equal([]);
  });
});
