import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { keyOf } from '../../src/model/facets.ts';
import { kindOf } from '../../src/model/kinds.ts';
import { contentHash } from '../../src/model/normal-form.ts';
import { saveDetail } from '../../src/store/saving/detail.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { saveFeedPage } from '../../src/store/saving/save-feed-page.ts';
import { profileFinding } from '../../src/store/saving/verification.ts';
import { withhold } from '../../src/store/saving/withhold.ts';
import { createTombstone } from '../../src/store/tombstones.ts';
import { transaction } from '../../src/store/transaction.ts';
import { createRandom } from '../helpers/random.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';
import { withdrawMissing } from '../helpers/withdraw-missing.ts';

const quote = kindOf('quote');
const start = Date.parse('2026-11-01T03:00:00Z');
const said = (text: string, otherFields: Document = {}): Document => ({
  ...{ politician: 'ada-valombre', date: '2025-03-01', text },
  ...otherFields,
});

describe('records without an id', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  let night = 0;
  beforeEach(() => {
    own = createTemporaryMirror();
    night = 0;
  });
  afterEach(() => own.remove());

  /** One night's whole list; what it lacks is withdrawn at once. */
  function saveList(records: Document[], { untyped = false } = {}) {
    const at = new Date(start + night * 86_400_000).toISOString();
    night += 1;
    return transaction(own.mirror, () => {
      const saver = createSaver(own.mirror, quote, { at, once: true, untyped });
      for (const record of records) saver.save(record);
      saver.finish();
      withdrawMissing(own.mirror, quote, { seenNumbers: saver.seenNumbers, at });
      return saver.outcomes;
    });
  }
  type Row = { key: string; row: string; hash: string };
  const current = () =>
    own.mirror
      .sql<Row>("SELECT key, row, hash FROM record WHERE kind = 'quote' AND withdrawn IS NULL ORDER BY id")
      .all()
      .map(({ key, row, hash }) => ({ key, hash, document: JSON.parse(row) as Document }));
  const keys = () => current().map(({ key }) => key);
  const lamps = said('Les phares resteront allumés.');
  const corrected = said('Les phares resteront toujours allumés.');
  const keyOfLamps = `sha256:${contentHash(quote, lamps)}`;

  it('of a feed continue none of the first and last day of a page: similar ones may stand on pages not read', () => {
    const amendment = (nth: number, day: string): Document => ({
      ...{ type: 'content', politician: 'ada-valombre', date: day },
      text: `Cet amendement numéro ${nth} demande un rapport sur les phares du littoral`,
    });
    const days = ['2026-11-03', '2026-11-02', '2026-11-01'];
    const stored = days.map((day, at) => amendment(at, day));
    const save = (items: Document[]) => {
      const at = new Date(start + night++ * 86_400_000).toISOString();
      return transaction(own.mirror, () => saveFeedPage(own.mirror, items, { at })).outcomes.get('content')!;
    };
    expect(save([...stored, amendment(49, days[2]!)])).to.include({ added: 4 });
    // Number 49 moved to the next page, which a walk to known records does not read.
    expect(save([amendment(100, days[2]!), ...stored])).to.include({ added: 1, edited: 0, same: 3 });
    const inside = amendment(1, days[1]!);
    expect(save([stored[0]!, { ...inside, text: `${inside.text} bretons` }, stored[2]!])).to.include({
      added: 0,
      edited: 1,
    });
  });

  it('are present in a profile that shows the same content, and undecided where it shows other fields', () => {
    saveList([lamps, corrected]);
    const [missing] = own.mirror
      .sql<{ id: number; key: string }>("SELECT id, key FROM record WHERE kind = 'quote'")
      .all();
    const findingIn = (quotes: Document[]) => {
      const at = new Date(start).toISOString();
      const profile = { slug: 'ada-valombre', full_name: 'Ada Valombre', quotes };
      transaction(own.mirror, () => saveDetail(own.mirror, kindOf('politician'), profile, { at }));
      return profileFinding(own.mirror, { ...missing!, kind: 'quote', owner: 'ada-valombre' });
    };
    expect(findingIn([lamps, corrected])).to.equal('present');
    expect(findingIn([{ text: String(lamps.text) }])).to.equal('undecided');
  });

  it('have the hash of their content as a key, equal ones with a number', () => {
    expect(saveList([lamps, lamps, lamps])).to.include({ added: 3 });
    expect(keys()).to.deep.equal([keyOfLamps, `${keyOfLamps}~2`, `${keyOfLamps}~3`]);
    expect(saveList([lamps, lamps, lamps])).to.include({ same: 3, added: 0, touched: 0 });
    expect(saveList([lamps, lamps])).to.include({ same: 2 });
    expect(keys()).to.deep.equal([keyOfLamps, `${keyOfLamps}~2`]);
    expect(saveList([lamps, lamps, lamps])).to.include({ same: 2, returned: 1 });
    expect(keys()).to.deep.equal([keyOfLamps, `${keyOfLamps}~2`, `${keyOfLamps}~3`]);
  });

  it('keep their key through edits, and give it to no other record', () => {
    saveList([lamps]);
    expect(saveList([corrected])).to.include({ edited: 1, added: 0 });
    expect(keys()).to.deep.equal([keyOfLamps]);
    expect(saveList([corrected])).to.include({ same: 1, edited: 0, touched: 0 });
    expect(saveList([corrected, lamps])).to.include({ same: 1, added: 1 });
    expect(keys()).to.deep.equal([keyOfLamps, `${keyOfLamps}~2`]);
    expect(saveList([lamps])).to.include({ same: 1 });
    expect(keys()).to.deep.equal([`${keyOfLamps}~2`]);
  });

  it('carry a key that is not the hash of their content in the document, but in no column', () => {
    saveList([lamps, said('Autre chose.')]);
    saveList([corrected, said('Autre chose.')]);
    expect(current().map(({ document }) => Object.keys(document).includes('_key'))).to.deep.equal([true, false]);
    for (const { key, document, hash } of current()) {
      expect(keyOf(quote, document)).to.equal(key);
      expect(contentHash(quote, document)).to.equal(hash);
    }
    expect(own.mirror.sql("SELECT columns FROM kind_state WHERE kind = 'quote'").pluck().get()).to.not.match(/_key/);
  });

  it('are what they were where the same list comes as text', () => {
    saveList([said('Un.', { rank: 7, context: '' }), said('Deux.', { rank: 8, context: '' })]);
    const before = keys();
    const asText = [said('Un.', { rank: '7', context: null }), said('Deux.', { rank: '8', context: null })];
    expect(saveList(asText, { untyped: true })).to.include({ added: 0, edited: 0, returned: 0 });
    expect(keys()).to.deep.equal(before);
    expect(saveList(asText, { untyped: true })).to.include({ same: 2, touched: 0 });
  });

  it('are all saved, equal ones under the keys that they had, in random nights', () => {
    const random = createRandom(52);
    const words = ['mer', 'port', 'phare', 'pomme', 'nuit', 'jour'];
    const draw = () => said(Array.from({ length: 1 + random.integer(4) }, () => random.pick(words)).join(' '));
    let list = Array.from({ length: 12 }, draw);
    const texts = (records: Document[]) => records.map(({ _key, ...document }) => JSON.stringify(document)).sort();
    const counted = (records: { document: Document; key: string }[]) =>
      Map.groupBy(records, ({ document: { _key, ...document } }) => JSON.stringify(document));
    for (let round = 0; round < 60; round += 1) {
      saveList(list);
      const before = counted(current());
      list = list.flatMap((each) =>
        random.isOneIn(6) ? [] : random.isOneIn(6) ? [draw()] : random.isOneIn(8) ? [each, each] : [each],
      );
      list.push(...Array.from({ length: random.integer(3) }, draw));
      list.sort(() => random.integer(3) - 1);
      saveList(list);
      expect(texts(current().map(({ document }) => document))).to.deep.equal(texts(list));
      expect(new Set(keys()).size).to.equal(list.length);
      for (const [text, records] of counted(current())) {
        const former = before.get(text) ?? [];
        const stays = records.filter(({ key }) => former.some((each) => each.key === key));
        expect(stays.length, text).to.equal(Math.min(former.length, records.length));
      }
    }
  });

  it('stay withheld under their present content, with the equal ones', () => {
    saveList([lamps, said('Autre chose.')]);
    saveList([corrected, said('Autre chose.'), said('Autre chose.')]);
    const [edited, , copy] = keys();
    const hide = (key: string) =>
      withhold(own.mirror, [createTombstone(own.mirror, { kind: 'quote', key, reason: 'r' })]);
    hide(edited!);
    expect(keys()).to.have.length(2);
    saveList([corrected, said('Autre chose.'), said('Autre chose.')]);
    expect(keys()).to.have.length(2);
    hide(copy!);
    saveList([corrected, said('Autre chose.'), said('Autre chose.')]);
    expect(keys()).to.deep.equal([]);
  });

  it('are found on overlapping pages of one walk once, and twice on one page', () => {
    const content = kindOf('content');
    const seenNumbers = new Set<number>();
    const savePage = (records: Document[]) =>
      transaction(own.mirror, () => {
        const saver = createSaver(own.mirror, content, { at: new Date(start).toISOString(), seenNumbers });
        for (const record of records) saver.save(record);
        saver.finish();
        return saver.outcomes;
      });
    expect(savePage([corrected, lamps, lamps])).to.include({ added: 3 });
    expect(savePage([lamps, said('Autre chose.')])).to.include({ added: 1, same: 1 });
    seenNumbers.clear();
    expect(savePage([corrected, lamps])).to.include({ same: 2 });
    expect(savePage([lamps, said('Autre chose.')])).to.include({ same: 2 });
    expect(seenNumbers.size).to.equal(4);
  });
});
