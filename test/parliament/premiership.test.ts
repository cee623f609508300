import { expect } from 'chai';
import { premierDays } from '../../src/parliament/premiership.ts';

describe('the days of a Prime Minister', () => {
  it('are those that the biography states, in one year or in two', () => {
    const daysOf = (bio: string | null) => premierDays({ bio });
    expect(daysOf('Elle est Première ministre du 16 mai 2022 au 9 janvier 2024. Ingénieure.')).to.deep.equal([
      '2022-05-16',
      '2024-01-09',
    ]);
    expect(daysOf('notamment Premier ministre du 1er mars au 5 septembre 2024.')).to.deep.equal([
      '2024-03-01',
      '2024-09-05',
    ]);
    expect(daysOf('Premier ministre du 5 mars 2024 au 15 septembre 2024')).to.deep.equal(['2024-03-05', '2024-09-15']);
    for (const bio of [
      null,
      'Premier ministre du 1er mars 2024 au 5 avrille 2024.',
      'Premier ministre du 1er marsouin 2024 au 5 avril 2024.',
      'Ancien Premier ministre.',
      'Ministre du 1er mars au 5 mai 2024.',
      'Premier ministre du 2 au',
    ])
      expect(daysOf(bio), String(bio)).to.equal(null);
  });
});
