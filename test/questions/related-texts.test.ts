import { expect } from 'chai';
import { NotFoundError } from '../../src/errors.ts';
import { ask } from '../../src/index.ts';
import type { Document } from '../../src/model/document.ts';
import { type KindName, kindOf } from '../../src/model/kinds.ts';
import { ballots } from '../../src/questions/ballots.ts';
import { relatedPhrases } from '../../src/questions/related-texts.ts';
import { search } from '../../src/questions/search.ts';
import { text } from '../../src/questions/text.ts';
import { refreshIndexes } from '../../src/store/saving/indexes.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { transaction } from '../../src/store/transaction.ts';
import { loadLanguage, speechOf } from '../../src/words/speech.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';

const name = 'proposition de loi relative aux pommiers de plein vent';

const ballot = (id: number, fields: Document): Document => ({
  ...{ scrutin_id: `V${id}`, chamber: 'AN', date: `2031-05-0${id}`, votes_by_party: [], ...fields },
});

const voted: Document[] = [
  ballot(1, { title: `l'amendement n° 4 de Mme Corbière à l'article 2 de la ${name} (première lecture).` }),
  ballot(2, { title: `l'amendement n° 7 de M. Varenne après l'article 3 de la ${name} (première lecture).` }),
  ballot(3, { title: `l'ensemble de la ${name} (première lecture).` }),
  ballot(4, { title: 'Fruits anciens', dossier: 'Fruits anciens' }),
  ballot(5, {
    title: `l'ensemble de la proposition de loi sur les vergers (n° 12) (première lecture).`,
    legislature: '17',
  }),
  ballot(6, {
    title: `l'ensemble de la proposition de loi arboricole (n° 12) (lecture définitive).`,
    legislature: '17',
  }),
  ballot(7, { title: "l'ensemble de la proposition de loi sur le calcul d'une rente de digue (première lecture)." }),
  ballot(8, { title: "l'ensemble de la proposition de loi sur les calculs des rentes des digues (première lecture)." }),
];

const amendment = (n: number, politician: string, title: string): Document => ({
  ...{ id: `AMANR5L17PO1B0099P0D1N00000${n}`, politician, title, date: '2031-04-20', text: 'Planter.' },
  dossier: 'Fruits anciens',
});

describe('other texts of a subject', () => {
  let own: ReturnType<typeof createTemporaryMirror>;
  before(async () => {
    await loadLanguage('fr');
    own = createTemporaryMirror();
    const amendments = [
      amendment(4, 'ysaline-corbiere', 'Amendement n° 4, ARTICLE 2'),
      amendment(7, 'odon-varenne', 'Amendement n° 7, APRÈS L’ARTICLE 3, insérer l’article suivant'),
    ];
    const records: [KindName, Document[]][] = [
      ['content', amendments],
      ['ballot', voted],
    ];
    transaction(own.mirror, () => {
      for (const [kind, documents] of records) {
        const saver = createSaver(own.mirror, kindOf(kind), { at: '2031-06-01T00:00:00.000Z' });
        for (const document of documents) saver.save(document);
        saver.finish();
      }
      refreshIndexes(own.mirror);
    });
  });
  after(() => own.remove());

  it('are found by the words of a text in singular and plural alike', async () => {
    for (const words of ['pommier', 'pommiers', 'pommiers vents', 'pommier de plein vent'])
      expect((await ask(own.mirror, text, { text: words })).extra?.text, words).to.equal(name);
  });

  it('are found by a phrase as it is written before one of the same stems', async () => {
    for (const [words, id] of [
      ["calcul d'une rente", 'V7'],
      ['calculs des rentes', 'V8'],
    ] as const) {
      const { items } = await ask(own.mirror, text, { text: words });
      expect((await Array.fromAsync(items))[0]?.scrutin_id, words).to.equal(id);
    }
  });

  it('are offered, and not opened, for a word that amendments on their file have', async () => {
    const error = await ask(own.mirror, text, { text: 'planter' }).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(NotFoundError);
    expect((error as NotFoundError).suggestions.map(({ key }) => key)).to.deep.equal(['Fruits anciens']);
  });

  it('are offered, and not opened, for a word in another spelling or a prefix', async () => {
    for (const [word, ...suggestedTexts] of [
      ['pommierrs', name],
      ['loi pommierrs', name],
      ['arbori', 'proposition de loi sur les vergers'],
    ]) {
      const error = await ask(own.mirror, text, { text: word! }).catch((thrown: unknown) => thrown);
      expect(error, word).to.be.instanceOf(NotFoundError);
      expect((error as NotFoundError).suggestions.map(({ key }) => key)).to.include.members(suggestedTexts);
      expect((error as NotFoundError).hint).to.match(/^did you mean: /);
    }
  });

  const fruits = [{ text: 'Fruits anciens', ballots: 1, linked_by: 'amendments' }];

  it('are named beside the ballots on a text, with what links both, and never added', async () => {
    const long = await ask(own.mirror, text, { text: 'pommiers' });
    expect(long.total).to.equal(3);
    expect(long.extra?.related_texts).to.deep.equal(fruits);
    const short = await ask(own.mirror, text, { text: 'fruits anciens' });
    expect(short.total, 'a text of one ballot').to.equal(1);
    expect(short.extra?.related_texts).to.deep.equal([{ ...fruits[0], text: name, ballots: 3 }]);
    const sentences = relatedPhrases(short.extra!).map(({ phrase }) => phrase);
    expect(sentences.map(String)).to.deep.equal([
      `other text on this subject: "${name}", 3 ballots; amendments put to the vote are filed under both titles`,
    ]);
    expect(speechOf('fr').render(sentences[0]!)).to.match(/^autre texte sur ce sujet\s: .* 3\sscrutins\s;/u);
  });

  it('are named beside ballots and hits that words find, if these are on few texts', async () => {
    const words = await ask(own.mirror, ballots, { q: 'pommiers' });
    expect(words.extra?.related_texts).to.deep.equal(fruits);
    expect((await ask(own.mirror, ballots, { text: 'pommiers' })).extra?.related_texts).to.deep.equal(fruits);
    const hits = await ask(own.mirror, search, { q: 'pommiers', type: ['ballot'] });
    expect(hits.extra?.related_texts).to.deep.equal(fruits);
    const all = await ask(own.mirror, ballots, {});
    expect(all.extra, 'without words').not.to.have.property('related_texts');
  });

  it('are not named for words of ballots alone, such as the author of an amendment', async () => {
    for (const q of ['Varenne', 'loi Varenne', 'projet Varenne']) {
      const byAuthor = await ask(own.mirror, ballots, { q });
      expect(byAuthor.extra, q).not.to.have.property('related_texts');
    }
    for (const q of ['Varenne pommiers', '"plein vent" Varenne', 'Varenne pommi*'])
      expect((await ask(own.mirror, ballots, { q })).extra?.related_texts, q).to.deep.equal(fruits);
    const hits = await ask(own.mirror, search, { q: 'Varenne', type: ['ballot'] });
    expect(hits.extra).not.to.have.property('related_texts');
  });

  it('are no other names of one bill, whose ballots are one text', async () => {
    const listing = await ask(own.mirror, text, { text: 'vergers' });
    expect(listing.total).to.equal(2);
    expect(listing.extra).to.include({ grouped_by: 'number' });
    expect(listing.extra).not.to.have.property('related_texts');
    expect(listing.notes?.().map(String)).to.include(
      'grouped by the bill number in their titles: proposition de loi sur les vergers',
    );
    expect((await ask(own.mirror, text, { text: 'arboricole' })).total, 'under its other name').to.equal(2);
  });
});
