import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { ConfigurationError, exitCodes, NotFoundError } from '../../src/errors.ts';
import { ask, ballots, changes, feed, itemsOf, type ListQuestion, politicians, search } from '../../src/index.ts';
import { ballotKey } from '../../src/model/ballot.ts';
import type { Document } from '../../src/model/document.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { affiliations } from '../../src/questions/affiliations.ts';
import { compare } from '../../src/questions/compare.ts';
import { contradictions } from '../../src/questions/contradictions.ts';
import { commandFeed } from '../../src/questions/feed.ts';
import { text } from '../../src/questions/text.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { readEdition } from '../../src/store/records/contents.ts';
import { subjectsByWords } from '../../src/store/records/subject-records.ts';
import { withdraw } from '../../src/store/saving/withdrawals.ts';
import { findSubject, readSubjects, saveSubject, subjectsPath } from '../../src/store/subjects.ts';
import { transaction } from '../../src/store/transaction.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { saveSubjects } from '../helpers/demo-subject.ts';
import { saveAll } from '../server/demo-server.ts';

describe('a subject of the user’s own', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let mirror: Mirror;
  beforeEach(async () => {
    demo = await createDemoMirror();
    mirror = openWritableMirror(demo.db);
  });
  afterEach(() => {
    mirror.close();
    demo.remove();
  });

  const rowsOf = async (question: ListQuestion, input: Record<string, unknown>): Promise<Document[]> =>
    itemsOf(await ask(mirror, question, input));
  const keysOf = async (question: ListQuestion, input: Record<string, unknown>) =>
    (await rowsOf(question, input)).map((each) => each.slug ?? each.scrutin_id ?? each.id);
  const save = (...rules: string[]) => saveSubjects(demo.db, { veille: rules });

  it('keeps the rules of two changes at the same time', async () => {
    const add = (rule: string) => saveSubject(demo.db, 'veille', (rules) => [...rules, rule]);
    await Promise.all(['word: phare', 'word: trains', 'word: digue'].map(add));
    expect(readSubjects(demo.db)[0]!.rules).to.have.members(['word: phare', 'word: trains', 'word: digue']);
    await saveSubject(demo.db, 'veille', null);
    expect(readSubjects(demo.db)).to.deep.equal([]);
  });

  it('has the records that any of its words matches, each with all its words, as -q does', async () => {
    await save('word: retraites gardiens', 'word: trains');
    for (const question of [ballots, feed]) {
      const either = [
        ...(await keysOf(question, { q: 'retraites gardiens', limit: 50 })),
        ...(await keysOf(question, { q: 'trains', limit: 50 })),
      ];
      expect(either.length).to.be.greaterThan(1);
      expect(await keysOf(question, { subject: 'veille', limit: 50 })).to.have.members([...new Set(either)]);
    }
  });

  it('has a person, and what is about or by them', async () => {
    await save('person: oceane-bruyevre');
    const own = await keysOf(commandFeed, { politician: 'oceane-bruyevre', types: 'promise,quote', limit: 50 });
    expect(await keysOf(commandFeed, { subject: 'veille', types: 'promise,quote', limit: 50 })).to.deep.equal(own);
    expect(await keysOf(politicians, { subject: 'veille' })).to.deep.equal(['oceane-bruyevre']);
    expect(await keysOf(ballots, { subject: 'veille' })).to.deep.equal([]);
    const days = await rowsOf(affiliations, { subject: 'veille' });
    expect(days).to.deep.equal(await rowsOf(affiliations, { politician: 'oceane-bruyevre' }));
  });

  it('has the members of a group and what they said while they sat in it, and no ballot for it', async () => {
    await save('group: alliance-des-rivages');
    const input = { party: 'alliance-des-rivages', limit: 50 };
    expect(await keysOf(feed, { subject: 'veille', limit: 50 })).to.deep.equal(await keysOf(feed, input));
    const members = await keysOf(politicians, { group: 'alliance-des-rivages', limit: 100 });
    expect(await keysOf(politicians, { subject: 'veille', limit: 100 })).to.include.members(members);
    expect(await keysOf(ballots, { subject: 'veille' })).to.deep.equal([]);
  });

  it('has the ballots of a text, and with natures only ballots of these', async () => {
    await save('text: transition de l’énergie et aux moulins à marée');
    expect(await keysOf(ballots, { subject: 'veille' })).to.deep.equal([]);
    const { text: name } = (await ask(mirror, text, { text: 'moulins à marée' })).extra as { text: string };
    await save(`text: ${name}`);
    const all = await keysOf(text, { text: 'moulins à marée' });
    expect(await keysOf(ballots, { subject: 'veille' })).to.have.members(all);
    await save('person: oceane-bruyevre', `text: ${name}`, 'nature: whole');
    const whole = await keysOf(text, { text: 'moulins à marée', nature: 'whole' });
    expect(await keysOf(ballots, { subject: 'veille' })).to.have.members(whole);
    expect(await keysOf(feed, { subject: 'veille' })).to.not.be.empty;
  });

  it('filters beside other filters, and several subjects mean any of them', async () => {
    await saveSubjects(demo.db, { rail: ['word: trains'], veille: ['word: gardiens'] });
    const any = await keysOf(ballots, { subject: 'rail,veille', limit: 100 });
    const each = [await keysOf(ballots, { subject: 'rail' }), await keysOf(ballots, { subject: 'VEILLE' })];
    expect(any).to.have.members([...new Set(each.flat())]);
    const whole = (await rowsOf(ballots, { subject: 'rail', nature: 'whole' })).map(({ nature }) => nature);
    expect(new Set(whole)).to.deep.equal(new Set(['whole']));
    const figures = await rowsOf(compare, { group: 'ADR,PDV', subject: 'rail' });
    const listed = (await rowsOf(ballots, { subject: 'rail' })).map((ballot) => ballotKey(ballot as never));
    expect(figures).to.deep.equal(await rowsOf(compare, { group: 'ADR,PDV', ballots: listed.join(',') }));
    const { total, counts } = (await ask(mirror, search, { q: 'gardiens', subject: 'rail' })) as never as Document;
    expect(total, JSON.stringify(counts)).to.be.lessThan((await ask(mirror, search, { q: 'gardiens' })).total!);
  });

  it('has changes of its records, also of those that were withdrawn or no longer have the words', async () => {
    await save('word: autocar jours brume', 'nature: whole');
    const { id } = mirror.sql<{ id: number }>("SELECT id FROM record WHERE key = 'promise-bruyevre-2025-003'").get()!;
    const changed = async () =>
      (await rowsOf(changes, { since: '2026-11-02', subject: 'veille' })).map(({ change, key }) => `${change} ${key}`);
    expect(await changed()).to.deep.equal([]);
    const edited = {
      id: 'promise-bruyevre-2025-003',
      politician: 'oceane-bruyevre',
      title: 'Une navette.',
      text: null,
    };
    saveAll(mirror, 'promise', [edited], '2026-11-03T00:00:00.000Z');
    expect(await changed()).to.deep.equal(['edited promise-bruyevre-2025-003']);
    await save('word: navette');
    transaction(mirror, () => withdraw(mirror, id, '2026-11-04T00:00:00.000Z'));
    expect(await changed()).to.include('withdrawn promise-bruyevre-2025-003');
    await save('word: moulins');
    expect(await changed()).to.deep.equal([]);
  });

  it('counts the contradictions of its records alone', async () => {
    await save('person: oceane-bruyevre');
    const all = await rowsOf(contradictions, { rule: 'repeated' });
    const own = await rowsOf(contradictions, { rule: 'repeated', subject: 'veille' });
    expect(own).to.deep.equal(all.filter(({ key }) => key === 'oceane-bruyevre'));
    const counts = await rowsOf(contradictions, { subject: 'veille' });
    expect(counts.find(({ rule }) => rule === 'repeated')!.records).to.equal(own.length);
  });

  it('is refused by an unknown name, with near misses', async () => {
    await save('word: gardiens');
    const refusal = await ask(mirror, ballots, { subject: 'veile' }).catch((error) => error);
    expect(refusal).to.be.instanceOf(NotFoundError);
    expect(refusal.suggestions).to.deep.equal([{ key: 'veille', name: 'veille' }]);
    expect(refusal.fault.parameter).to.equal('subject');
    expect(findSubject(mirror, 'Veillé').name).to.equal('veille');
  });

  it('changes the edition that a server caches answers under', async () => {
    const before = readEdition(mirror);
    await save('word: gardiens');
    expect(readEdition(mirror)).to.not.deep.equal(before);
  });

  it('leaves out the records with a word that a rule excludes, the built-in ones too', async () => {
    const record = (id: string, text: string) => ({ id, title: id, text, date: '2026-05-01' });
    const turbines = record('turbines', 'La fin de vie des éoliennes coûte cher.');
    const care = record('care', 'Accompagner la fin de vie.');
    saveAll(mirror, 'content', [turbines, care]);
    expect(await keysOf(feed, { subject: 'fin-de-vie', limit: 50 })).to.deep.equal(['care']);
    const subjectsOfText = (document: Document) => subjectsByWords(mirror, kindOf('content'), document);
    expect(subjectsOfText(care)).to.deep.equal(['fin-de-vie']);
    expect(subjectsOfText(turbines)).not.to.include('fin-de-vie');
  });

  it('is not read from a damaged file, whose name and fault the error states', () => {
    for (const content of [
      '{',
      '{}',
      '[null]',
      '[{"name":"a","rules":"word: b"}]',
      '[{"name":"a","rules":["b"]}]',
      '[{"name":"a","rules":[3]}]',
      '[{"name":"a","rules":["word: "]}]',
    ]) {
      writeFileSync(subjectsPath(demo.db), content);
      const read = () => readSubjects(demo.db);
      expect(read, content)
        .to.throw(ConfigurationError, 'is not a JSON list of subjects')
        .with.property('exit', exitCodes.configuration);
      expect(read, content).to.throw(subjectsPath(demo.db));
    }
  });
});
