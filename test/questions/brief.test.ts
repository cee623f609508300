import { expect } from 'chai';
import { ask } from '../../src/index.ts';
import type { Document } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { brief } from '../../src/questions/brief.ts';
import { openMirror, openWritableMirror } from '../../src/store/open.ts';
import { readRecord } from '../../src/store/record.ts';
import { beginRun, endRun } from '../../src/store/syncs/runs.ts';
import { readDemoMirror } from '../helpers/demo-mirror.ts';
import { createDemoMorning, morning, newBallot } from '../helpers/demo-morning.ts';
import { saveSubjects } from '../helpers/demo-subject.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';
import { saveAll } from '../server/demo-server.ts';
import { fieldsAt, itemsAt } from './question-results.ts';

describe('the question for a brief', () => {
  let demo: Awaited<ReturnType<typeof createDemoMorning>>;
  before(async () => {
    demo = await createDemoMorning();
  });
  after(() => demo.remove());
  const filledOnce = readDemoMirror();

  const keysAt = (parameters: Record<string, unknown>) => {
    const mirror = openMirror(demo.db);
    return fieldsAt(mirror, brief, ['section', 'key'], parameters).finally(() => mirror.close());
  };

  it('tells votes on whole texts, statements, withdrawals, edits and new contradictions, in this order', async () => {
    expect(await keysAt({})).to.deep.equal([
      ['votes', 'AN:VAL1V90'],
      ['statements', 'quote-new'],
      ['withdrawals', 'promise-bruyevre-2025-003'],
      ['edits', 'AN:VAL1V1'],
      ['contradictions', 'AN:VAL1V1'],
    ]);
    expect(await keysAt({ since: morning })).to.deep.equal([]);
  });

  it('tells only what is in a subject, withdrawn records by their former words, and refuses an unknown one', async () => {
    await saveSubjects(demo.db, { phares: ['word: proposition phares'], oceane: ['person: oceane-bruyevre'] });
    expect(await keysAt({ subject: 'phares' })).to.deep.equal([['votes', 'AN:VAL1V90']]);
    expect(await keysAt({ subject: 'oceane' })).to.deep.equal([['withdrawals', 'promise-bruyevre-2025-003']]);
    expect(await keysAt({ subject: 'phare' }).catch(({ message }) => message)).to.include(
      'there is no subject "phare"',
    );
  });

  it('says of a vote what the record states, with the votes of each group for its position', async () => {
    const mirror = openMirror(demo.db);
    const [vote, quote, withdrawal] = await itemsAt(mirror, brief);
    mirror.close();
    expect(vote!.summary).to.equal(
      "Added: ballot, “l'ensemble de la proposition de loi relative aux phares (première lecture).” AN · 1 November 2026. " +
        'Adopted: 22 for, 3 against, 0 abstentions. For: Groupe rivages (20 of 28). Against: Groupe verger (2 votes).',
    );
    expect(quote!.summary).to.match(/^Added: quote of Aïcha Dunevive, “Nous rallumerons le phare\.” .*10 June 2026\.$/);
    expect(withdrawal!.summary).to.match(/^Withdrawn: promise of Océane Bruyèvre, “/);
    expect([vote!.show, withdrawal!.show]).to.deep.equal([
      'hemicycle show ballot AN:VAL1V90',
      'hemicycle history promise promise-bruyevre-2025-003',
    ]);
  });

  it('tells no import that filled the mirror, whatever the period', async () => {
    expect(await keysAt({ since: '2026-10-01', limit: 100 })).to.deep.equal(await keysAt({}));
    const filled = filledOnce.mirror;
    expect(await itemsAt(filled, brief)).to.deep.equal([]);
    expect(await itemsAt(filled, brief, { since: '2026-01-01' })).to.deep.equal([]);
  });

  it('takes the syncs before the first success as one fill', async () => {
    const { mirror, remove } = createTemporaryMirror();
    const sync = (day: number, exit: number, id: string) => {
      const at = (minute: number) => `2026-03-0${day}T06:0${minute}:00.000Z`;
      const run = beginRun(mirror, 'https://fictif.example', at(0));
      saveAll(mirror, 'ballot', [newBallot(id)], at(1));
      endRun(mirror, run, { at: at(2), exit, report: '{}' });
    };
    sync(1, 6, 'V1');
    sync(2, 0, 'V2');
    sync(3, 0, 'V3');
    expect(await fieldsAt(mirror, brief, ['key'], { since: '2026-01-01' })).to.deep.equal([['AN:V3']]);
    remove();
  });

  it('shares its length between the sections, and says how much there is', async () => {
    const mirror = openMirror(demo.db);
    const { items, total } = await ask(mirror, brief, { limit: 3 });
    const sections = [...(items as Iterable<Record<string, unknown>>)].map(({ section }) => section);
    expect([sections, total]).to.deep.equal([['votes', 'statements', 'withdrawals'], 5]);
    mirror.close();
  });

  it('knows no contradiction as new of which the figures alone changed, and the records of a past moment', async () => {
    const at = '2026-11-03T06:00:00.000Z';
    const writer = openWritableMirror(demo.db);
    const former = readRecord(writer, kindOf('ballot'), 'AN:VAL1V1')!;
    const edited = { ...former, totals: { ...(former.totals as object), for: 61 } } as Document;
    saveAll(writer, 'ballot', [edited, newBallot('VAL1V90', { result: 'rejeté' })], at);
    writer.close();
    const edits = ['AN:VAL1V1', 'AN:VAL1V90'].map((key) => ['edits', key]);
    expect(await keysAt({ since: morning })).to.have.deep.members(edits);
    const mirror = openMirror(demo.db);
    const { items, total } = brief.read(
      mirror,
      { subject: [], since: '2026-11-01T12:00:00.000Z', limit: 10 },
      { searchesByMeaning: false, asOf: morning },
    );
    const [vote] = [...items].map((text): Document => JSON.parse(text));
    expect([vote!.key, vote!.section, total]).to.deep.equal(['AN:VAL1V90', 'votes', 5]);
    expect(vote!.summary).to.include('Adopted');
    mirror.close();
  });
});
