import { expect } from 'chai';
import { type Column, describedFields, kinds } from '../../src/model/kinds.ts';
import { seatStateNames } from '../../src/model/seats.ts';
import { questions } from '../../src/questions/table.ts';
import { stanceNames } from '../../src/server/pages/views/ballots.ts';
import { tidyTables } from '../../src/store/records/tidy-tables.ts';
import { frenchHeader } from '../../src/words/french.ts';
import { loadLanguage, speechOf } from '../../src/words/speech.ts';
import { readDemoMirror } from '../helpers/demo-mirror.ts';
import { views } from '../helpers/views.ts';
import { type DemoServer, startDemoServer } from './demo-server.ts';

const attendance = /\babsen|\bpr[ée]sences?(?!\p{L})|attendance|assidu/iu;

/** Claims that a label may make only if the description of its field makes them, in the dictionary's English. */
const claims: { label: RegExp; description: RegExp }[] = [
  { label: attendance, description: /absen|attend/iu },
  {
    label: /did not vote|(?:n’|n')ont pas voté|sans vote|no vote|aucun vote/iu,
    description: /no (?:recorded )?vote|nobody voted|no member voted|no position|without a (?:recorded )?vote/iu,
  },
  { label: /non-vot/iu, description: /non-voters/iu },
  { label: /declared|déclaré/iu, description: /declared/iu },
  { label: /majorit/iu, description: /majorit|votes required|votes needed/iu },
  { label: /unani/iu, description: /unani/iu },
  { label: /\bwon\b|\blost\b|gagné|perdu|outcome|issue du/iu, description: /\bwon\b|\blost\b|outcome/iu },
  { label: /today|aujourd|actuel|current/iu, description: /today|current/iu },
  { label: /dissen|dissiden|frond/iu, description: /dissent|outside its/iu },
];

/** A description without what it says the field is not. */
const affirmed = (description: string) => description.replaceAll(/\b(?:not|never)\b[^.;,]*/giu, '');

const nested = (column: Column): Column[] => {
  const { inside } = column;
  if (!inside) return [column];
  const inner = 'list' in inside ? (inside.list === 'ids' ? [] : inside.list) : inside.fields;
  return [column, ...inner.flatMap(nested)];
};

/** Headings of a page: of tables, facts, legends, and fields of forms. */
const headingsIn = (body: string): string[] =>
  [
    ...body.matchAll(
      /<(?:th(?= scope="col")|dt|label|legend|summary)\b[^>]*>(.*?)<\/(?:th|dt|label|legend|summary)>|<span class="mark [^>]*><\/span>([^<]*)</gsu,
    ),
  ].map(([, heading, sign]) => (heading ?? sign ?? '').replaceAll(/<[^>]*>/g, ' ').trim());

describe('a label', () => {
  const demo = readDemoMirror();
  const dictionary = (): Column[] => [
    ...kinds.flatMap((kind) => [...describedFields(kind), ...(kind.flat ?? [])]),
    ...questions.flatMap((question) => ('fields' in question ? (question.fields ?? []) : [])),
    ...tidyTables.flatMap(({ content }) => content(demo.mirror, {}).columns),
  ];
  let server: DemoServer;
  before(async () => {
    await loadLanguage('fr');
    server = await startDemoServer();
  });
  after(() => server.close());

  it('of a field claims nothing that its description does not, at a terminal and in spreadsheets', () => {
    const labels = ({ name }: Column) => [speechOf('en').field(name), speechOf('fr').field(name), frenchHeader(name)];
    const columns = dictionary().flatMap(nested);
    // The name of a column is public, and stays.
    const claimed = columns.flatMap((column) =>
      labels(column).flatMap((label) =>
        claims.flatMap((claim) => (label !== column.name && claim.label.test(label) ? { column, label, claim } : [])),
      ),
    );
    expect(claimed.length).to.be.greaterThan(10);
    for (const { column, label, claim } of claimed)
      expect(affirmed(column.description), `${column.name}: ${label}`).to.match(claim.description);
  });

  it('of declared non-voters says that they are declared', () => {
    const names = new Set(
      dictionary()
        .flatMap(nested)
        .flatMap(({ name }) => (/(?:^|_)non_voting$/.test(name) ? name : [])),
    );
    expect([...names]).to.have.members(['non_voting', 'votes_non_voting']);
    for (const name of names)
      for (const label of [speechOf('fr').field(name), frenchHeader(name)])
        if (label !== name) expect(label).to.match(/déclaré/);
  });

  it('of a seat tells the declared non-voting from members without a recorded vote', () => {
    const languages = [speechOf('en'), speechOf('fr')];
    for (const speech of languages)
      for (const [state, label] of [
        ...Object.entries(seatStateNames).map(([state, name]) => [state, speech.word(name)] as const),
        ...Object.entries(stanceNames).map(([state, phrase]) => [state, speech.render(phrase)] as const),
      ]) {
        expect(label, state).not.to.match(attendance);
        if (state === 'non_voting') expect(label).to.match(/declared|déclaré/iu);
        if (state === 'unrecorded') expect(label).to.match(/no vote recorded|aucun vote enregistré/iu);
      }
  });

  it('on a page speaks of nobody’s attendance, which no field states', async () => {
    for (const view of views.filter(({ path }) => path !== '/sql'))
      for (const lang of ['en', 'fr']) {
        const address = view.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
          encodeURIComponent(view.example[name]!),
        );
        const { body } = await server.app.inject({ url: `${address}?lang=${lang}`, headers: { accept: 'text/html' } });
        for (const heading of headingsIn(body))
          expect(heading, `${view.path} (${lang})`).not.to.match(
            new RegExp(`${attendance.source}|did not vote|(?:n’|n')ont pas voté|^non-vot(?:er|ing|ant)s?$`, 'iu'),
          );
      }
  });

  it('is that of the field on the page of a ballot, where both have a column of their own', async () => {
    for (const [lang, labels] of [
      ['en', ['Declared non-voting', 'No vote recorded', 'Members']],
      ['fr', ['Non-votants déclarés', 'Aucun vote enregistré', 'Membres']],
    ] as const) {
      const { body } = await server.app.inject({
        url: `/votes/AN/VAL1V4?lang=${lang}`,
        headers: { accept: 'text/html' },
      });
      const headings = headingsIn(body);
      for (const label of labels)
        expect(
          headings.filter((each) => each === label),
          label,
        ).to.have.length(2);
      expect(
        headings.some((each) => each.startsWith(`${labels[1]} `)),
        'in the legend, with its number',
      ).to.equal(true);
    }
  });
});
