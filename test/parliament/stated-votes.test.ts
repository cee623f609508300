import { expect } from 'chai';
import { type StatedVote, statedVotesIn } from '../../src/parliament/stated-votes.ts';

/** What a sentence states of one vote: number, result, counts, chamber, days, words that are not compared, doubts. */
function summaryOf(vote: StatedVote): string {
  const counts = Object.entries(vote.counts).map(([name, count]) => `${count} ${name}`);
  const days = vote.days.map(String).join(' ') + (vote.isDayDirect ? ' (direct)' : '');
  const doubts = (
    ['statesBallotResult', 'statesResultWithCounts', 'mayReverseCounts', 'mayConcernOtherVote'] as const
  ).filter((name) => vote[name]);
  const { number, result, chamber, otherVoters } = vote;
  return [
    number && `n° ${number}`,
    result,
    counts.join(', '),
    chamber,
    days,
    otherVoters && `“${otherVoters}”`,
    ...doubts,
  ]
    .filter((part) => part)
    .join('; ');
}

const cases: [text: string, ...votes: string[]][] = [
  [
    'Le texte a été adopté par 51 voix contre 34 (scrutin n° 8).',
    'n° 8; adopté; 51 for, 34 against; statesResultWithCounts',
  ],
  [
    'L’Assemblée nationale a rejeté le texte par 34 voix contre 51.',
    'rejeté; 34 for, 51 against; AN; mayReverseCounts',
  ],
  [
    'Le Sénat a repoussé le texte, par 1 234 voix pour et 51 contre, le 3 mars 2026.',
    'rejeté; 1234 for, 51 against; Senat; 2026-03-03',
  ],
  ['Le scrutin public n° 12 a été rejeté.', 'n° 12; rejeté; statesBallotResult'],
  ['Scrutin n°12 : 51 pour, 34 contre, 2 abstentions.', 'n° 12; 51 for, 34 against, 2 abstention'],
  ['Scrutin no. 012 du 16 décembre 2025', 'n° 12; 2025-12-16'],
  ['Ballot number 12: 51 for, 34 against, 1 abstention.', 'n° 12; 51 for, 34 against, 1 abstention'],
  ['The bill was passed by 51 votes to 34 on 2026-03-03.', 'adopté; 51 for, 34 against; 2026-03-03 (direct)'],
  [
    'The bill was passed on 3 March 2026 by 51 votes against 34, with 2 abstentions.',
    'adopté; 51 for, 34 against, 2 abstention; 2026-03-03 (direct)',
  ],
  ['The bill was rejected by 51 votes against 34.', 'rejeté; 51 for, 34 against; mayReverseCounts'],
  ['The bill was rejected, 51 votes against, 34 for.', 'rejeté; 51 against, 34 for'],
  ['The bill was rejected, 51 against 34 for.', 'rejeté; 51 against, 34 for'],
  ['The bill has been defeated, 51 against and 34 for.', 'rejeté; 51 against, 34 for'],
  ['Le vote numéro 7 et le scrutin nº 8 ont eu lieu.', 'n° 7'],
  ['Après le scrutin n° 8, la séance est levée.'],
  ['Le scrutin 12 pour les uns, 3 contre les autres.'],
  ['Au scrutin 2025, rien.'],
  ['Au scrutin 312, le texte est approuvé.', 'n° 312; adopté'],
  [
    'Le texte n’a pas été adopté par 51 voix contre 34.',
    '51 for, 34 against; statesResultWithCounts; mayReverseCounts',
  ],
  [
    'Le texte, adopté par le Sénat, a été rejeté par 51 voix contre 34.',
    'rejeté; 51 for, 34 against; statesResultWithCounts; mayReverseCounts',
  ],
  ['La motion de censure a recueilli 289 voix (scrutin n° 4).', 'n° 4; 289 for'],
  ['La motion de censure n’a réuni que 289 voix le 3 mars 2026.', '289 for; 2026-03-03'],
  ['The motion of censure received only 289 votes on 3 March 2026.', '289 for; 2026-03-03'],
  ['La motion de censure a recueilli seulement 289 voix contre elle (scrutin n° 4).', 'n° 4'],
  ['Le Gouvernement est renversé par 331 voix pour (scrutin n° 4).', 'n° 4; adopté; 331 for'],
  ['Les députés ont voté pour (scrutin n° 8).', 'n° 8; AN; “ont voté pour”'],
  [
    'Le groupe Aube a voté contre le texte, adopté par 51 voix contre 34.',
    'adopté; 51 for, 34 against; “groupe Aube a”; statesResultWithCounts; mayConcernOtherVote',
  ],
  ['Le texte est adopté à l’unanimité (scrutin n° 8).', 'n° 8; adopté; “unanimité”'],
  ['Elle s’est abstenue lors du scrutin n° 8.', 'n° 8; “est abstenue”'],
  [
    'En commission, le texte a été adopté par 12 voix contre 8.',
    'adopté; 12 for, 8 against; statesResultWithCounts; mayConcernOtherVote',
  ],
  [
    'Le 3 mars 2026, l’Assemblée a adopté le texte par 51 voix contre 34.',
    'adopté; 51 for, 34 against; AN; 2026-03-03 (direct)',
  ],
  [
    'Lors du scrutin n° 8 du mardi 3 mars, le texte du 1er février 2026 a été adopté par 51 voix contre 34.',
    'n° 8; adopté; 51 for, 34 against; -03-03 2026-02-01 (direct); statesResultWithCounts',
  ],
  ['Voté le 03/03/2026 : 51 voix pour et 34 contre.', '51 for, 34 against; 2026-03-03'],
  [
    'On March 3, 2026 the National Assembly adopted it by 51 votes to 34.',
    'adopté; 51 for, 34 against; AN; 2026-03-03',
  ],
  [
    'C’est le 3 mars que le Sénat a rejeté le texte par 51 voix contre 34.',
    'rejeté; 51 for, 34 against; Senat; -03-03; mayReverseCounts',
  ],
  [
    'Le texte déposé le 3 mars 2026 a été adopté par 51 voix contre 34.',
    'adopté; 51 for, 34 against; 2026-03-03; statesResultWithCounts',
  ],
  [
    'Le texte a été adopté par 51 voix contre 34 ; le scrutin n° 9 a rejeté l’amendement.',
    'adopté; 51 for, 34 against; statesResultWithCounts',
    'n° 9; rejeté',
  ],
  [
    'Le texte a été adopté par 51 voix contre 34 tandis que l’amendement est rejeté par 12 voix contre 9.',
    'adopté; 51 for, 34 against; statesResultWithCounts',
    'rejeté; 12 for, 9 against; statesResultWithCounts; mayReverseCounts',
  ],
  [
    'Le texte a été adopté (51 pour, 34 contre) et le Sénat l’a rejeté (12 pour, 34 contre).',
    'adopté; 51 for, 34 against',
    'rejeté; 12 for, 34 against; Senat',
  ],
  [
    'M. Merle a parlé. Le texte est adopté par 51 voix contre 34.',
    'adopté; 51 for, 34 against; statesResultWithCounts',
  ],
  ['Il y a 51 pour.'],
  ['51 voix pour, 34 voix contre et 3 abstentions : le projet est adopté.', 'adopté; 51 for, 34 against, 3 abstention'],
  ['Scrutins n° 8 et scrutin n° 9.', 'n° 8'],
  ['34 voix contre, 51 pour : le texte est rejeté.', 'rejeté; 34 against, 51 for'],
  ['Le texte est adopté puis rejeté, par 51 voix contre 34.', 'rejeté; 51 for, 34 against; mayReverseCounts'],
  ['Les sénateurs et les députés ont voté le texte : scrutin n° 8.', 'n° 8'],
  ['Au Palais-Bourbon, scrutin n° 8 ; au Palais du Luxembourg, scrutin n° 9.', 'n° 8; AN', 'n° 9; Senat'],
  ['Le texte est adopté par le Sénat (scrutin n° 8).', 'n° 8; adopté; Senat'],
  ['51 pour, 34 contre, 51 pour.', '51 for, 34 against; mayConcernOtherVote'],
  [
    'Le scrutin n° 8 est adopté par 51 pour, 34 contre.',
    'n° 8; adopté; 51 for, 34 against; statesBallotResult; statesResultWithCounts',
  ],
  [
    'L’amendement fut rejeté par 51 voix contre 34.',
    'rejeté; 51 for, 34 against; statesResultWithCounts; mayReverseCounts',
  ],
  ['The motion was not passed (ballot no. 8).', 'n° 8'],
  ['Les conseillers ont refusé d’adopter le texte (scrutin n° 8).', 'n° 8; “Les conseillers ont”'],
  ['Lors des scrutins publics n° 8, rien ne change.', 'n° 8'],
  ['Lors du scrutin public ordinaire n° 8, rien ne change.', 'n° 8'],
  ['Le scrutin numéro 8 ne dit rien.', 'n° 8'],
  ['Le vote 312 ne dit rien.'],
  ['Le scrutin public 312 est rejeté.', 'n° 312; rejeté; statesBallotResult'],
  ['Avant un scrutin n° 8, rien.'],
  ['Le scrutin n° 12 pour tous est clos.'],
  ['51 contre 34, telle est la fin.', '51 for, 34 against; mayReverseCounts'],
  ['51 pour, contre 34.', '51 for, 34 against'],
  ['Scrutin n° 8, adopté par 291,5 voix contre 241.', 'n° 8; adopté; “291,5”'],
  ['51, contre 34 pour le reste, scrutin n° 8.', 'n° 8'],
  ['51 et 34 contre, scrutin n° 8.', 'n° 8; 51 for, 34 against'],
  ['51 pour et 34 contre : rejet, scrutin n° 8.', 'n° 8; 51 for, 34 against'],
  ['51 pour/34 contre, scrutin n° 8.', 'n° 8; 51 for, 34 against'],
  ['Il y a 51 pourcents et 34 contrebandes, scrutin n° 8.', 'n° 8'],
  ['51 voix pour le texte.'],
  ['Le texte n’est jamais adopté (scrutin n° 8).', 'n° 8'],
  ['Le texte n’a été adopté que par 51 voix contre 34.', 'adopté; 51 for, 34 against'],
  ['Le texte a été approuvé par les députés (scrutin n° 8).', 'n° 8; adopté; AN'],
  ['Approuvé par l’Assemblée nationale, le texte (scrutin n° 8).', 'n° 8'],
  ['Un texte repoussé, scrutin n° 8.', 'n° 8; rejeté'],
  ['51 députés ont voté pour et 34 contre.', '51 for, 34 against; AN'],
  ['51 suffrages pour, 34 sénateurs contre.', '51 for, 34 against; Senat'],
  ['51 votes against, 34 votes for: rejected.', 'rejeté; 51 against, 34 for'],
  ['La motion de censure, obtenu 289 votes (scrutin n° 4).', 'n° 4; 289 for'],
  ['La motion de censure est rejetée par 289 voix pour (scrutin n° 4).', 'n° 4; rejeté; 289 for'],
  ['Le texte, avec 289 voix (scrutin n° 4).', 'n° 4; “289 voix”'],
  ['Elle a voté contre, scrutin n° 8.', 'n° 8; “a voté contre”'],
  ['Il vote toujours pour, scrutin n° 8.', 'n° 8; “Il vote toujours pour”'],
  ['Elle s’est prononcée contre, scrutin n° 8.', 'n° 8; “est prononcée contre”'],
  ['Elle a soutenu le texte, scrutin n° 8.', 'n° 8; “a soutenu”'],
  ['Ils étaient opposés au texte, scrutin n° 8.', 'n° 8; “étaient opposés”'],
  ['Ses amis ont voté la loi, scrutin n° 8.', 'n° 8; “ont voté la ”'],
  ['L’Assemblée a voté la loi, scrutin n° 8.', 'n° 8; AN'],
  ['Avec 51 voix, scrutin n° 8.', 'n° 8; “51 voix”'],
  ['Unanime (scrutin n° 8) avec 51 pour, 0 contre.', 'n° 8; 51 for, 0 against; “Unanime”'],
  ['Le Sénat n’avait point adopté ce texte, scrutin n° 8.', 'n° 8; Senat'],
  ['Il a échoué à adopter ce texte, scrutin n° 8.', 'n° 8; “échoué à adopter”'],
  ['It was not been rejected in ballot number 8.', 'n° 8'],
  ['Les écologistes ont tranché, scrutin n° 8.', 'n° 8; “Les écologistes ont”'],
  ['Les députés ont tranché, scrutin n° 8.', 'n° 8; AN'],
  ['The liberals have decided, ballot number 8.', 'n° 8; “The liberals have”'],
  ['Le parti Aube a tranché, scrutin n° 8.', 'n° 8; “parti Aube a”'],
  ['Le groupe Aube a été entendu, scrutin n° 8.', 'n° 8'],
  ['Le 16/12/2025, au scrutin n° 8.', 'n° 8; 2025-12-16'],
  ['Du 3 mars au scrutin n° 8.', 'n° 8; -03-03'],
  ['On 3 March 2026, ballot number 8.', 'n° 8; 2026-03-03'],
  ['Séance du 3 mars : scrutin n° 8.', 'n° 8; -03-03 (direct)'],
  ['Scrutin n° 8, jeudi 3 mars 2026.', 'n° 8; 2026-03-03 (direct)'],
  ['Scrutin n° 8 le jeudi 3 mars 2026.', 'n° 8; 2026-03-03 (direct)'],
  ['Adopté le 3 mars 2026 (scrutin n° 8).', 'n° 8; adopté; 2026-03-03 (direct)'],
  ['Rejeté par le Sénat, le 3 mars 2026 (scrutin n° 8).', 'n° 8; 2026-03-03 (direct)'],
  ['51 pour, 34 contre, le 3 mars 2026.', '51 for, 34 against; 2026-03-03'],
  [
    'Ce 3 mars, le texte a été adopté par 51 voix contre 34.',
    'adopté; 51 for, 34 against; -03-03 (direct); statesResultWithCounts',
  ],
  ['Ce 3 mars, le texte qui a été adopté fut discuté (scrutin n° 8).', 'n° 8; adopté; -03-03'],
  ['Le 3 mars. Le texte a été adopté par 51 voix contre 34.', 'adopté; 51 for, 34 against; statesResultWithCounts'],
  ['Le 3 marsouin, le texte a été adopté (scrutin n° 8).', 'n° 8; adopté'],
  ['Le 32 mars, le texte a été adopté (scrutin n° 8).', 'n° 8; adopté'],
  ['Le 13 mars est clos, scrutin n° 8, le 14 mars 2026.', 'n° 8; -03-13 2026-03-14'],
  ['Un comité a tranché : 51 pour, 34 contre.', '51 for, 34 against; mayConcernOtherVote'],
  ['Au Parlement européen, 51 pour, 34 contre.', '51 for, 34 against; mayConcernOtherVote'],
  ['Un sondage de 2026, scrutin n° 8.', 'n° 8'],
  ['À l’AN, scrutin n° 8.', 'n° 8; AN'],
  ['La députée a parlé, scrutin n° 8.', 'n° 8; AN'],
  ['Le Senat et l’Assemblée, scrutin n° 8.', 'n° 8'],
  ['Le texte, rejeté par le Sénat, scrutin n° 8.', 'n° 8'],
  [
    'Le texte est adopté par 51 voix contre 34 alors que tout change et que 3 abstentions demeurent.',
    'adopté; 51 for, 34 against; statesResultWithCounts',
  ],
  [
    'Le texte est adopté par 51 voix contre 34, mais le scrutin n° 9 le rejette.',
    'adopté; 51 for, 34 against; statesResultWithCounts',
    'n° 9',
  ],
  [
    'The bill was passed by 51 votes to 34 and it was rejected by 12 votes to 9.',
    'adopté; 51 for, 34 against',
    'rejeté; 12 for, 9 against; mayReverseCounts',
  ],
  [
    'Le texte est adopté par 51 voix contre 34 (art. 3). Il est rejeté par 12 voix contre 9.',
    'adopté; 51 for, 34 against; statesResultWithCounts',
    'rejeté; 12 for, 9 against; statesResultWithCounts; mayReverseCounts',
  ],
  ['Adopté par 51 voix contre 34 ; rien.', 'adopté; 51 for, 34 against; statesResultWithCounts'],
  [
    'Le texte est adopté par 51 voix contre 34 ! Le reste, rejeté par 12 voix contre 9.',
    'adopté; 51 for, 34 against; statesResultWithCounts',
    'rejeté; 12 for, 9 against; statesResultWithCounts; mayReverseCounts',
  ],
  [
    'Le scrutin n° 8, par 51 voix contre 34, a été adopté par 51 voix contre 34.',
    'n° 8; adopté; 51 for, 34 against; statesResultWithCounts; mayConcernOtherVote',
  ],
  ['Le scrutin du texte n° 8 a été adopté (scrutin n° 8).', 'n° 8; adopté; statesBallotResult'],
  ['Adopté, puis rejeté : scrutin n° 8.', 'n° 8; rejeté'],
  ['L’article est adopté et l’ensemble rejeté, scrutin n° 8.', 'n° 8'],
  ['Il s’est opposé au texte, scrutin n° 8.', 'n° 8; “est opposé”'],
  ['La majorité est opposée au texte, scrutin n° 8.', 'n° 8; “est opposée”'],
  ['Elle a refusé d’adopter ce texte, scrutin n° 8.', 'n° 8; “refusé d’adopter”'],
  [
    'Le texte est adopté par 1 234 567 voix contre 12 345.',
    'adopté; 1234567 for, 12345 against; statesResultWithCounts',
  ],
  [
    'Le texte est rejeté par 51 voix  contre  34.',
    'rejeté; 51 for, 34 against; statesResultWithCounts; mayReverseCounts',
  ],
  ['51 et  34  contre, scrutin n° 8.', 'n° 8; 51 for, 34 against'],
  ['51  pour, 34  contre, 2  abstentions', '51 for, 34 against, 2 abstention'],
  ['51 votes pour, 1 vote contre', '51 for, 1 against'],
  ['La motion de censure n’a recueilli que 289 voix (scrutin n° 4).', 'n° 4; 289 for'],
  ['On March 13, 2026 the bill was passed by 51 votes to 34.', 'adopté; 51 for, 34 against; 2026-03-13 (direct)'],
  [
    'Le texte du 1er février 2026 a été adopté le 3 mars 2026 par 51 voix contre 34.',
    'adopté; 51 for, 34 against; 2026-03-03 2026-02-01 (direct)',
  ],
  [
    'Le texte est adopté par 51 voix contre 34.» Le reste est rejeté par 12 voix contre 9.',
    'adopté; 51 for, 34 against; statesResultWithCounts',
    'rejeté; 12 for, 9 against; statesResultWithCounts; mayReverseCounts',
  ],
  [
    'Le texte est adopté par 51 voix contre 34.  Le reste est rejeté par 12 voix contre 9.',
    'adopté; 51 for, 34 against; statesResultWithCounts',
    'rejeté; 12 for, 9 against; statesResultWithCounts; mayReverseCounts',
  ],
  [
    'Le texte est adopté par 51 voix contre 34. “Le reste est rejeté par 12 voix contre 9.”',
    'adopté; 51 for, 34 against; statesResultWithCounts',
    'rejeté; 12 for, 9 against; statesResultWithCounts; mayReverseCounts',
  ],
  [
    'Le texte est adopté par 51 voix contre 34. « Nous ne lâcherons rien », dit Anne Merlin le 3 mars 2025.',
    'adopté; 51 for, 34 against; statesResultWithCounts',
  ],
  [
    'Le texte est adopté par 51 voix contre 34. 12 voix contre 9 rejettent le reste.',
    'adopté; 51 for, 34 against; statesResultWithCounts',
    '12 for, 9 against; mayReverseCounts',
  ],
  [
    '« Le texte est adopté par 51 voix contre 34. » Le reste est rejeté par 12 voix contre 9.',
    'adopté; 51 for, 34 against; statesResultWithCounts',
    'rejeté; 12 for, 9 against; statesResultWithCounts; mayReverseCounts',
  ],
  [
    'M. Merle, Mme. Lys, J.-L. Rouvre et A. Bruyère lisent (art. 3, al. 2, p. 12) que le texte est adopté (scrutin n° 8).',
    'n° 8; adopté',
  ],
  ['Par 51 voix contre 34, M. Merle obtient que le texte est adopté.', 'adopté; 51 for, 34 against'],
  [
    'Le texte est adopté par 51 pour, 34 contre, 1 abstention, et le Sénat l’a rejeté par 12 voix contre 9.',
    'adopté; 51 for, 34 against, 1 abstention; statesResultWithCounts',
    'rejeté; 12 for, 9 against; Senat; statesResultWithCounts; mayReverseCounts',
  ],
  [
    'Le texte est adopté par 51 pour, 34 contre et le Sénat l’a rejeté par 12 voix contre 9.',
    'adopté; 51 for, 34 against; statesResultWithCounts',
    'rejeté; 12 for, 9 against; Senat; statesResultWithCounts; mayReverseCounts',
  ],
  ['Après scrutin n° 8, la séance est levée.'],
  ['Voté contre, scrutin n° 8.', 'n° 8; “Voté contre”'],
  ['Il s’était abstenu, scrutin n° 8.', 'n° 8; “était abstenu”'],
  ['Ses amis ont voté l’article, scrutin n° 8.', 'n° 8; “ont voté l’”'],
  [
    'Adopté par 51 voix contre 34 le 3 mars 2026.',
    'adopté; 51 for, 34 against; 2026-03-03 (direct); statesResultWithCounts',
  ],
  ['La loi, adoptée le 3 mars 2026 (scrutin n° 8).', 'n° 8; adopté; 2026-03-03 (direct)'],
  ['Scrutin n° 8 du  mardi  3 mars 2026.', 'n° 8; 2026-03-03 (direct)'],
  [
    '« Le 3 mars 2026, le texte a été adopté par 51 voix contre 34.',
    'adopté; 51 for, 34 against; 2026-03-03 (direct); statesResultWithCounts',
  ],
  [
    'Mardi 3 mars 2026, le texte a été adopté par 51 voix contre 34.',
    'adopté; 51 for, 34 against; 2026-03-03 (direct); statesResultWithCounts',
  ],
  [
    'Le  mardi  3 mars 2026, le texte a été adopté par 51 voix contre 34.',
    'adopté; 51 for, 34 against; 2026-03-03 (direct); statesResultWithCounts',
  ],
  [
    'C’est le 3 mars 2026, le Sénat a rejeté le texte par 51 voix contre 34.',
    'rejeté; 51 for, 34 against; Senat; 2026-03-03 (direct); mayReverseCounts',
  ],
  ['Le député a parlé, scrutin n° 8.', 'n° 8; AN'],
];

describe('the votes that a paragraph states', () => {
  for (const [text, ...votes] of cases)
    it(`are ${votes.length || 'none'} in: ${text}`, () =>
      expect(statedVotesIn({ start: 0, end: text.length, text }).map(summaryOf)).to.deep.equal(votes));

  it('name the figures and denials that they do not compare', () => {
    const unread: [text: string, ...words: string[]][] = [
      ['Le scrutin n° 8 et le n° 9 sont adoptés.', 'n° 9'],
      ['Les scrutins n° 8, 9 et 2025 sont adoptés.', '9', '2025'],
      ['Le scrutin n° 8 est adopté (51-34).', '51-34'],
      ['Le scrutin n° 8 est adopté avec 54,5 % des suffrages.', '54,5 %'],
      ['Le scrutin n° 8 est adopté sur 92 votants, par 51 voix contre 34.', '92 votants'],
      ['Le scrutin n° 8 est adopté sans abstention.', 'sans abstention'],
      ['Le scrutin n° 8 est adopté, une abstention, aucune voix contre.', 'une abstention', 'aucune voix'],
      ['Le scrutin n° 8 n’est pas adopté.', 'n’est pas adopté'],
      ['Ballot no. 8 was never adopted.', 'never adopted'],
      ['Scrutin n° 8 : 51 pour et 34 contre et une dizaine d’abstentions.', 'une dizaine d’abstentions'],
      [
        'Scrutin n° 8 : plus de 51 pour, presque 34 contre, quelques abstentions.',
        'quelques abstentions',
        'plus de 51 pour',
        'presque 34 contre',
      ],
      ['Scrutin n° 8 : une dizaine de jours et une centaine de pages.'],
      [
        'Le scrutin n° 8 du 3 mars 2026 (session 2025-2026) concerne 900 personnes, l’article 49, alinéa 3, et le 49-3.',
      ],
      ['Scrutin n° 8 : les articles 2 et 3 de la loi n° 2024-12, et l’amendement n° 31, après le scrutin n° 7.'],
    ];
    for (const [text, ...words] of unread)
      expect(statedVotesIn({ start: 0, end: text.length, text })[0]!.ignoredTexts, text).to.deep.equal(words);
  });

  it('have the place of their clause, the words of the paragraph and its only chamber', () => {
    const text =
      'Au Sénat. Le texte\nsur les moulins est adopté par 51 voix contre 34 ; rien. Le scrutin n° 9 est clos.';
    const votes = statedVotesIn({ start: 100, end: 100 + text.length, text });
    expect(votes.map(({ start, end }) => text.slice(start - 100, end - 100))).to.deep.equal([
      'Le texte\nsur les moulins est adopté par 51 voix contre 34 ; rien.',
      'Le scrutin n° 9 est clos.',
    ]);
    for (const { chamber, paragraphChamber, context } of votes) {
      expect([chamber, paragraphChamber]).to.deep.equal([null, 'Senat']);
      expect([...context]).to.include('moulin');
    }
  });
});
