import { expect } from 'chai';
import { changeFilterParameters } from '../../src/questions/changes.ts';
import { saveDemoSubject } from '../helpers/demo-subject.ts';
import { views } from '../helpers/views.ts';
import { type Grid, gridOf } from '../questions/parameter-grid.ts';
import { type DemoServer, startDemoServer } from './demo-server.ts';

const lists = views.filter(
  ({ path, question, needs }) => question?.answers === 'list' && !needs && !/^\/(ask|history)\b/.test(path),
);

/** Parameters that arrange an answer and filter nothing. */
const arranging = ['sort', 'by', 'sum', 'author', 'all_copies'];

type Pair = [name: string, value: string];

const pairsOf = (grid: Grid): Pair[] =>
  Object.entries(grid).flatMap(([name, value]) => [value].flat().map((each): Pair => [name, each]));

const addressOf = (path: string, pairs: Pair[]) => [path, `${new URLSearchParams(pairs)}`].filter(Boolean).join('?');

/** The pairs of an address in the order of their names. */
const sortedPairs = (address: string) => {
  const { searchParams } = new URL(address, 'http://localhost');
  searchParams.sort();
  return `${searchParams}`;
};

describe('the active filters of a page', () => {
  let server: DemoServer;
  before(async () => {
    server = await startDemoServer();
    await saveDemoSubject(server.writer.path);
  });
  after(() => server.close());

  for (const view of lists) {
    const path = view.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(view.example[name] ?? ''));
    it(`of ${view.path} are shown with a link that removes each, and stay when its form is sent`, async () => {
      for (const grid of gridOf(view.parameters)) {
        const pairs = pairsOf(grid).filter(([name]) => !(name in view.example));
        const address = addressOf(path, pairs);
        const page = await server.app.inject(address);
        if (page.statusCode !== 200) continue;
        const [chips = ''] = /<ul class="chips" aria-label="Filters">.*?<\/ul>/s.exec(page.body) ?? [];
        const links = [...chips.matchAll(/href="([^"]*)"/g)].map(([, href]) =>
          sortedPairs(href!.replaceAll('&amp;', '&')),
        );
        const filters = pairs.filter(([name]) => !arranging.includes(name));
        const expected = filters.map((each) =>
          sortedPairs(
            addressOf(
              path,
              pairs.filter((other) => other !== each),
            ),
          ),
        );
        expect(links, address).to.have.members(expected);
        const [form] = /<form class="filters".*?<\/form>/s.exec(page.body) ?? [];
        if (form === undefined) continue;
        const names = [...form.matchAll(/ name="([^"]*)"/g)].map(([, name]) => name);
        expect(names, address).to.include.members(filters.map(([name]) => name));
      }
    });
  }

  it('may be written with commas: each value has its link, and all stay in the form', async () => {
    const page = await server.app.inject('/feed?types=content,promise');
    const [chips = ''] = /<ul class="chips" aria-label="Filters">.*?<\/ul>/s.exec(page.body) ?? [];
    expect([...chips.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).to.deep.equal([
      '/feed?types=promise',
      '/feed?types=content',
    ]);
    const [form = ''] = /<form class="filters".*?<\/form>/s.exec(page.body) ?? [];
    expect(form)
      .to.match(/<option value="content" selected>/)
      .and.not.match(/<option value="promise" selected>/);
    expect(form).to.include('<input type="hidden" name="types" value="promise">');
    const votes = await server.app.inject('/votes?voted=alliance-des-rivages:for,parti-du-verger:against');
    for (const value of ['alliance-des-rivages:for', 'parti-du-verger:against'])
      expect(votes.body, value).to.include(`<option value="${value}" selected>`);
  });

  it('are shown in the language of the page, with the names of groups', async () => {
    const page = await server.app.inject(
      '/votes?voted=alliance-des-rivages:for&voted_stated=alliance-des-rivages:against&lang=fr',
    );
    const [chips = ''] = /<ul class="chips" aria-label="Filtres">.*?<\/ul>/s.exec(page.body) ?? [];
    expect(chips.replaceAll(/<[^>]+>/g, '').replaceAll(/\s/g, ' ')).to.match(
      /Comment les groupes ont voté : .+ : Pour ×.*Positions telles que la source les énonce : .+ : Contre ×/,
    );
  });

  it('never stand beside the first import of the whole mirror', async () => {
    const summary = 'first import: ';
    expect((await server.app.inject('/changes?lang=en')).body).to.include(summary);
    for (const grid of gridOf(changeFilterParameters))
      for (const pair of pairsOf(grid)) {
        const { statusCode, body } = await server.app.inject(addressOf('/changes', [pair, ['lang', 'en']]));
        if (statusCode === 200) expect(body, pair.join('=')).not.to.include(summary);
      }
  });

  it('leave out what the page does not apply', async () => {
    const ignoring = lists.filter(({ parameters, path }) => !('subject' in parameters) && !path.includes('{'));
    expect(ignoring.map(({ path }) => path)).to.include.members(['/parties', '/topics']);
    for (const { path } of ignoring)
      expect((await server.app.inject(`${path}?subject=veille&lang=en`)).body, path).not.to.include('Subject: ');
    expect((await server.app.inject('/changes?subject=veille&lang=en')).body).to.include('Subject: ');
  });
});
