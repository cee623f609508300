import { expect } from 'chai';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { askProgram } from '../helpers/program.ts';

describe('hemicycle contradictions', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  before(async () => {
    demo = await createDemoMirror();
  });
  after(() => demo.remove());
  const run = (...argv: string[]) =>
    askProgram(['contradictions', ...argv], { env: { HOME: demo.folder, HEMICYCLE_DB: demo.db } });

  it('says the sentences of its rules in the language of whoever reads, and the same in every file', async () => {
    expect((await run()).stdout).to.include('a source has an address');
    const { stdout } = await run('--lang', 'fr');
    expect(stdout).to.include('une source a une adresse').and.not.include('a source has');
    const csv = (await run('--lang', 'fr', '--format', 'csv')).stdout;
    expect(csv)
      .to.match(/^rule,records,cause,sentence,command/)
      .and.include('a source has an address');
  });

  it('has the French sentences in JSON, whatever the language of whoever reads', async () => {
    const { items } = JSON.parse((await run('--json')).stdout);
    expect(items.map((each: { sentence_fr: string }) => each.sentence_fr)).to.include('une source a une adresse');
  });
});
