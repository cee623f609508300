import { expect } from 'chai';
import { kindOf } from '../../src/model/kinds.ts';
import { matchName, type NameQuery } from '../../src/names/match.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openMirror, openWritableMirror } from '../../src/store/open.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { transaction } from '../../src/store/transaction.ts';
import { judgeVariants } from '../eval/name-variants.ts';
import { createDemoMirror, demoMoment } from '../helpers/demo-mirror.ts';
import { createRandom } from '../helpers/random.ts';

describe('whom a name of somebody else’s list means', () => {
  let mirror: Mirror;
  let remove: () => void;

  before(async () => {
    const demo = await createDemoMirror();
    const writer = openWritableMirror(demo.db);
    transaction(writer, () => {
      const saver = createSaver(writer, kindOf('politician'), { at: demoMoment });
      saver.save({ slug: 'garance-petitruisseau-vent', full_name: 'Garance Petitruisseau (Vent)' });
      saver.finish();
    });
    writer.close();
    mirror = openMirror(demo.db);
    remove = demo.remove;
  });

  after(() => {
    mirror.close();
    remove();
  });

  const match = (nameQuery: NameQuery) => matchName(mirror, { kinds: ['politician'], ...nameQuery }, 5);
  const slugs = (nameQuery: NameQuery) => match(nameQuery).map(({ slug }) => slug);
  const matchedSlug = (nameQuery: NameQuery) => match(nameQuery).find((each) => each.match)?.slug ?? null;

  it('is the one who bears the whole name, in whatever order, case and spelling of accents', () => {
    for (const name of ['Océane Bruyèvre', 'BRUYÈVRE Océane', 'bruyevre, oceane', 'Mme Oceane BRUYEVRE'])
      expect(matchedSlug({ name }), name).to.equal('oceane-bruyevre');
    for (const name of ['oceane-bruyevre', 'camille-rouvre-2']) expect(matchedSlug({ name }), name).to.equal(name);
  });

  it('is never chosen among homonyms, whatever stands beside the name', () => {
    const both = ['camille-rouvre', 'camille-rouvre-2'];
    for (const facts of [{}, { party: 'MDL' }, { born: '1991' }, { department: "Lacs-d'Étain" }]) {
      for (const name of ['Camille Rouvre', 'ROUVRE Camille', 'Mme Camille Rouvre', 'camille-rouvre']) {
        const matches = match({ name, ...facts });
        expect(matches.map(({ slug }) => slug).sort(), name).to.deep.equal(both);
        expect(matches.filter((each) => each.match)).to.deep.equal([]);
      }
    }
  });

  it('puts the homonym first with whom what stands beside the name agrees', () => {
    for (const [first, facts] of [
      ['camille-rouvre-2', { party: 'Mouvement de la Lanterne' }],
      ['camille-rouvre', { party: 'pdv' }],
      ['camille-rouvre-2', { born: '20/12/1991' }],
      ['camille-rouvre-2', { born: 'décembre 1991' }],
      ['camille-rouvre', { department: 'bocage dore' }],
    ] as const) {
      const [best, other] = match({ name: 'Camille Rouvre', ...facts });
      expect(best!.slug, JSON.stringify(facts)).to.equal(first);
      expect(best!.agrees).to.deep.equal(Object.keys(facts));
      expect(other!.differs).to.deep.equal(Object.keys(facts));
      expect(best!.score).to.be.greaterThan(other!.score);
    }
  });

  it('is nobody of another party, birth or department than is stated, but stays a candidate', () => {
    for (const facts of [{ party: 'Parti du Verger' }, { born: '1980' }, { department: 'Haute-Ombre' }]) {
      expect(matchedSlug({ name: 'Océane Bruyèvre', ...facts }), JSON.stringify(facts)).to.equal(null);
      expect(slugs({ name: 'Océane Bruyèvre', ...facts })).to.deep.equal(['oceane-bruyevre']);
    }
  });

  it('compares the party of the day that is stated', () => {
    const nameQuery = { name: 'Barnabé Œillevent', party: 'ADR' };
    expect(matchedSlug(nameQuery)).to.equal('barnabe-oeillevent');
    expect(matchedSlug({ ...nameQuery, date: '2005-06-01' })).to.equal('barnabe-oeillevent');
    expect(matchedSlug({ ...nameQuery, date: '2025-06-01' })).to.equal(null);
    expect(matchedSlug({ ...nameQuery, date: '2005' })).to.equal('barnabe-oeillevent');
    expect(matchedSlug({ ...nameQuery, date: '01/06/2025' })).to.equal(null);
    // Nobody can tell which days these are.
    expect(matchedSlug({ ...nameQuery, date: 'printemps 2025' })).to.equal('barnabe-oeillevent');
  });

  it('takes what the record does not say, and parties that nobody knows, for no difference', () => {
    expect(matchedSlug({ name: 'Raphaël Tourmaline', party: 'ADR', department: 'Haute-Ombre' })).to.equal(
      'raphael-tourmaline',
    );
    expect(matchedSlug({ name: 'Océane Bruyèvre', party: 'Parti sans nom connu' })).to.equal('oceane-bruyevre');
  });

  it('is only suggested where a part of the name is said, or where it is misspelt', () => {
    for (const name of ['Bruyèvre', 'O. Bruyèvre', 'Océane Bruyevrre', 'Océane Bruyèvre-Dunevive'])
      expect(matchedSlug({ name }), name).to.equal(null);
    expect(matchedSlug({ name: 'M. Océane Bruyèvre (députée)' })).to.equal('oceane-bruyevre');
    expect(matchedSlug({ name: 'Océane Bruyèvre (Ombrelune)' })).to.equal(null);
    for (const name of ['Bruyèvre', 'O. Bruyèvre', 'Océane Bruyevrre', 'Océane Bruyèvre (Ombrelune)'])
      expect(slugs({ name })[0], name).to.equal('oceane-bruyevre');
    expect(slugs({ name: 'Nobody Zzqxwv' })).to.deep.equal([]);
    for (const name of ['', '  ', '\0', 'de la', '"', '%'.repeat(2000)]) expect(slugs({ name })).to.deep.equal([]);
  });

  it('is nobody where a cell or what stands beside it is a text and no name, and nothing is read for that', () => {
    const words = 'Océane Bruyèvre ';
    for (const name of [words.repeat(3000), 'm '.repeat(24_000), 'x'.repeat(48_000), words.padEnd(501)]) {
      expect(matchName(mirror, { name }, 5)).to.deep.equal([]);
      expect(matchedSlug({ name: words, party: name })).to.equal('oceane-bruyevre');
    }
    expect(matchedSlug({ name: words.padEnd(500) })).to.equal('oceane-bruyevre');
  });

  it('takes for a homonym whom the mirror tells from another by what stands in parentheses', () => {
    const name = 'Garance Petitruisseau';
    expect(match({ name }).map((each) => [each.slug, each.match])).to.deep.equal([
      ['garance-petitruisseau', false],
      ['garance-petitruisseau-vent', false],
    ]);
    expect(matchedSlug({ name: `Mme ${name} (Vent)` })).to.equal('garance-petitruisseau-vent');
  });

  it('finds parties by name and short name', () => {
    const kinds = ['party'] as const;
    for (const name of ['ADR', 'alliance des rivages', "L'Alliance des Rivages", 'alliance-des-rivages'])
      expect(matchName(mirror, { name, kinds }, 3)[0]?.slug, name).to.equal('alliance-des-rivages');
    expect(matchedSlug({ name: 'ADR', kinds })).to.equal('alliance-des-rivages');
  });

  it('finds 98 of 100 names that are written in other ways, and takes no homonym for one of them', () => {
    const people = mirror
      .sql<{ key: string; name: string }>("SELECT key, name FROM record WHERE kind = 'politician'")
      .all();
    const shares = [...judgeVariants(mirror, people, createRandom(7)).values()];
    const sum = (of: (share: (typeof shares)[number]) => number) => shares.reduce((all, each) => all + of(each), 0);
    const missed = shares.flatMap((share) => share.missed);
    expect(sum(({ first }) => first) / sum(({ all }) => all), missed.join('; ')).to.be.at.least(0.98);
    expect(shares.flatMap(({ wrong }) => wrong)).to.deep.equal([]);
  });
});
