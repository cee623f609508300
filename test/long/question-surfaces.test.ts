import { expect } from 'chai';
import { ask, itemsOf, type ListQuestion } from '../../src/index.ts';
import type { Document } from '../../src/model/document.ts';
import { flagName, type Parameters } from '../../src/questions/parameter.ts';
import { commandKinds } from '../../src/questions/search.ts';
import { questions } from '../../src/questions/table.ts';
import { tools } from '../../src/server/mcp/tools.ts';
import { rowsOf } from '../../src/watches/rows.ts';
import { parseWatch, watchableWords } from '../../src/watches/watched-question.ts';
import { loadLanguage, speechOf } from '../../src/words/speech.ts';
import { saveDemoSubject } from '../helpers/demo-subject.ts';
import { askProgram } from '../helpers/program.ts';
import { views } from '../helpers/views.ts';
import { copiesOfOneText, type Grid, gridOf } from '../questions/parameter-grid.ts';
import { type DemoServer, saveAll, startDemoServer } from '../server/demo-server.ts';
import { openWire, type Wire } from '../server/mcp-client.ts';

const lists = questions.filter(
  (each): each is ListQuestion => each.answers === 'list' && !/^(asks?|history|search-semantic|check)$/.test(each.name),
);

/** Values for questions that need them, in the demo dataset. */
const neededValues: Record<string, Grid> = {
  records: { kind: 'promise' },
  changes: { since: '2000' },
  brief: { since: '2000' },
};

/** Parameters that state who chose the ballots, continue or cut a list, or explain it: they do not choose records. */
const notFilters = ['author', 'limit', 'cursor', 'explain'];

/** Filters whose values are refused: one-sided ballots have no cohesion. */
const refused: Record<string, string[]> = { cohesion: ['one_sided'] };

/** Kinds that a page or a watch searches, if the question names none: other ones than the interface's. */
const searchedKinds: Record<string, readonly string[]> = {
  page: (views.find(({ path }) => path === '/search')!.questionValues({}) as { type: string[] }).type,
  watch: commandKinds,
};

function withKinds(surface: 'page' | 'watch', { name }: ListQuestion, values: Grid): Grid {
  const isNarrowed = values.type || values.types || (surface === 'watch' && values.topic);
  return name === 'search' && !isNarrowed ? { ...values, type: [...searchedKinds[surface]!] } : values;
}

/** The address of a path with braces: path parts are filled in, other values stand in the query. */
function addressOf(path: string, values: Grid, ending = '') {
  const rest = { ...values };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const { [name]: value } = rest;
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  const pairs = Object.entries(rest).flatMap(([name, value]) => [value].flat().map((each) => [name, each]));
  return `${filled}${ending}?${new URLSearchParams(pairs as [string, string][])}`;
}

/** Parameters that are typed without a flag, beside parts of paths. */
const wordsOf: Record<string, string> = { compare: 'group', cohesion: 'group', search: 'q' };

/** A question as somebody types it behind the name of the program. */
function typedWords({ name, parameters }: ListQuestion, values: Grid): string[] {
  const words = Object.entries(values).flatMap(([each, value]) => {
    const parameter = parameters[each]!;
    const texts = [value].flat();
    if (parameter.isPathPart || each === wordsOf[name]) return texts;
    const flag = `--${flagName(each, parameter)}`;
    if (parameter.schema.type === 'boolean') return value === 'true' ? [flag] : [];
    return texts.flatMap((text) => [flag, text]);
  });
  return [name, ...words];
}

const keyOf = ({ id, slug, scrutin_id: ballot, topic, group, other, chamber, seen_at: seenAt, rule }: Document) =>
  [id, slug, ballot, topic, group, other, chamber, seenAt, rule].filter((each) => each != null).join(' ');

const derivedFields = ['party_link', 'nature', 'members_today', 'attached_today'];

const withoutDerived = (items: Document[]): Document[] =>
  JSON.parse(JSON.stringify(items), (name, value) => (derivedFields.includes(name) ? undefined : value));

/** The last part of the address that a page links a row to; null for rows of figures. */
function linkedKeyOf({ id, slug, scrutin_id: ballot, chamber, role }: Document): string | null {
  if (role !== undefined && slug === undefined) return null;
  if (typeof ballot === 'string') return `${chamber}/${ballot}`;
  return typeof slug === 'string' ? slug : typeof id === 'string' ? id : null;
}

const isOn = (surface: 'cli' | 'http', parameters: Parameters, values: Grid) =>
  Object.keys(values).every((name) => (parameters[name]?.surface ?? surface) === surface);

describe('every parameter of a question', () => {
  let server: DemoServer;
  let wire: Wire;
  before(async () => {
    // Some answers have a sentence in both languages.
    await loadLanguage('fr');
    server = await startDemoServer();
    await saveDemoSubject(server.writer.path);
    saveAll(server.writer, 'content', copiesOfOneText);
    const stay = { party: 'alliance-des-rivages', start: '2025-01-01', end: null };
    const repeated = { slug: 'aaron-abelin', full_name: 'Aaron Abelin', affiliations: [stay, stay] };
    saveAll(server.writer, 'politician', [repeated]);
    const quote = { id: 'non', politician: 'aaron-abelin', text: 'Non.' };
    saveAll(server.writer, 'quote', [quote], '2026-03-02T06:00:00.000Z');
    wire = await openWire(server.writer.path);
  });
  after(async () => {
    await wire.end();
    await server.close();
  });

  const gridsOf = (question: ListQuestion): Grid[] =>
    [...gridOf(question.parameters)]
      .map((grid) => ({ ...grid, ...neededValues[question.name] }))
      .filter((values) => !refused[question.name]?.some((each) => values[each] === 'true'));

  const answerOf = async (question: ListQuestion, values: Grid) => {
    const listing = await ask(server.writer, question, values);
    return { ...listing, items: await itemsOf(listing) };
  };

  const servedItems = async (address: string) => {
    const answer = await server.app.inject(address);
    expect(answer.statusCode, address).to.equal(200);
    return (answer.json() as { items: Document[] }).items;
  };

  for (const question of lists) {
    const { name, parameters } = question;
    const isFilter = (each: string) => !notFilters.includes(each) && !parameters[each]!.isPathPart;

    it(`of ${name} changes the answer with one of the values tried`, async () => {
      const withoutEffect = new Set(Object.keys(parameters).filter(isFilter));
      for (const values of gridsOf(question)) {
        const { items } = await answerOf(question, values);
        for (const each of Object.keys(values).filter((key) => withoutEffect.has(key))) {
          const { [each]: _, ...others } = values;
          const isNeeded = parameters[each]!.isRequired || each in (neededValues[name] ?? {});
          const other = isNeeded ? null : await answerOf(question, others);
          if (JSON.stringify(items) !== JSON.stringify(other?.items)) withoutEffect.delete(each);
        }
      }
      expect([...withoutEffect]).to.deep.equal(refused[name] ?? []);
    });

    it(`of ${name} means the same in the API as in the program`, async () => {
      for (const values of gridsOf(question).filter((each) => isOn('http', parameters, each))) {
        const { items, near } = await answerOf(question, values);
        const address = addressOf(`/api/v1${question.path}`, values);
        const served = await servedItems(address);
        // The interface's own search lists what only resembles as its items, and its records have no derived fields.
        const listed = near && question.isInterface ? await itemsOf(near) : items;
        expect(served, address).to.deep.equal(question.isInterface ? withoutDerived(listed) : listed);
      }
    });

    for (const view of views.filter((each) => each.question === question && each.forms.json)) {
      it(`of ${name} means the same on the page ${view.path}, and in its JSON`, async () => {
        const seen = new Set<string>();
        for (const grid of gridsOf(question)) {
          const values = { ...grid, ...view.example };
          if (Object.keys(values).some((each) => !(each in view.parameters))) continue;
          const { items, near, extra } = await answerOf(question, withKinds('page', question, values));
          const address = addressOf(view.path, values, '.json');
          expect(await servedItems(address), address).to.deep.equal(items);
          if (view.forms.atom) {
            const feed = await server.app.inject(addressOf(view.path, values, '.atom'));
            const limit: Grid = 'limit' in parameters ? { limit: '50' } : {};
            const listed = await answerOf(question, { ...withKinds('page', question, values), ...limit });
            expect(feed.body.split('<entry>').length - 1, addressOf(view.path, values, '.atom')).to.equal(
              listed.items.length,
            );
          }
          const keys = items.map(linkedKeyOf).filter((key) => key !== null);
          for (const key of keys) seen.add(key);
          const { body } = await server.app.inject(addressOf(view.path, values));
          const [main = ''] = /<main.*?<\/main>/s.exec(body) ?? [];
          const links = [...main.matchAll(/<a href="([^"?#]*)/g)].map(([, path]) => decodeURIComponent(path!));
          const shown = new Set([...seen].filter((key) => links.some((path) => path.endsWith(`/${key}`))));
          expect([...shown], addressOf(view.path, values)).to.include.members(
            name === 'search' ? [] : [...new Set(keys)],
          );
          if (near || extra?.suggestions || name === 'search') continue;
          expect(keys, addressOf(view.path, values)).to.include.members([...shown]);
        }
      });
    }

    it(`of ${name} means the same at the command line`, async () => {
      const env = { HEMICYCLE_DB: server.writer.path };
      const tried = new Set<string>();
      const limit: Grid = 'limit' in parameters ? { limit: '20' } : {};
      for (const values of gridsOf(question).filter((each) => isOn('cli', parameters, each))) {
        // One value of each parameter: every line is a process.
        const isNew = Object.keys(values).some((each) => !tried.has(each));
        for (const each of Object.keys(values)) tried.add(each);
        if (!isNew) continue;
        // A list of ballots is a file there.
        if (values.ballots !== undefined) continue;
        const { items } = await answerOf(question, withKinds('watch', question, values));
        const { exit, stdout, stderr } = await askProgram(
          [...typedWords(question, { ...values, ...limit }), '--json'],
          { env },
        );
        expect(exit, `${JSON.stringify(values)} ${stderr}`).to.equal(0);
        expect((JSON.parse(stdout) as { items: Document[] }).items, JSON.stringify(values)).to.deep.equal(items);
      }
    });

    const tool = tools.find((each) => each.question === question);
    if (tool) {
      it(`of ${name} means the same to an assistant`, async () => {
        for (const values of gridsOf(question)) {
          if (Object.keys(values).some((each) => !(each in tool.parameters))) continue;
          const { total, items } = await answerOf(question, { ...values, ...(tool.fixedValues as Grid) });
          const limit = 'limit' in tool.parameters ? { limit: 20 } : {};
          const called: Record<string, unknown> = await wire.call(tool.name, { ...values, ...limit });
          const { isError, total: calledTotal, items: calledItems } = called;
          expect(isError, JSON.stringify(values)).to.not.equal(true);
          expect(calledTotal, JSON.stringify(values)).to.equal(total);
          // An answer that is too long for an assistant ends early.
          const calledKeys = (calledItems as Document[]).map(keyOf);
          expect(calledKeys, JSON.stringify(values)).to.deep.equal(items.slice(0, calledKeys.length).map(keyOf));
          expect(calledKeys.length > 0, JSON.stringify(values)).to.equal(items.length > 0);
        }
      });
    }

    if (watchableWords().includes(name) && name !== 'changes' && name !== 'brief') {
      it(`of ${name} means the same in a watch`, async () => {
        for (const values of gridsOf(question).filter((each) => isOn('cli', parameters, each))) {
          const { total, items } = await answerOf(question, withKinds('watch', question, values));
          // Ballots without votes of the watched groups are no evidence about them.
          if (name === 'ballots' && values.group) continue;
          const context = { nowMs: Date.now(), speech: speechOf('en') };
          const rows = rowsOf(server.writer, parseWatch(typedWords(question, values)), context);
          expect((await Array.fromAsync(rows)).length, JSON.stringify(values)).to.equal(total ?? items.length);
        }
      });
    }
  }
});
