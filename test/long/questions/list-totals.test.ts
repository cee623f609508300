import { expect } from 'chai';
import { ask, itemsOf, type ListQuestion } from '../../../src/index.ts';
import type { Document } from '../../../src/model/document.ts';
import { createMirrorAnswerer, readWholeList } from '../../../src/questions/answering.ts';
import { parseUserInput } from '../../../src/questions/parameter.ts';
import { questions } from '../../../src/questions/table.ts';
import type { Mirror } from '../../../src/store/mirror.ts';
import { openWritableMirror } from '../../../src/store/open.ts';
import { createDemoMirror } from '../../helpers/demo-mirror.ts';
import { saveDemoSubject } from '../../helpers/demo-subject.ts';
import { copiesOfOneText, type Grid, gridOf } from '../../questions/parameter-grid.ts';
import { walkAt } from '../../questions/question-results.ts';
import { saveAll } from '../../server/demo-server.ts';

/** Lists that a mirror without history or saved questions cannot fill, and the record that one is about. */
const given: Record<string, Grid> = {
  history: { kind: 'politician', key: 'oceane-bruyevre' },
  records: { kind: 'promise' },
  changes: { since: '2000' },
};

/** The number of records that rows stand for: a folded hit of a search also for its copies. */
const recordsIn = ({ parameters }: ListQuestion, rows: Document[]) =>
  rows.reduce((sum, { copies }) => sum + 1 + ('all_copies' in parameters ? Number(copies) : 0), 0);

const lists = questions.filter((each): each is ListQuestion => each.answers === 'list' && !each.name.startsWith('ask'));

describe('the total of a list', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let mirror: Mirror;
  before(async () => {
    demo = await createDemoMirror();
    mirror = openWritableMirror(demo.db);
    await saveDemoSubject(demo.db);
    saveAll(mirror, 'content', copiesOfOneText);
  });
  after(() => {
    mirror.close();
    demo.remove();
  });

  for (const question of lists) {
    it(`of ${question.name} is the number of its rows, whole or page by page, with every value of a parameter`, async () => {
      const answerer = createMirrorAnswerer(mirror, { searchesByMeaning: false, asOf: null });
      const most = 'k' in question.parameters ? 'k' : 'limit';
      for (const grid of gridOf(question.parameters)) {
        // One-sided ballots have no cohesion.
        if (question.name === 'cohesion' && grid.one_sided === 'true') continue;
        const values = { ...grid, ...given[question.name] };
        const typed = parseUserInput(question.parameters, values);
        const whole = await itemsOf(await readWholeList(answerer, question, typed));
        const first = await ask(mirror, question, values);
        const name = JSON.stringify(values);
        expect(first.total ?? first.countAll?.()?.total, name).to.equal(recordsIn(question, whole));
        if (!('cursor' in question.parameters)) continue;
        const { pages, total } = await walkAt(mirror, question, { ...values, [most]: 7 });
        expect(total ?? recordsIn(question, whole), name).to.equal(recordsIn(question, whole));
        expect(pages.flat(), name).to.deep.equal(whole);
      }
    });
  }
});
