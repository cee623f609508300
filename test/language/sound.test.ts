import { expect } from 'chai';
import { soundKey } from '../../src/language/sound.ts';

const alike = [
  'dupont dupond dupon',
  'philippe filipe phillipe filip philip',
  'alexandre aleksandre alecsandre',
  'glucksorn gluxorn',
  'deschamps deschamp dechan',
  'merlandon merlendon',
  'coeurdevan qeurdevent',
  'vautrin votrain vautrein',
  'korsako corsaco korsaquo',
  'morivet morivay morive',
  'bruyeyre bruieyre',
  'christine kristine',
  'chapelain shapelin',
  'henri henry',
  'gautier gauthier gotier',
  'jouvence jouvanse',
  'vernault vernot vernaud',
  'valomb valon valont',
];

const apart = ['merlin morlin', 'duval deval', 'roc rac', 'vatel batel', 'anne annie', 'paul paule x'];

describe('soundKey', () => {
  for (const words of alike)
    it(`gives one key to ${words}`, () => {
      expect(new Set(words.split(' ').map(soundKey)).size).to.equal(1);
    });

  for (const words of apart)
    it(`gives several to ${words}`, () => {
      expect(new Set(words.split(' ').map(soundKey)).size).to.be.greaterThan(1);
    });

  it('gives none to what has no letter, and a short one in no time to what is long', () => {
    expect(soundKey('')).to.equal('');
    expect(soundKey('12')).to.equal('');
    expect(soundKey('\ud800')).to.equal('');
    expect(soundKey('ain'.repeat(2000)).length).to.be.lessThan(6000);
  });
});
