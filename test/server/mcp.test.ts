import { expect } from 'chai';
import { type Document, documentsIn } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { maxChars } from '../../src/server/mcp/answer.ts';
import { instructions } from '../../src/server/mcp/assistant.ts';
import { tools } from '../../src/server/mcp/tools.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { transaction } from '../../src/store/transaction.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { openWire, type Wire } from './mcp-client.ts';

describe('tools for assistants', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let wire: Wire;
  before(async () => {
    demo = await createDemoMirror();
    const mirror = openWritableMirror(demo.db);
    transaction(mirror, () => {
      const saver = createSaver(mirror, kindOf('content'), { at: '2026-11-01T06:00:00.000Z' });
      for (let number = 0; number < 30; number += 1)
        saver.save({
          id: `long-${number}`,
          politician: 'oceane-bruyevre',
          topic: 'phares',
          title: `Texte ${number}`,
          text: `${'« é » '.repeat(4000)}fin`,
          date: '2026-10-31',
        });
    });
    mirror.close();
    wire = await openWire(demo.db);
  });
  after(async () => {
    await wire.end();
    demo.remove();
  });

  it('never answer with what only resembles the words, and say that nothing has all of them', async () => {
    for (const tool of ['search', 'ballots']) {
      const answer: Document = await wire.call(tool, { q: 'gardiens xylophage' });
      expect([answer.items, answer.total, answer.near], tool).to.deep.equal([[], 0, undefined]);
      expect(answer.notes, tool).to.include('no record contains all of these words: ask with fewer or other words');
    }
  });

  it('are twelve at most, and their list has at most 8,000 characters', async () => {
    expect(tools).to.have.lengthOf.at.most(12);
    const list = (await wire.ask('tools/list')).result!.tools!;
    expect(JSON.stringify(list).length).to.be.at.most(8000);
    expect(instructions.length).to.be.at.most(1000);
  });

  it('are each said to change nothing', async () => {
    const { result } = await wire.ask('tools/list');
    expect(result!.tools).to.have.lengthOf(tools.length);
    for (const { annotations } of result!.tools!) expect(annotations).to.include({ readOnlyHint: true });
  });

  it('tell whom to cite, the sources, the moment, and what was left out', async () => {
    const answer = await wire.call('ballots', { limit: 2 });
    expect(answer).to.nested.include({
      'attribution.name': 'Transparence',
      'attribution.licence': null,
      'origin.from': 'mirror',
      shown: 2,
    });
    expect(answer.origin)
      .to.have.property('as_of')
      .that.matches(/^2026-11-01/);
    expect(answer.sources).to.deep.include({
      id: 'src-an-scrutins',
      url: 'https://an.valombre.example/donnees/scrutins',
      title: 'Scrutins publics, données ouvertes',
      publisher: 'AN de Valombre',
      date: null,
    });
    expect(answer.left_out).to.match(/shown 2 of \d+; go on with cursor/);
    const next = await wire.call('ballots', { limit: 2, cursor: answer.next_cursor });
    expect(next.items).to.have.lengthOf(2).and.not.deep.equal(answer.items);
  });

  it('answer every question that they stand for', async () => {
    const argumentsByTool: Record<string, object> = {
      search: { q: 'gardiens', type: ['speech'] },
      record: { key: 'AN:VAL1V4' },
      topics: {},
      politicians: { party: 'ADR' },
      feed: { politician: 'Océane Bruyèvre', types: 'promise', topic: 'retraites' },
      ballots: { voted: ['ADR:for'], margin: 40 },
      compare: { group: ['ADR', 'majority'] },
      cohesion: { group: 'ADR', as_of: '2026-11-02' },
      affiliations: { event: 'began', limit: 3 },
      changes: { since: '2026-10-01', kind: 'promise' },
      history: { kind: 'politician', key: 'oceane-bruyevre' },
      ask: { name: 'members-by-group' },
    };
    expect(Object.keys(argumentsByTool)).to.have.members(tools.map(({ name }) => name));
    for (const [name, toolArguments] of Object.entries(argumentsByTool)) {
      const answer = await wire.call(name, toolArguments);
      expect(answer, name).to.include({ isError: false });
      expect(answer, name).to.include.keys('origin', 'attribution', 'sources', 'left_out', 'notes');
      expect(JSON.stringify(answer.items ?? answer.item), name).to.have.lengthOf.above(50);
    }
    expect(wire.failures).to.deep.equal([]);
  });

  it('pass null on as null, and say that nothing may be put in its place', async () => {
    const mirror = openWritableMirror(demo.db);
    transaction(mirror, () => {
      const saver = createSaver(mirror, kindOf('ballot'), { at: '2026-11-01T06:00:00.000Z' });
      saver.save({
        scrutin_id: 'NONE1',
        chamber: 'AN',
        title: 'sans issue',
        date: '2026-10-30',
        totals: { for: 9, against: 1 },
      });
    });
    mirror.close();
    const answer = await wire.call('record', { kind: 'ballot', key: 'AN:NONE1' });
    expect(answer.item).to.nested.include({ result: null, 'totals.for': 9, 'totals.abstention': null });
    expect(String(answer.notes)).to.match(/result[^:]*: report null as "not stated"/);
  });

  it('give beside a ballot, which stays as stated, what is derived from it and from its groups', async () => {
    const { item, derived } = await wire.call('record', { kind: 'ballot', key: 'AN:VAL1V7' });
    expect(item).not.to.have.any.keys('nature', 'one_sided');
    expect(derived).to.include({
      nature: 'censure',
      one_sided: true,
      members: 97,
      no_vote_recorded: 61,
      turnout: null,
    });
    const groups = Object.fromEntries(
      documentsIn((derived as unknown as Document).groups).map((each) => [each.party, each]),
    );
    expect(groups['parti-du-verger']).to.include({ position: 'pour', stated_position: 'pour', no_vote_recorded: 11 });
    expect(await wire.call('record', { kind: 'party', key: 'parti-du-verger' })).not.to.have.property('derived');
  });

  it('answer with structured content that equals the text', async () => {
    const { result } = await wire.ask('tools/call', { name: 'ballots', arguments: { limit: 1 } });
    const { structuredContent, content } = result as {
      structuredContent: object;
      content: { text: string }[];
    };
    expect(structuredContent).to.deep.equal(JSON.parse(content[0]!.text));
    expect(structuredContent).to.include.keys('items', 'shown', 'total', 'next_cursor');
    expect(structuredContent).to.include.keys('origin', 'attribution', 'sources', 'left_out', 'notes');
  });

  it('leave out of rows what is not stated, and say which fields that are', async () => {
    const answer = await wire.call('politicians', { limit: 100 });
    const rows = answer.items as unknown as Record<string, unknown>[];
    expect(rows).to.have.lengthOf.above(25);
    for (const row of rows) expect(Object.values(row)).to.not.include(null);
    expect(String(answer.notes)).to.match(/absent or null: not stated.*death_date/);
    expect(String(answer.left_out)).to.match(/bio, affiliations.*: the tool record has them/);
  });

  it('give every record as a resource, and refuse what is none', async () => {
    const { result } = await wire.ask('resources/read', { uri: 'hemicycle://ballot/AN:VAL1V4' });
    const [{ text }] = (result as unknown as { contents: [{ text: string }] }).contents;
    expect(JSON.parse(text).item).to.include({ scrutin_id: 'VAL1V4' });
    for (const uri of [
      'hemicycle://ballot/AN:NONE',
      'hemicycle://nothing/x',
      'file:///etc/passwd',
      'hemicycle://ballot/%',
    ])
      expect((await wire.ask('resources/read', { uri })).error, uri).to.include({ code: -32602 });
    expect(wire.failures).to.deep.equal([]);
  });

  it('come with three tasks that hold what was asked, and say what each needs', async () => {
    const { result } = await wire.ask('prompts/list');
    const { prompts } = result as unknown as { prompts: { name: string; arguments: { name: string }[] }[] };
    expect(prompts).to.have.lengthOf(3);
    for (const {
      name,
      arguments: [argument],
    } of prompts) {
      const got = await wire.ask('prompts/get', {
        name,
        arguments: { [argument!.name]: 'taxe sur les marais' },
      });
      expect(JSON.stringify(got.result)).to.include('taxe sur les marais');
    }
    expect((await wire.ask('prompts/get', { name: 'check-claim' })).error!.message).to.match(/check-claim \(claim\)/);
  });

  it('refuse what no source states, and say what can be asked', async () => {
    const { error } = await wire.ask('tools/call', { name: 'rank_honesty', arguments: {} });
    expect(error).to.include({ code: -32602 });
    expect(error!.message).to.match(/no tool "rank_honesty".*None ranks people, judges them/);
    const answer = await wire.call('ballots', { winner: 'ADR' });
    expect(answer).to.include({ isError: true });
    expect(answer.error)
      .to.have.property('message')
      .that.matches(/takes no "winner".*judgement/);
    const sorted = await wire.call('ballots', { sort: 'honesty' });
    expect(sorted.error).to.have.property('message', 'The parameter sort must be one of date, oldest, margin.');
  });

  it('say which names may have been meant', async () => {
    const answer = await wire.call('politicians', { party: 'alliance-des-rivaxes' });
    expect(answer).to.include({ isError: true });
    expect(answer.error).to.deep.nested.include({ 'suggestions[0].value': 'alliance-des-rivages' });
  });

  it('are never answered with more than is stated, and say how to go on', async () => {
    const answer = await wire.call('feed', { topic: 'phares', types: ['content'], limit: 30 });
    expect(answer).to.include({ isError: false });
    expect(answer.length).to.be.at.most(maxChars);
    const {
      items,
      left_out: leftOut,
      next_cursor: cursor,
    } = answer as unknown as {
      items: { text: string; id: string }[];
      left_out: string[];
      next_cursor: string;
    };
    expect(items).to.have.lengthOf.within(3, 29);
    expect(leftOut.join('\n'))
      .to.match(/items\.0\.text: \d+ of 24003 characters shown/)
      .and.match(new RegExp(`shown ${items.length} of 30; go on`));
    const ids = items.map(({ id }) => id);
    const next = await wire.call('feed', { topic: 'phares', types: ['content'], limit: 30, cursor });
    expect((next.items as unknown as { id: string }[]).some(({ id }) => ids.includes(id))).to.equal(false);
    let text = '';
    for (let from = 0; from < 24_003; from = text.length) {
      const part = await wire.call('record', { kind: 'content', key: ids[0], field: 'text', from });
      expect(part.length).to.be.at.most(maxChars);
      text += part.value;
    }
    expect(text).to.equal(`${'« é » '.repeat(4000)}fin`);
  });

  it('refuse arguments of another shape, and go on', async () => {
    for (const toolArguments of [
      { limit: { $gt: 1 } },
      { limit: -1 },
      { limit: 1e9 },
      { q: 'x'.repeat(3000) },
      { q: 'a\0b' },
      { voted: Array.from({ length: 51 }, () => 'ADR:for') },
      { voted: [['ADR:for']] },
      { as_of: '2999-01-01' },
      { cursor: 'nonsense' },
      { __proto__: null, constructor: 'x', toString: 'y' },
    ]) {
      const answer = await wire.call('ballots', toolArguments);
      expect(answer, JSON.stringify(toolArguments)).to.include({ isError: true });
      expect(answer.length).to.be.below(3000);
    }
    expect(await wire.call('ballots')).to.include({ isError: false, shown: 10 });
    expect(wire.failures).to.deep.equal([]);
  });
});
