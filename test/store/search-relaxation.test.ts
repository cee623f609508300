import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { type KindName, kindOf } from '../../src/model/kinds.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { transaction } from '../../src/store/transaction.ts';
import { searchWords } from '../helpers/search-words.ts';

describe('the relaxation of a search', () => {
  let folder: string;
  let mirror: Mirror;

  const save = (kind: KindName, ...documents: Document[]) =>
    transaction(mirror, () => {
      const saver = createSaver(mirror, kindOf(kind), { at: '2026-01-01T00:00:00.000Z' });
      for (const document of documents) saver.save(document);
      saver.finish();
    });
  const texts = (...sentences: string[]) =>
    save(
      'content',
      ...sentences.map((text, at) => ({ id: `t${at}`, title: `Note ${at}`, text: `${text} Copie ${at}.` })),
    );
  /** The answer with its suggestions behind the results, as the service's own search gives them. */
  const ask = (query: string) => {
    const { near, ...answer } = searchWords(mirror, { query, limit: 20 });
    return { ...answer, items: [...answer.items, ...(near?.items ?? [])], relaxed: near?.relaxed ?? null };
  };
  const matchedHits = (query: string) => ask(query).items.map((hit) => [hit.id, hit.matched]);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-relaxation-'));
    mirror = openWritableMirror(join(folder, 'mirror.db'));
  });
  afterEach(() => {
    mirror.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('adds words of the same family where few hold the word itself, and marks them', () => {
    texts('Les bergers votent.', 'Voter en mai.', 'Un troupeau.');
    const { items, counts, total } = ask('voter');
    expect(items.map(({ id, matched: how }) => [id, how])).to.deep.equal([
      ['t1', 'words'],
      ['t0', 'family'],
    ]);
    expect(items.map(({ snippet, offsets }) => offsets.map(([from, to]) => snippet.slice(from, to)))).to.deep.equal([
      ['Voter'],
      ['votent'],
    ]);
    expect([counts.content, total]).to.deep.equal([2, 2]);
  });

  it('adds no other words of a family where some hold the word itself', () => {
    texts('Le maire du port.', 'La mairie du port.', 'On achète une digue.', 'Acheter ou non.');
    expect(matchedHits('maire')).to.deep.equal([['t0', 'words']]);
    expect(matchedHits('mairie')).to.deep.equal([['t1', 'words']]);
    expect(matchedHits('achète')).to.deep.equal([
      ['t2', 'words'],
      ['t3', 'family'],
    ]);
  });

  it('adds other forms of a verb however many hold the word itself, so that one more record changes nothing', () => {
    texts(...Array.from({ length: 12 }, () => 'Voter en mai.'), 'Les bergers votent.');
    expect(matchedHits('voter').map(([, how]) => how)).to.deep.equal([...Array(12).fill('words'), 'family']);
  });

  it('finds a verb in its other forms, however these begin, where few hold the one that was typed', () => {
    texts('Ils veulent du poisson.', 'Vouloir un phare.', 'Du poisson interdit.', 'Ils ont promis un phare.');
    expect(matchedHits('vouloir')).to.deep.equal([
      ['t1', 'words'],
      ['t0', 'family'],
    ]);
    expect(matchedHits('poisson interdire')[0]![0]).to.equal('t2');
    expect(matchedHits('promettre phare')[0]).to.deep.equal(['t3', 'family']);
  });

  it('takes a slip for the word that many hold, where some made the same or only left out its ending', () => {
    texts(
      ...Array.from({ length: 30 }, () => 'Un règlement constitutionnel du gouvernement. La constitution.'),
      'Le gouvernment.',
    );
    expect(ask('gouverment').corrected).to.deep.equal([{ from: 'gouverment', to: 'gouvernement' }]);
    expect(ask('constitutionel').corrected).to.deep.equal([{ from: 'constitutionel', to: 'constitutionnel' }]);
  });

  it('takes a word that no text has for the beginning of one, and says so', () => {
    texts(
      'Une politique agricole commune.',
      'Des agricultures urbaines.',
      'Des agriculteurs.',
      'Des agriculteurs du port.',
    );
    expect(matchedHits('port agricult')[0]).to.deep.equal(['t3', 'corrected']);
    expect(ask('agricult').corrected).to.deep.equal([{ from: 'agricult', to: 'agricult*' }]);
    expect(searchWords(mirror, { query: 'agricult', limit: 5 }).total).to.equal(0);
  });

  it('splits words that were typed without a space, unless one letter makes them a frequent word', () => {
    const controls = Array.from({ length: 30 }, () => 'Un contrôle.');
    texts('La fin de vie.', 'Le pouvoir d’achat.', 'Contre un rôle.', 'Une vie.', 'Des marins élus.', ...controls);
    for (const [query, to, id] of [
      ['findevie', 'fin de vie', 't0'],
      ['#pouvoirdachat', "pouvoir d'achat", 't1'],
      ['marinsélus', 'marins élus', 't4'],
    ] as const) {
      expect(matchedHits(query)[0], query).to.deep.equal([id, 'corrected']);
      expect(ask(query).corrected, query).to.deep.equal([{ from: query.replace('#', ''), to }]);
    }
    expect(ask('contrrôle').corrected).to.deep.equal([{ from: 'contrrôle', to: 'contrôle' }]);
    expect(ask('marinsxylophage').corrected).to.deep.equal([]);
    expect(ask('desdudes').corrected, 'of link words alone').to.deep.equal([]);
  });

  it('suggests what holds some words of a sentence beside few results, best first with its words side by side', () => {
    texts('Supprimer la taxe foncière.', 'Une taxe sur la vie foncière.', 'La taxe foncière du port.', 'Une digue.');
    const answer = (query: string) => searchWords(mirror, { query, limit: 20 });
    const { items, total, counts, near } = answer('supprimer la taxe foncière');
    expect([items.map(({ id }) => id), total, counts.content]).to.deep.equal([['t0'], 1, 1]);
    expect(near).to.include({ relaxed: 'any-word', total: 2 });
    expect(near!.items.map(({ id }) => id)).to.deep.equal(['t2', 't1']);
    for (const query of ['taxe foncière', 'supprimer "la taxe" foncière', 'supprimer la taxe foncière since:2020'])
      expect(answer(query).near, query).to.equal(null);
    const without = answer('supprimer la taxe foncière -port').near!;
    expect(without.items.map(({ id }) => id)).to.deep.equal(['t1']);
  });

  it('knows a slip by the word as it is written, accents and endings included', () => {
    texts('Une pratique.', 'Les retraités du port.', 'La température intérieure.');
    const to = (query: string) => ask(query).corrected.map((each) => each.to);
    expect(['pratqiue', 'retraiéts', 'intériure'].map(to)).to.deep.equal([['pratique'], ['retraités'], ['intérieure']]);
  });

  it('reads what people say for short where texts write it out', () => {
    texts('Le budget de la sécurité sociale.', 'Un organisme génétiquement modifié.', 'Une caisse sociale.');
    for (const [query, id] of [
      ['budget de la sécu', 't0'],
      ['OGM', 't1'],
    ] as const)
      expect(matchedHits(query), query).to.deep.equal([[id, 'words']]);
  });

  it('reads what people call a thing in several words where texts have another name for it', () => {
    texts('Les EHPAD du port.', 'Une maison. Une retraite.', 'Le titre-restaurant des marins.');
    expect(matchedHits('maisons de retraite')).to.deep.equal([['t0', 'words']]);
    expect(matchedHits('tickets resto')).to.deep.equal([['t2', 'words']]);
    expect(matchedHits('"maison de retraite" digue')).to.deep.equal([]);
  });

  it('names a party by the initials of its name, or by their beginning, typed in capitals', () => {
    save('party', { slug: 'rivage-citoyen', name: 'Rivage Citoyen et Port Bleu - Brume', short_name: 'RIV' });
    for (const query of ['RCPBB', 'RCPB']) expect(matchedHits(query)[0]?.[1], query).to.equal('name');
    for (const query of ['rcpb', 'RCP']) expect(ask(query).items[0]?.matched, query).not.to.equal('name');
  });

  it('names somebody behind a word that is part of other surnames, as de is', () => {
    save('politician', { slug: 'ida-vatelin', full_name: 'Ida Vatelin' });
    save('politician', { slug: 'luc-de-brume', full_name: 'Luc de Brume' });
    texts('Les données de santé.');
    expect(ask('position de Vatelin sur les données de santé').items[0]!.slug).to.equal('ida-vatelin');
  });

  it('lists nobody by half of a name whose other half no text holds, and suggests them', () => {
    save('politician', { slug: 'ida-vatelin', full_name: 'Ida Vatelin' });
    texts('Le logement à Brume.');
    const { items, near } = searchWords(mirror, { query: 'Vatelin Signorel', limit: 20 });
    expect([items, near!.items.map(({ slug }) => slug)]).to.deep.equal([[], ['ida-vatelin']]);
    for (const query of ['Vatelin logement', 'Vatelin Logement', 'vatelin signorel', 'Vatelin Logemnet'])
      expect(ask(query).items[0]?.slug, query).to.equal('ida-vatelin');
  });

  it('lists all that somebody named says before what others say of them', () => {
    save('politician', { slug: 'ida-vatelin', full_name: 'Ida Vatelin' });
    save(
      'content',
      { id: 'own', title: 'Note', politician: 'ida-vatelin', text: 'Il faut que tous votent.' },
      { id: 'other', title: 'Note', politician: 'leo-sorel', text: 'Voter, dit Vatelin. Voter !' },
    );
    expect(ask('Vatelin voter').items.map(({ slug, id }) => slug ?? id)).to.deep.equal(['ida-vatelin', 'own', 'other']);
  });

  it('says that somebody named says nothing of it, where others do', () => {
    save('politician', { slug: 'ida-vatelin', full_name: 'Ida Vatelin' });
    save('content', { id: 'own', title: 'Note', politician: 'ida-vatelin', text: 'Le logement à Brume.' });
    save('content', { id: 'other', title: 'Note', politician: 'leo-sorel', text: 'Les pesticides.' });
    const remarks = (query: string) => ask(query).remarks.map(String);
    expect(remarks('Vatelin pesticides')).to.deep.equal([
      'no text by Vatelin matches the other words: the texts listed or suggested are by others',
    ]);
    for (const query of ['Vatelin logement', 'pesticides', 'Vatelin zzz'])
      expect(remarks(query), query).to.deep.equal([]);
  });

  it('tells a corrected name with its capital, and a word that begins a sentence without', () => {
    texts('La taxe Zucmar. Amendez la loi.', 'La taxe.');
    expect(ask('zucmarr').corrected).to.deep.equal([{ from: 'zucmarr', to: 'Zucmar' }]);
    expect(ask('ammendez').corrected).to.deep.equal([{ from: 'ammendez', to: 'amendez' }]);
  });

  it('suggests words as texts write them', () => {
    texts("Une ceinture d'îles.");
    const { suggestions } = searchWords(mirror, { query: 'ceinturre', types: ['speech'], limit: 20 });
    expect(suggestions).to.deep.equal([{ word: 'ceinture' }]);
  });

  it('takes another form of a plain word for the name of a party only where it may be what its members are called', () => {
    save('party', { slug: 'pour-le-rivage', name: 'Pour le Rivage' }, { slug: 'les-riverains', name: 'Les Riverains' });
    texts(...Array.from({ length: 12 }, () => 'Les rivages et chaque riverain.'));
    expect(ask('rivages').counts.party).to.equal(0);
    expect(ask('riverain').items[0]!.slug).to.equal('les-riverains');
    expect(ask('Rivage').items[0]!.slug).to.equal('pour-le-rivage');
  });

  it('names somebody among other words, and suggests nobody who is named', () => {
    save(
      'politician',
      { slug: 'ana-nantes', full_name: 'Ana Nantes' },
      { slug: 'zoe-merlin', full_name: 'Zoé Merlin' },
    );
    texts('Le logement à Nantes.', 'Le logement selon Zoé Merlin.');
    expect(ask('Ana Nantes logement').items[0]!.slug).to.equal('ana-nantes');
    const { items, suggestions } = ask('logement Merlin');
    expect([items[0]!.slug, suggestions]).to.deep.equal(['zoe-merlin', []]);
  });

  it('names a party by its acronym behind an elision, alone or among other words', () => {
    save('party', { slug: 'union-des-phares', name: 'Union des phares', short_name: 'UDP' });
    texts("L'UDP et les digues.");
    for (const query of ["l'UDP", 'l’UDP', "l'UDP et les digues", 'digues de l’UDP'])
      expect(ask(query).items[0]!.slug, query).to.equal('union-des-phares');
  });

  it('tells what was looked for in place of a name with a slip among other words', () => {
    texts('Les votes de mai au port.', 'Une chasse au loup.');
    save('politician', { slug: 'ondine-rousselin', full_name: 'Ondine Rousselin' });
    save('politician', { slug: 'ida-chassez', full_name: 'Ida Chassez' });
    const slugs = (query: string) => ask(query).items.map(({ slug }) => slug);
    expect(ask('votes de Ondine Rouselin').corrected).to.deep.equal([{ from: 'Rouselin', to: 'Rousselin' }]);
    // What was looked for in its place is no name.
    expect(slugs('chassse au loup')[0]).to.equal(undefined);
  });

  it('takes words that a text holds as they were typed for no name that differs from them twice', () => {
    texts('La marine marchande en mer.');
    save('politician', { slug: 'marie-marchand', full_name: 'Marie Marchand' });
    expect(matchedHits('marine marchande')[0]).to.deep.equal(['t0', 'words']);
    expect(ask('marie marchande').items[0]!.slug).to.equal('marie-marchand');
  });

  it('corrects a word behind an elision, among others too', () => {
    texts("La taxe d'habitation.", "L'abri d'un pêcheur.", 'La taxe du port.');
    expect(matchedHits("taxe d'habitasion")[0]).to.deep.equal(['t0', 'corrected']);
    expect(ask("d'habitasion").corrected).to.deep.equal([{ from: "d'habitasion", to: 'habitation' }]);
  });

  it('gives a question what holds any of its words where few texts hold words of all their families', () => {
    texts('Le remboursement de la dette du port, qui presse.', 'La dette du port.', 'Une dette ancienne.', 'Un phare.');
    const hits = matchedHits('qui remboursera la dette du port ?');
    expect(hits[0]).to.deep.equal(['t0', 'family']);
    expect(hits.slice(1).map(([id]) => id)).to.include.members(['t1', 't2']);
  });

  it('counts a word and its family as one where any word is enough: telling words first, not the rarest form', () => {
    texts(
      ...Array.from({ length: 6 }, () => 'Le démarchage téléphonique du port.'),
      ...Array.from({ length: 30 }, () => 'La digue du port.'),
      'Arnaquer la digue.',
      'Des arnaques.',
    );
    const hits = matchedHits('arnaques au téléphone sur la digue');
    expect(new Set(hits.map(([, how]) => how))).to.deep.equal(new Set(['any-word']));
    expect(hits.slice(0, 8).map(([id]) => id)).to.have.members(['t0', 't1', 't2', 't3', 't4', 't5', 't36', 't37']);
  });

  it('leaves excluded words out where any word is enough', () => {
    texts('La digue du nord.', 'Le phare du nord.', 'Le phare du sud.');
    expect(matchedHits('digue phare -sud').map(([id]) => id)).to.have.members(['t0', 't1']);
  });

  it('lists a text with copies once where any word is enough', () => {
    const copies = ['a', 'b'].map((id) => ({ id, title: 'Note', text: 'La digue du nord.' }));
    save('content', ...copies, { id: 'c', title: 'Note', text: 'Le phare.' });
    const { items } = ask('digue phare');
    expect(items.map(({ id, copies }) => [id, copies])).to.have.deep.members([
      ['b', 1],
      ['c', 0],
    ]);
  });

  it('finds what is on the file that texts with the called name of a law are about, and says so', () => {
    const dossier = 'Encadrer la pose des digues flottantes';
    const sentences = ['La loi Vatel protège.', 'Contre la loi Vatel.', 'Sur les pieux.', 'Sur les ancres.'];
    save('content', ...sentences.map((text, at) => ({ id: `a${at}`, title: `Amendement ${at}`, text, dossier })));
    save('content', { id: 'other', title: 'Amendement', text: 'Un phare.', dossier: 'Phares' });
    const { items, relaxed } = ask('qui la loi Vatel protégera-t-elle');
    const onFile = items.filter(({ matched }) => matched === 'file');
    expect(onFile.map(({ id }) => id)).to.have.members(['a0', 'a1', 'a2', 'a3']);
    expect(relaxed).to.equal('file');
    expect(matchedHits('loi Vatel')).to.have.deep.members([
      ['a0', 'words'],
      ['a1', 'words'],
    ]);
  });

  it('takes a budget of a year for no law that is called by another name', () => {
    const dossier = 'Projet de loi de finances pour 2031';
    const otherSentences = Array.from({ length: 60 }, (_, at) => `Sur le ponton ${at}.`);
    const sentences = ['La loi Vatel coûte.', 'Contre la loi Vatel.', ...otherSentences];
    save('content', ...sentences.map((text, at) => ({ id: `a${at}`, title: `Amendement ${at}`, text, dossier })));
    expect(ask('loi Vatel').items.map(({ id }) => id)).to.have.members(['a0', 'a1']);
  });

  it('lists texts first in which the words stand side by side, small ones between them included', () => {
    texts('La mer est haute, le phare gris.', 'Un phare de la mer du nord.', 'La mer. Un phare. La mer.');
    expect(ask('phare de la mer').items.map(({ id }) => id)).to.deep.equal(['t1', 't2', 't0']);
    texts('Le pacte ignore la loi.', 'Pacte, pacte, loi, loi.', 'Contre la loi Pacte du port.');
    expect(ask('loi Pacte').items[0]!.id).to.equal('t2');
  });

  it('gives a question texts about its subject, not whom one word of it names', () => {
    save('party', { slug: 'cap-sur-la-digue', name: 'Cap sur la digue' });
    texts('La digue du nord et son phare.');
    const { items } = ask('comment financer et protéger la digue, le phare et la jetée ?');
    expect(items.map(({ id, slug }) => slug ?? id)).to.deep.equal(['t0']);
  });

  it('tells whom a name means that lacks the ending which the index leaves out', () => {
    texts('Une note de Morvesse.', 'Deux notes de Morvesse.', 'Trois notes de Morvesse.');
    save('politician', { slug: 'ida-morvesse', full_name: 'Ida Morvesse' });
    expect(ask('Morvess').items[0]!.slug).to.equal('ida-morvesse');
  });

  it('tells whom initials and a surname with a capital mean, though texts hold that word', () => {
    texts('Il y a un robinet ici.', 'On a un robinet.', 'Elle a un robinet.');
    save('politician', { slug: 'anna-robinet', full_name: 'Anna Robinet' });
    expect(ask('A. Robinet').items[0]!.slug).to.equal('anna-robinet');
    expect(ask('a robinet').items[0]!.slug).to.equal(undefined);
  });

  it('tells whose name a word begins, behind whole surnames and before any correction', () => {
    save(
      'politician',
      { slug: 'ida-corbel', full_name: 'Ida Corbel' },
      { slug: 'zoe-corbellini', full_name: 'Zoé Corbellini' },
      { slug: 'luc-marquetou', full_name: 'Luc Marquetou' },
    );
    texts('Une corbeille pleine.', 'La marque du port.', 'Une marquise de verre.');
    const slugs = (query: string) => ask(query).items.map(({ slug }) => slug);
    expect(slugs('corbel').slice(0, 2)).to.deep.equal(['ida-corbel', 'zoe-corbellini']);
    expect(slugs('corbe').slice(0, 2)).to.have.members(['ida-corbel', 'zoe-corbellini']);
    expect(slugs('marquet')).to.deep.equal(['luc-marquetou']);
    expect(ask('marquet').corrected).to.deep.equal([]);
  });

  it('lists at most five whose names a word begins, whether or not texts hold it', () => {
    const people = ['a', 'e', 'i', 'o', 'u', 'y', 'an', 'en', 'in', 'on', 'un', 'ou'];
    save('politician', ...people.map((end) => ({ slug: `bruno-digue${end}`, full_name: `Bruno Digue${end}` })));
    texts('Une digue.', 'La digue du port.');
    const politicianCount = (query: string) => ask(query).items.filter(({ type }) => type === 'politician').length;
    expect([politicianCount('digue'), politicianCount('dig')]).to.deep.equal([5, 0]);
    expect(politicianCount('brun')).to.equal(5);
  });

  it('takes the first name and the surname of two people for neither', () => {
    save(
      'politician',
      { slug: 'aline-vautour', full_name: 'Aline Vautour' },
      { slug: 'aline-mercier', full_name: 'Aline Mercier' },
      { slug: 'jules-petrel', full_name: 'Jules Pétrel' },
    );
    texts('Aline Pétrel chante.', 'Aline parle.');
    const { items, relaxed } = ask('Aline Pétrel');
    expect(items.map(({ id, slug }) => slug ?? id)).to.deep.equal(['t0']);
    expect(relaxed).to.equal(null);
  });

  it('takes the first name of one and a surname with a small word of another for neither', () => {
    save(
      'politician',
      { slug: 'aline-vautour', full_name: 'Aline Vautour' },
      { slug: 'aline-mercier', full_name: 'Aline Mercier' },
      { slug: 'ida-le-roc', full_name: 'Ida Le Roc' },
      { slug: 'luc-aline', full_name: 'Luc Aline' },
    );
    texts('Une digue.');
    const slugs = (query: string) => ask(query).items.flatMap(({ slug }) => slug ?? []);
    expect(slugs('Aline Le Roc')).not.to.include('ida-le-roc');
    expect(slugs('Le Roc digue')).to.include('ida-le-roc');
    const nameHits = ask('Aline de Vezeley').items.filter((hit) => hit.matched === 'name');
    expect(nameHits).to.deep.equal([]);
  });

  it('takes a frequent word for no acronym, unlike the same letters in capitals', () => {
    texts('La vigie internationale des eaux (VIE) surveille.', ...Array.from({ length: 201 }, () => 'La vie du port.'));
    const namesOf = (query: string) => ask(query).interpretations;
    expect(namesOf('vie')).to.deep.equal([]);
    expect(namesOf('VIE')).to.deep.equal([
      { words: 'VIE', as: 'other-name', values: ['vigie internationale des eaux'] },
    ]);
  });

  it('finds by an acronym what a text defines with accents, and texts that only write it out', () => {
    texts('Le conseil de sûreté navigable révisé (CSNR) siège.', 'Un conseil de sûreté navigable révisé.');
    expect(ask('CSNR').items).to.have.length(2);
  });

  it('finds the file of a law that is named in a question', () => {
    const dossier = 'Encadrer la pose des digues flottantes';
    const sentences = ['La loi Vatel protège.', 'Contre la loi Vatel.', 'Sur les pieux.'];
    save('content', ...sentences.map((text, at) => ({ id: `a${at}`, title: `Amendement ${at}`, text, dossier })));
    const files = ask('qui vote pour la loi Vatel').items.filter((hit) => hit.matched === 'file');
    expect(files.map(({ id }) => id)).to.have.members(['a0', 'a1', 'a2']);
  });

  it('answers what somebody thinks with nothing that only says think', () => {
    save('politician', { slug: 'ida-morvesse', full_name: 'Ida Morvesse' });
    texts('Je pense aux digues.', 'Elle pense.');
    expect(ask('que pense Morvesse').items.map(({ id, slug }) => slug ?? id)).to.deep.equal(['ida-morvesse']);
  });

  it('lists what holds a number of the query first where any word is enough', () => {
    const others = Array.from({ length: 20 }, (_, at) => `Une digue ${at + 100}.`);
    texts('Les phares, phares et phares.', 'Un délai de 40 mois court.', 'La peine de 40 mois.', ...others);
    expect(ask('40 mois de phares').items.at(-1)!.id).to.equal('t0');
  });

  it('suggests what holds any of the words where none holds all, beside the results, and with no other filter', () => {
    texts('Des prisons pleines.', 'Une prison.', 'Rien.');
    const answer = (query: string, more = {}) => searchWords(mirror, { query, limit: 20, ...more });
    expect(matchedHits('prisons pleines')).to.deep.equal([['t0', 'words']]);
    const { items, total, counts, near } = answer('prisons vides');
    expect([items, total, counts.content]).to.deep.equal([[], 0, 0]);
    expect([near!.relaxed, near!.total]).to.deep.equal(['any-word', 2]);
    expect(near!.items.map(({ id }) => id)).to.have.members(['t0', 't1']);
    for (const filter of ['since:2020', 'until:2030', 'type:content', '-type:speech'])
      expect(answer(`prisons vides ${filter}`).near, filter).to.equal(null);
    expect(answer('prisons vides', { topic: 'justice' }).near).to.equal(null);
  });

  it('tells texts first in which a date or quantity stands as typed', () => {
    texts(
      'Le 7 octobre 2023, au port.',
      'Né le 7 mars 1950, en octobre 2023.',
      'Une aide de 500 €.',
      'Un port de 500 places pour cent euros.',
      'Sous la Ve République.',
      'La République en 5 points.',
    );
    expect(matchedHits('7 octobre 2023')[0]).to.deep.equal(['t0', 'words']);
    expect(matchedHits('500 euros')[0]).to.deep.equal(['t2', 'words']);
    expect(matchedHits('5e république').map(([id]) => id)).to.include('t4');
  });

  it('reads the short name of a group in small letters as the author, a title too, unless it is before a surname', () => {
    save('party', { slug: 'digue-an', name: 'Digue Républicaine', short_name: 'DR', chamber: 'AN' });
    save('party', { slug: 'quais-an', name: 'Union des quais', short_name: 'UQPLR', chamber: 'AN' });
    save('politician', { slug: 'ida-morvesse', full_name: 'Ida Morvesse' });
    for (const [id, party] of Object.entries({ d: 'digue-an', q: 'quais-an' }))
      save('content', { id, title: 'Note', text: 'Le phare.', party });
    const first = (query: string) => ask(query).items.slice(0, 2);
    expect(first('dr phare').map(({ id, slug }) => slug ?? id)).to.deep.equal(['digue-an', 'd']);
    expect(first('uqplr phare').map(({ id, slug }) => slug ?? id)).to.deep.equal(['quais-an', 'q']);
    expect(first('dr morvesse').map(({ id, slug }) => slug ?? id)).to.deep.equal(['ida-morvesse']);
  });

  it('suggests the party that a nickname means which no record bears, and lists it for none', () => {
    save('party', { slug: 'parti-socialiste', name: 'Parti socialiste', short_name: 'PS' });
    texts('Les socialos du port.');
    const { items, suggestions } = ask('les socialos');
    expect(items.map(({ id }) => id)).to.deep.equal(['t0']);
    expect(suggestions).to.deep.equal([{ slug: 'parti-socialiste', full_name: 'Parti socialiste' }]);
  });

  it('tells a living party before the groups of its name', () => {
    const name = 'Union des phares';
    save(
      'party',
      { slug: 'up-1', name, short_name: 'UP', chamber: 'AN' },
      { slug: 'up-2', name, short_name: 'UP' },
      { slug: 'up-3', name, short_name: 'UP', end_date: '2020-01-01' },
    );
    save('content', ...Array.from({ length: 3 }, (_, at) => ({ id: `c${at}`, title: 'Phare', party: 'up-1' })));
    expect(ask('union des phares').items.map(({ slug }) => slug)).to.deep.equal(['up-2', 'up-1', 'up-3']);
  });

  it('takes aujourd hui for one word', () => {
    texts("C'est aujourd'hui.", 'Le huis clos.');
    expect(matchedHits('aujourd hui')).to.deep.equal([['t0', 'words']]);
  });

  describe('of a politician and something else', () => {
    const note = (id: string, politician: string, text: string) => ({ id, title: 'Note', politician, text });
    const ids = (query: string) => ask(query).items.map(({ id, slug }) => id ?? slug);

    beforeEach(() => {
      save(
        'politician',
        { slug: 'ines-cormoret', full_name: 'Inès Cormoret' },
        { slug: 'basile-cormoret', full_name: 'Basile Cormoret' },
      );
      save(
        'content',
        note('of-others', 'basile-cormoret', 'Le phare selon Inès Cormoret, Inès Cormoret et encore Inès Cormoret.'),
        note('of-her', 'ines-cormoret', 'Il faut garder un phare, et tout ce qui entoure ce lieu de la côte nord.'),
        note('of-her-too', 'ines-cormoret', 'La digue du port.'),
        note('of-nobody', 'basile-cormoret', 'La digue du phare.'),
      );
    });

    it('tells what the politician said before what others say', () => {
      expect(ids('Inès Cormoret phare')).to.deep.equal(['ines-cormoret', 'of-her', 'of-others']);
      expect(ids('phare Inès Cormoret')).to.deep.equal(['ines-cormoret', 'of-her', 'of-others']);
    });

    it('tells what she said of any of the words before what others said of them', () => {
      const { items, relaxed } = ask('Inès Cormoret digue verger');
      expect(relaxed).to.equal('any-word');
      expect(items.slice(0, 2).map(({ id, slug }) => id ?? slug)).to.deep.equal(['ines-cormoret', 'of-her-too']);
    });

    it('takes words of asking for none that she has to say', () => {
      expect(ids('que pense Inès Cormoret du phare').slice(0, 2)).to.deep.equal(['ines-cormoret', 'of-her']);
    });

    it('tells what a party that is named by its short name said before what others said of it', () => {
      save('party', { slug: 'ligue-du-port', name: 'Ligue du port', short_name: 'LDP' });
      save(
        'content',
        { id: 'of-ldp', title: 'Note', party: 'ligue-du-port', text: 'Un phare pour le nord.' },
        { id: 'on-ldp', title: 'Note', text: 'LDP, encore LDP : un phare.' },
      );
      expect(ids('LDP phare')).to.deep.equal(['ligue-du-port', 'of-ldp', 'on-ldp']);
    });

    it('says in which groups the members of a party sit whose texts are filed under these', () => {
      save('party', { slug: 'ligue-du-port', name: 'Ligue du port', short_name: 'LDP' });
      save('politician', {
        slug: 'nora-vent',
        full_name: 'Nora Vent',
        party: 'ligue-du-port',
        group: 'ldp-an',
      });
      expect(ask('phare party:LDP').remarks.map(String)).to.deep.equal([
        'no text states ligue-du-port; its members sit in ldp-an (1)',
      ]);
      save('content', { id: 'of-ldp', title: 'Note', party: 'ligue-du-port', text: 'Un phare.' });
      expect(ask('phare party:LDP').remarks).to.deep.equal([]);
    });

    it('corrects what is asked of her, too', () => {
      const { items, corrected } = ask('Inès Cormoret digeu');
      expect(items.map(({ id, slug }) => id ?? slug).slice(0, 2)).to.deep.equal(['ines-cormoret', 'of-her-too']);
      expect(corrected).to.deep.equal([{ from: 'digeu', to: 'digue' }]);
    });

    it('does so where neither politicians nor parties are searched', () => {
      const { items } = searchWords(mirror, { query: 'Inès Cormoret phare', limit: 20, types: ['content'] });
      expect(items.map(({ id }) => id)).to.deep.equal(['of-her', 'of-others']);
      const hers = searchWords(mirror, { query: 'Inès Cormoret port', limit: 20, types: ['content'] });
      expect([hers.items.map(({ id }) => id), hers.near]).to.deep.equal([['of-her-too'], null]);
    });

    it('counts each record once', () => {
      const { items, total, counts } = ask('Inès Cormoret phare');
      expect([items.length, total, counts.content]).to.deep.equal([3, 3, 2]);
    });
  });
});
