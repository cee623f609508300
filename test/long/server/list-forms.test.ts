import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import type { Document } from '../../../src/model/document.ts';
import { saveDemoSubject } from '../../helpers/demo-subject.ts';
import { views } from '../../helpers/views.ts';
import { copiesOfOneText, type Grid, gridOf } from '../../questions/parameter-grid.ts';
import { type DemoServer, saveAll, startDemoServer } from '../../server/demo-server.ts';

/** Pages of one list each; saved questions are in a folder of the operator. */
const lists = views.filter(
  ({ path, question, forms, needs }) =>
    question?.answers === 'list' && forms.csv && !needs && !/^\/(ask|history)\b/.test(path),
);

describe('the other forms of a list page', () => {
  let server: DemoServer;
  before(async () => {
    server = await startDemoServer();
    await saveDemoSubject(server.writer.path);
    saveAll(server.writer, 'content', copiesOfOneText);
  });
  after(() => server.close());

  const addressOf = (path: string, grid: Grid) => {
    const query = new URLSearchParams(
      Object.entries(grid).flatMap(([name, value]) => [value].flat().map((each): [string, string] => [name, each])),
    );
    return `${path}?${query}`;
  };

  async function walk(path: string, grid: Grid): Promise<{ items: Document[]; totals: unknown[] }> {
    const items: Document[] = [];
    const totals: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const address: string = addressOf(`${path}.json`, cursor === '' ? grid : { ...grid, cursor });
      const answer = await server.app.inject(address);
      expect(answer.statusCode, addressOf(path, grid)).to.equal(200);
      const {
        items: page,
        total,
        next_cursor: next,
      }: { items: Document[]; total: number; next_cursor?: string } = answer.json();
      items.push(...page);
      totals.push(total);
      cursor = next ?? null;
    }
    return { items, totals };
  }

  for (const view of lists) {
    const path = view.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(view.example[name] ?? ''));
    it(`${view.path} has as many rows in a file, and as many items page by page, as it says`, async () => {
      for (const grid of gridOf(view.parameters)) {
        const [needed] = Object.keys(view.example);
        const own = Object.fromEntries(Object.entries(grid).filter(([name]) => name !== needed));
        const csv = await server.app.inject(addressOf(`${path}.csv`, own));
        if (csv.statusCode === 422) continue;
        const rows = parse(csv.body, { columns: true, bom: true });
        const { items, totals } = await walk(path, own);
        const name = addressOf(path, own);
        expect(items.length, name).to.equal(rows.length);
        for (const total of totals) expect(total ?? rows.length, name).to.equal(rows.length);
      }
    });
  }
});
