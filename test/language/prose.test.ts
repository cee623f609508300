import { expect } from 'chai';
import { proseText as analysed, proseTokens } from '../../src/language/prose.ts';

const token = /^[a-z0-9_\u0080-\u{10ffff}]+$/u;

const same = [
  ['loi', 'lois'],
  ['élu', 'élue', 'élus', 'élues'],
  ['travail', 'travaux'],
  ['cheval', 'chevaux'],
  ['national', 'nationale', 'nationales', 'nationaux'],
  ['école', 'écoles', 'ECOLES', "l'école", 'L’École', 'e\u0301cole'],
  ['acteur', 'actrice', 'acteurs', 'actrices'],
  ['sénateur', 'sénatrice'],
  ['ambassadeur', 'ambassadrice'],
  ['auteur', 'auteure', 'autrice'],
  ['chômeur', 'chômeuse', 'chômeurs'],
  ['heureux', 'heureuse', 'heureuses'],
  ['premier', 'première', 'premiers', 'premières'],
  ['européen', 'européenne', 'européennes'],
  ['actif', 'active', 'actives'],
  ['naïf', 'naïve'],
  ['professionnel', 'professionnelles'],
  ['français', 'française', 'françaises'],
  ['public', 'publique', 'publics', 'publiques'],
  ['laïc', 'laïque'],
  ['député', 'députée', 'députés', 'députées'],
  ['adopté', 'adoptée', 'adoptées', 'ADOPTÉS', 'adopte\u0301', 'adoptee'],
  ['privé', 'privée', 'privés'],
  ['utilisé', 'utilisée'],
  ['nouveau', 'nouvelle', 'nouveaux'],
  ['beau', 'belle', 'beaux'],
  ['vieux', 'vieille'],
  ['matériau', 'matériaux'],
  ['tuyau', 'tuyaux'],
  ['niveau', 'niveaux'],
  ['jeu', 'jeux'],
  ['lieu', 'lieux'],
  ['bail', 'baux'],
  ['vitrail', 'vitraux'],
  ['hôpital', 'hôpitaux'],
  ['étranger', 'étrangère'],
  ['secret', 'secrète'],
  ['royal', 'royaux'],
  ['an', 'ans'],
  ['tout', 'toute', 'tous', 'toutes'],
  ['cœur', 'coeur', 'CŒURS'],
  ["aujourd'hui", 'aujourd’hui', "d'aujourd'hui", 'aujourdhui'],
  ['jusqu’au', "qu'au", 'au'],
  ['SMIC', 'S.M.I.C.', 'smic', 'S.M.I.C'],
  ['onu', "l'O.N.U.", 'ONU'],
  ['49.3', '49-3', '49,3', '49‑3', '49–3', '４９．３', '49\u200b.3'],
  ['1', '1er', '1ère', '1re', '1ers', '1ᵉʳ', '1º'],
  ['2', '2e', '2ème', '2nd', '2nde'],
  ['50000', '50 000', '50\u00a0000', '50\u202f000', '50.000'],
  ['1500000', '1 500 000', '1.500.000'],
  ['12', 'n° 12', 'N°12', 'nº 12', '№ 12', "d'12"],
  ['1,5', '1.5', "d'1,5"],
  ['n°2022-1158', '2022-1158'],
  ['L. 123-4', 'L123-4', 'L.123-4', 'l 123-4'],
  ['L.O. 141', 'LO141', 'LO 141'],
  ['2017-2022', '2017 2022'],
  ['retraite', 're\u00adtraite', 're\u200btraite', 're\0traite', '\u202eretraite\u202c'],
  ['m²', 'm2'],
];

const different = [
  ['marche', 'marché'],
  ['côte', 'côté'],
  ['cote', 'côte'],
  ['sur', 'sûr'],
  ['du', 'dû'],
  ['pêche', 'péché'],
  ['tache', 'tâche'],
  ['jeune', 'jeûne'],
  ['mais', 'maïs'],
  ['retraite', 'retraité'],
  ['armé', 'armée'],
  ['arrête', 'arrêté'],
  ['salle', 'salé'],
  ['franc', 'France'],
  ['cours', 'course'],
  ['main', 'Maine'],
  ['médecin', 'médecine'],
  ['capital', 'capitale'],
  ['garde', 'Gard'],
  ['parti', 'partie'],
  ['droit', 'droite'],
  ['cour', 'cours'],
  ['fond', 'fonds'],
  ['foi', 'fois'],
  ['moi', 'mois'],
  ['mai', 'mais'],
  ['arme', 'armée'],
  ['port', 'porte'],
  ['commun', 'commune'],
  ['vent', 'vente'],
  ['fil', 'fils'],
  ['fille', 'fils'],
  ['pays', 'paye'],
  ['loi', 'loire'],
  ['banc', 'banque'],
  ['heure', 'heureux'],
  ['peu', 'peur'],
  ['mal', 'mail'],
  ['mer', 'mère'],
  ['cas', 'case'],
  ['prix', 'pris'],
  ['trait', 'traité'],
  ['retrait', 'retraite'],
  ['arrêt', 'arrêté'],
  ['maire', 'mairie'],
  ['ministre', 'ministère'],
  ['police', 'policier'],
  ['entre', 'entrée'],
  ['chapeau', 'chapelle'],
  ['social', 'société'],
  ['49.3', '493'],
  ['2024 577', '2024577'],
];

const analyses = [
  ["l'État n'a qu'un budget", 'etat a un budget'],
  ['porte-parole', 'porte parol'],
  ['L’article 49.3, alinéa 2', 'articl 49_3 alinea 2'],
  ['entre 3 000 et 4 000', 'entr 3000 et 4000'],
  ['de 3 000-4 000 €', 'de 3000_4000 euro'],
  ['article R. 421-1', 'articl r 421_1'],
  ['à 20h30, en 4G', 'a 20h30 en 4g'],
  ['en 2024 577 sièges', 'en 2024 577 sieg'],
  ['50 %, 50 % et 3,5%', '50 pourcent 50 pourcent et 3_5 pourcent'],
  ['3 M€ pour 20€', '3 m euro pour 20 euro'],
  ['?q=a%20b', 'q a 20b'],
  ['12.05.2024', '12_05_2024'],
  ['J.L. Durand', 'jl durand'],
  ['a_b', 'a b'],
  ["prud'hommes", 'prud homm'],
  ['‘vote’ « vote » `vote`', 'vote vote vote'],
  ['AND OR NOT NEAR', 'and or not near'],
  ['de la à le un', 'de la a le un'],
  ['½ ℃ 日本 Ελλάδα', '1 2 c 日本 ελλαδα'],
  ['😀 !? — … "', ''],
  ["l' d' '", ''],
  ['', ''],
] as const;

const hostile = {
  NUL: '\0'.repeat(1000),
  'lone surrogates': 'a\ud800b \udc00 \ud83d',
  'marks with no letter': '\u0301'.repeat(1000),
  'one letter under many marks': `e${'\u0301'.repeat(1000)}`,
  'right-to-left marks': '\u202e\u200f\u2067loi\u2069',
  quotes: '"'.repeat(10_000),
  'a ligature that expands': '\ufdfa'.repeat(1000),
  'pairs at the cut': `a${'𝐀日'.repeat(10)}${'😀𠀋'.repeat(400)}`,
};

const huge = ['a', '1.', '1 000 ', 'a.', "l'", '-', ' ', '\0', '1-', "a'b-"];

/** A word of letters for a number, another for each. */
const letters = (number: number): string =>
  [...number.toString(20)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 20))).join('');

describe('prose', () => {
  for (const words of same) {
    it(`takes for one: ${words.map((word) => JSON.stringify(word)).join(', ')}`, () => {
      expect(new Set(words.map(analysed))).to.have.lengthOf(1);
      expect(analysed(words[0] ?? '')).to.not.equal('');
    });
  }

  for (const [one, other] of different) {
    it(`keeps apart: ${one}, ${other}`, () => {
      expect(analysed(one ?? '')).to.not.equal(analysed(other ?? ''));
    });
  }

  for (const [text, tokens] of analyses) {
    it(`reads ${JSON.stringify(text)} as ${JSON.stringify(tokens)}`, () => {
      expect(analysed(text)).to.equal(tokens);
    });
  }

  for (const [name, text] of Object.entries(hostile)) {
    it(`gives only whole tokens for ${name}`, () => {
      for (const each of proseTokens(text)) {
        expect(each)
          .to.match(token)
          .and.not.match(/[\s\p{Cs}]/u);
        expect(each.length).to.be.at.most(64);
      }
    });
  }

  it('keeps every order of odd signs within the alphabet of tokens', () => {
    const signs = [
      "'",
      '’',
      '-',
      '.',
      ',',
      ' ',
      '\u00a0',
      '1',
      '22',
      '333',
      'é',
      'L',
      'n°',
      'º',
      'N°',
      'des',
      '%',
      '€',
      '\u200b',
      '½',
      '\ud800',
      '_',
    ];
    let state = 7;
    const next = () => {
      state = (state * 1103515245 + 12345) % 2147483648;
      return signs[Math.floor((state / 2147483648) * signs.length)];
    };
    for (let round = 0; round < 5000; round += 1) {
      const text = Array.from({ length: 10 }, next).join('');
      for (const each of proseTokens(text)) expect(each, JSON.stringify(text)).to.match(token);
    }
  });

  it('cuts a token at 64 characters', () => {
    expect(proseTokens('x'.repeat(1000))).to.deep.equal(['x'.repeat(64)]);
  });

  it('reads a word in the same way after more words than it remembers', () => {
    const before = analysed('Les écoles, l’école');
    const words = Array.from({ length: 200_000 }, (_, n) => letters(n));
    expect(proseTokens(words.join(' '))).to.have.lengthOf(words.length);
    expect(analysed('Les écoles, l’école')).to.equal(before);
  });

  for (const unit of huge) {
    it(`reads a megabyte of ${JSON.stringify(unit)}, in time that grows no faster than the text`, () => {
      const text = unit.repeat(1_000_000 / unit.length);
      expect(proseTokens(text).every((each) => token.test(each) && each.length <= 64)).to.equal(true);
    });
  }
});
