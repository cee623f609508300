import { expect } from 'chai';
import { acronymsIn } from '../../src/language/acronym.ts';

const explained: [text: string, acronyms: string[]][] = [
  ['Le Parti du large (PL) propose', ['pl: parti du large']],
  ['selon la Gauche du large et du vent (GLV).', ['glv: gauche du large et du vent']],
  ['par La France du phare (LFP)', ['lfp: la france du phare']],
  ['l’Union pour un mouvement nouveau (U.M.N.)', ['umn: union pour un mouvement nouveau']],
  ["un crédit d'impôt marin (CIM) et le fonds des phares (FP)", ['cim: credit d impot marin', 'fp: fonds des phares']],
  ['la dotation de continuité (DC)', ['dc: dotation de continuite']],
  ['Mouvement écologiste-indépendant (MEI)', ['mei: mouvement ecologiste independant']],
  ['Anne Merlin (PL)', []],
  ['un autre parti qui est large (PL)', []],
  ['Fin. Large (PL)', []],
  ['l’amendement (Rect)', []],
  ['(PL)', []],
  ['', []],
];

describe('acronymsIn', () => {
  for (const [text, expected] of explained)
    it(`finds [${expected}] in ${JSON.stringify(text)}`, () => {
      expect(acronymsIn(text).map(({ short, long }) => `${short}: ${long}`)).to.deep.equal(expected);
    });

  it('answers any text, and tells the same once', () => {
    expect(acronymsIn('Parti du large (PL), '.repeat(500)).length).to.equal(1);
    for (const hostile of ['(', '(A'.repeat(2000), `${'a '.repeat(5000)}(AA)`, '\ud800(AB)'])
      expect(acronymsIn(hostile)).to.be.an('array');
  });
});
