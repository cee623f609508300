import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { plainTextOf } from '../../../src/format/plain-text.ts';
import { type Document, documentsIn } from '../../../src/model/document.ts';
import { natureOf } from '../../../src/parliament/nature.ts';
import { check } from '../../../src/questions/check.ts';
import { dayText } from '../../../src/words/figures.ts';
import { speechOf } from '../../../src/words/speech.ts';
import { readDemoMirror } from '../../helpers/demo-mirror.ts';
import { createTemporaryMirror } from '../../helpers/sync-run.ts';
import { saveAll } from '../../server/demo-server.ts';

const read = (name: string): Document[] =>
  readFileSync(new URL(`../../../fixtures/demo/${name}.ndjson`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

type Totals = { for: number; against: number; abstention: number | null };
type Vote = { number: number; day: string; result: string; totals: Totals; chamber: string; subject: string };

const votes: Vote[] = read('ballots')
  .filter(({ totals, type }) => totals !== null && type !== 'motion de censure')
  .map(({ number, date, result, totals, chamber, title }) => ({
    number: Number(number),
    day: String(date),
    result: String(result),
    totals: totals as unknown as Totals,
    chamber: String(chamber),
    subject: String(title)
      .replace(/^sur /, '')
      .replace(/ \([^()]*lecture\)\.?$|\.$/, ''),
  }));

const sentences = ['speeches', 'quotes', 'promises'].flatMap((name) =>
  read(name).flatMap(({ text }) =>
    String(text)
      .split(/(?<=[.!?]) /)
      .filter((sentence) => sentence.split(' ').length >= 9 && !/[«»"“”]/.test(sentence)),
  ),
);

/** The ways in which articles state a vote; of a rejection the first of a pair is the count against. */
const wordings: ((vote: Vote, tally: string) => string)[] = [
  (vote, tally) =>
    `Le ${on(vote)}, ${house(vote)} a ${vote.result} ${vote.subject} par ${tally} (scrutin n° ${vote.number}).`,
  (vote, tally) =>
    `${capital(vote.subject)} : ${house(vote)} l’a ${vote.result} par ${tally}, le ${on(vote)} (scrutin public n° ${vote.number}).`,
  (vote) =>
    `Lors du scrutin n° ${vote.number} du ${on(vote)}, ${members(vote)} se sont prononcés sur ${vote.subject} : ` +
    `${vote.totals.for} voix pour, ${vote.totals.against} contre ; le texte est ${vote.result}.`,
  (vote, tally) => `${capital(house(vote))} a ${vote.result} le ${on(vote)}, par ${tally}, ${vote.subject}.`,
  (vote) =>
    `Scrutin n° ${vote.number}, ${vote.chamber === 'AN' ? 'Assemblée nationale' : 'Sénat'}, ${on(vote)} : ${vote.subject}, ` +
    `${vote.result} (${vote.totals.for} pour, ${vote.totals.against} contre).`,
];

const on = ({ day }: Vote) => dayText(day, 'fr');
const house = ({ chamber }: Vote) => (chamber === 'AN' ? 'l’Assemblée nationale' : 'le Sénat');
const members = ({ chamber }: Vote) => (chamber === 'AN' ? 'les députés' : 'les sénateurs');
const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1);

/** Sentences with figures and days that are of no ballot of the mirror. */
const distractions = [
  'En commission, l’article avait été adopté par 12 voix contre 8.',
  'Le conseil municipal de Port-Cendré a rejeté le projet par 23 voix contre 4, le 16 décembre 2025.',
  'Le texte, déposé le 3 mars 2025, concerne 900 personnes.',
  'Selon un sondage du 2 mai 2026, 54 % des habitants sont pour et 31 % contre.',
  'En 2019, l’Assemblée nationale avait adopté un texte semblable par 301 voix contre 42 (scrutin n° 8).',
];

/** A generator of numbers from 0 to below `n`, always the same ones for a seed (mulberry32). */
function createDice(seed: number) {
  let state = seed;
  return (n: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
  };
}

type Dice = ReturnType<typeof createDice>;

/** Each alteration of a vote, which states something else than the record. */
const alterations: Record<string, (vote: Vote, dice: Dice) => Vote> = {
  count(vote, dice) {
    const side = dice(2) === 0 ? 'for' : 'against';
    return { ...vote, totals: { ...vote.totals, [side]: vote.totals[side] + 1 + dice(8) } };
  },
  result: (vote) => ({ ...vote, result: vote.result === 'adopté' ? 'rejeté' : 'adopté' }),
  day(vote, dice) {
    const shifted = new Date(Date.parse(vote.day) + (1 + dice(5)) * 86_400_000);
    return { ...vote, day: shifted.toISOString().slice(0, 10) };
  },
  number: (vote, dice) => ({ ...vote, number: vote.number + 1 + dice(7) }),
};

function alterWord(sentence: string, dice: Dice): string {
  const words = sentence.split(' ');
  const places = words.flatMap((word, at) => (word.length > 4 && /^\p{Ll}+$/u.test(word) ? [at] : []));
  return words.with(places[dice(places.length)]!, 'moulinet').join(' ');
}

type Statement = { text: string; alteration: string | null };

function stateVote(dice: Dice, alteration: string | null): Statement {
  const vote = votes[dice(votes.length)]!;
  const wording = alteration === 'number' ? dice(3) : dice(wordings.length);
  // The order of a pair follows the true result: the alteration changes one thing.
  const altered = alteration === null ? vote : alterations[alteration]!(vote, dice);
  const [first, second] = vote.result === 'adopté' ? (['for', 'against'] as const) : (['against', 'for'] as const);
  const tally = `${altered.totals[first]} voix contre ${altered.totals[second]}`;
  return { text: wordings[wording]!(altered, tally), alteration };
}

function stateQuotation(dice: Dice, isAltered: boolean): Statement {
  const sentence = sentences[dice(sentences.length)]!;
  const [open, close] = [
    ['« ', ' »'],
    ['“', '”'],
    ['"', '"'],
  ][dice(3)]!;
  const quoted = isAltered ? alterWord(sentence, dice) : sentence;
  return { text: `Il a dit : ${open}${quoted}${close}`, alteration: isAltered ? 'word' : null };
}

/** An article of ten passages, three of them altered. */
function composeArticle(dice: Dice): Statement[] {
  const kinds = ['word', ...Object.keys(alterations)];
  const altered = Array.from({ length: 3 }, () => kinds[dice(kinds.length)]!);
  const statements = [...altered, null, null, null, null, null].map((alteration, at) =>
    alteration === 'word' || (alteration === null && at % 2 === 0)
      ? stateQuotation(dice, alteration !== null)
      : stateVote(dice, alteration),
  );
  const distraction = () => ({ text: distractions[dice(distractions.length)]!, alteration: null });
  return [...statements, distraction(), distraction()].sort(() => dice(3) - 1);
}

const forms = [
  (texts: string[]) => texts.join('\n\n'),
  (texts: string[]) => `# Titre\n\n${texts.map((text) => `**Hier.** ${text}`).join('\n\n')}`,
  (texts: string[]) =>
    `<!doctype html><body>${texts.map((text) => `<p>${text.replaceAll(' ', '\n')}</p>`).join('')}</body>`,
];

describe('articles that are checked', () => {
  const demo = readDemoMirror();

  it('have at least 95 % of 360 seeded alterations found, and none of their true passages contradicted', async () => {
    const dice = createDice(20);
    const counts = { altered: 0, reported: 0, true: 0, exact: 0 };
    const missed: string[] = [];
    const wronged: string[] = [];
    for (let article = 0; article < 120; article += 1) {
      const statements = composeArticle(dice);
      const text = await plainTextOf(forms[article % forms.length]!(statements.map((each) => each.text)));
      const page = check.read(demo.mirror, { q: text, article: true, limit: 1 }, {} as never);
      const rows = [...page.items].map((item): Document => JSON.parse(item));
      const plain = (written: unknown) =>
        String(written)
          .replace(/[^\p{L}\p{N}]+/gu, ' ')
          .trim();
      for (const statement of statements) {
        const results = rows
          .filter((row) => plain(statement.text).includes(plain(row.quoted)))
          .map((row) => row.result);
        if (statement.alteration !== null) {
          counts.altered += 1;
          const isReported = results.some((result) => result !== 'exact');
          if (isReported) counts.reported += 1;
          else missed.push(`${statement.alteration}: ${statement.text}`);
        } else if (results.includes('contradicted')) wronged.push(statement.text);
        else {
          counts.true += 1;
          if (results.includes('exact')) counts.exact += 1;
        }
      }
    }
    expect(wronged).to.deep.equal([]);
    expect(counts.altered).to.equal(360);
    // 240 sentences are about no ballot.
    expect(counts.exact).to.equal(counts.true - 240);
    expect(counts.reported / counts.altered, missed.join('\n')).to.be.at.least(0.95);
  });

  const checkText = (text: string): Document[] =>
    [...check.read(demo.mirror, { q: text, article: true, limit: 1 }, {} as never).items].map((item) =>
      JSON.parse(item),
    );
  const resultsOf = (text: string) => checkText(text).map(({ result }) => result);

  it('contradict only what the wording binds to a ballot that is identified beyond doubt', () => {
    const budget = 'le projet de loi de finances pour 2026';
    const cases: [string, string][] = [
      [
        `Le 15 décembre 2025, l’Assemblée nationale a adopté ${budget} par 51 voix contre 34 (scrutin n° 8).`,
        'contradicted',
      ],
      [`Le 16 décembre 2025, l’Assemblée nationale a adopté ${budget} par 52 voix contre 34.`, 'contradicted'],
      [`L’Assemblée nationale a rejeté ${budget} par 51 voix contre 34 (scrutin n° 8).`, 'contradicted'],
      [
        `Le 3 mars 2025, le Gouvernement dépose ${budget}, adopté par les députés par 51 voix contre 34 (scrutin n° 8).`,
        'near',
      ],
      [
        `L’Assemblée nationale a adopté ${budget}, déposé le 3 mars 2025, par 51 voix contre 34 (scrutin n° 8).`,
        'near',
      ],
      ['En 2019, l’Assemblée nationale avait adopté un texte par 300 voix contre 34 (scrutin n° 8).', 'near'],
      [`Le 16 décembre 2025, ${budget} a été adopté par 52 voix contre 34.`, 'near'],
      [`Le 16 décembre 2025, les députés du groupe ADR ont adopté ${budget} par 22 voix contre 1.`, 'near'],
      ['Après le scrutin n° 8, l’Assemblée nationale a rejeté un amendement par 32 voix contre 32.', 'near'],
      ['En commission, les députés ont adopté l’article par 12 voix contre 8.', 'not-found'],
      ['Le scrutin n° 1 du Sénat : adopté par 30 voix contre 20.', 'near'],
      ['Scrutin n° 1 de l’Assemblée nationale : adopté par 58,5 voix contre 9.', 'near'],
    ];
    expect(cases.map(([text]) => resultsOf(text))).to.deep.equal(cases.map(([, result]) => [result]));
  });

  it('contradict a group only as the subject of a vote that is compared as a whole', () => {
    const at = '(scrutin n° 11 de l’Assemblée nationale)';
    const cases: [string, string][] = [
      [`Le Parti du Verger a voté pour l’amendement n° 31 ${at}.`, 'exact'],
      [`Le Parti du Verger a voté contre l’amendement n° 31 ${at}.`, 'contradicted'],
      ['Au scrutin n° 1 de l’Assemblée nationale, le groupe ADR a voté contre.', 'contradicted'],
      ['Au scrutin n° 1 de l’Assemblée nationale, le groupe Rivages a voté contre.', 'contradicted'],
      ['Au scrutin n° 1 de l’Assemblée nationale, les élus rivages ont voté contre.', 'contradicted'],
      ['Au scrutin n° 1 de l’Assemblée nationale, les députés ont voté ce texte, 58 pour et 9 contre.', 'exact'],
      [
        'Au scrutin n° 1 de l’Assemblée nationale, les députés ont voté ce texte, 58 pour et 11 contre.',
        'contradicted',
      ],
      ['Au scrutin n° 1 de l’Assemblée nationale, les élus des rivages ont voté contre.', 'near'],
      [`Un député du Parti du Verger a voté contre l’amendement n° 31 ${at}.`, 'near'],
      [`Les députés ont voté contre l’amendement n° 31 de M. Durand (Parti du Verger) ${at}.`, 'near'],
      [`Le Parti du Verger a voté contre l’article 2 ${at}.`, 'near'],
      [`Le Parti du Verger a voté contre l’amendement n° 31, sauf trois députés ${at}.`, 'near'],
    ];
    expect(cases.map(([text]) => resultsOf(text))).to.deep.equal(cases.map(([, result]) => [result]));
  });

  it('never call a sentence exact that says more than is compared, as of a group, nor contradict it', () => {
    const statements = read('ballots').flatMap(({ number, chamber, votes_by_party: groups }) =>
      (groups as Document[]).flatMap(({ party_name: name }) => {
        if (name === 'Non-inscrits') return [];
        const ballot = `scrutin n° ${number} ${chamber === 'AN' ? 'de l’Assemblée nationale' : 'du Sénat'}`;
        return [
          `Lors du ${ballot}, ${name} n’a pas voté pour.`,
          `Lors du ${ballot}, ${name} a voté pour, sauf trois députés.`,
          `Lors du ${ballot}, ${name} a voté pour et les autres contre.`,
          `${capital(ballot)} : ${name}, 9 pour, 2 contre.`,
          `${capital(ballot)} : ${name} unanimement contre.`,
          `Au ${ballot}, 97 députés ${name} se sont abstenus.`,
        ];
      }),
    );
    for (const text of statements) expect(resultsOf(text), text).to.deep.equal(['near']);
    const others = [
      'Lors du scrutin n° 8 de l’Assemblée nationale, Octave Le Passeur a voté contre.',
      'Les vergeristes ont rejeté le projet de loi de finances pour 2026 (scrutin n° 8 de l’Assemblée nationale).',
      'Le 16 décembre 2025, la loi de finances a été adoptée par 51 voix contre 34, le groupe vergeriste votant pour.',
      'Le scrutin n° 8 de l’Assemblée nationale a été adopté par 59 voix.',
      'Le scrutin n° 8 de l’Assemblée nationale a été adopté avec 3 voix d’écart.',
      'Le scrutin n° 8 de l’Assemblée nationale a été adopté à l’unanimité.',
      'On 16 December 2025, the National Assembly adopted the budget by 51 votes to 34, with ADR voting against.',
    ];
    for (const text of others) expect(resultsOf(text), text).to.deep.equal(['near']);
    expect(checkText(others[0]!)[0]!.differences).to.deep.equal([{ quoted: 'a voté contre', said: '' }]);
  });

  it('are never exact with a ballot number, a count, a denial or unanimity that is not compared', () => {
    const ballot = 'scrutin n° 8 de l’Assemblée nationale';
    const cases: [text: string, ...uncompared: string[]][] = [
      [`Le ${ballot} et le scrutin n° 1 ont été adoptés.`, 'n° 1'],
      ['Les scrutins n° 8 et n° 1 de l’Assemblée nationale ont été adoptés.', 'n° 1'],
      ['Les scrutins n° 8, 1 et 12 de l’Assemblée nationale ont été adoptés.', '1', '12'],
      ['Les scrutins n° 8, n° 1 et n° 12 de l’Assemblée nationale ont été rejetés.', 'n° 1', 'n° 12'],
      ['Les scrutins nos 8 et 1 de l’Assemblée nationale ont été adoptés.', '1'],
      ['Les scrutins n°s 8 et 1 de l’Assemblée nationale ont été adoptés.', '1'],
      [`Au ${ballot}, les vergeristes n’ont pas voté la loi.`, 'n’ont pas voté'],
      [`Au ${ballot}, les députés du Verger ne votent pas la loi.`, 'ne votent pas la'],
      [`Au ${ballot}, aucun vergeriste ne vota la loi.`, 'vota la ', 'aucun vergeriste'],
      [`Au ${ballot}, les vergeristes votent la loi.`, 'votent la '],
      [`Au ${ballot}, les vergeristes rejettent la loi.`, 'les vergeristes rejettent'],
      [`Le ${ballot} : adopté d’une seule voix, 51 voix pour, 34 contre.`, 'une seule voix'],
      [`Le ${ballot} : adopté à l’unanimité, 51 voix pour, 34 contre.`, 'unanimité'],
      [`Adopté à l’unanimité, le ${ballot} : 51 voix pour, 34 contre.`, 'unanimité'],
      ['Unanimement adopté, 51 pour, 34 contre, au scrutin n° 8 de l’Assemblée nationale.', 'Unanimement'],
      [`Le ${ballot} a été adopté : 51 pour, 34 contre, aucune abstention.`, 'aucune abstention'],
      [`Le ${ballot} a été adopté, 51 pour, 34 contre, sur 92 votants.`, '92 votants'],
      [`Le ${ballot} a été adopté par 51 voix pour, il en fallait 47.`, '47'],
      [
        `Le ${ballot} a été adopté par 51 voix contre 34, et une trentaine d’abstentions.`,
        'une trentaine d’abstentions',
      ],
      [`Le ${ballot} a été adopté par 51 voix contre 34 et deux abstentions.`, 'deux abstentions'],
      [`Le ${ballot} a été adopté par 51 voix contre 34 et près de cent abstentions.`, 'cent abstentions'],
      [`Le ${ballot} a été adopté par près de 51 voix contre 34.`, 'près de 51 pour'],
      [`Le ${ballot} a été adopté par une cinquantaine de voix contre 34.`, 'une cinquantaine de voix', '34'],
      [`Le ${ballot} a été adopté par 51 voix contre 34, avec environ 3 abstentions.`, 'environ 3 abstentions'],
      [`Le ${ballot} was adopted by 51 votes to 34, with about thirty abstentions.`, 'thirty abstentions'],
      [`Le ${ballot} was adopted by 51 votes to 34 and some 30 abstentions.`, 'some 30 abstentions'],
      [`Le ${ballot} a été adopté par 70 voix à 41 voix, et 5 pour.`, '5 pour', '70 voix', '41'],
      [`Le ${ballot} : ADR, 9 pour, 2 contre.`, '9 pour', '2 contre', 'ADR'],
    ];
    for (const [text, ...uncompared] of cases) {
      const [row] = checkText(text);
      expect(row!.result, text).to.equal('near');
      const differences = (row!.differences as Document[]).filter(({ said }) => said === '');
      expect(
        differences.map(({ quoted }) => quoted),
        text,
      ).to.deep.equal(uncompared);
    }
  });

  it('state how a group voted, which is compared where group and ballot are certain, and contradicted of a whole text of the Assemblée only', () => {
    const counts = { exact: 0, near: 0, contradicted: 0 };
    const french = { pour: 'a voté pour', contre: 'a voté contre', abstention: 's’est abstenu' };
    for (const { votes_by_party: groups, ...ballotFields } of read('ballots'))
      for (const { party_name: name, position } of groups as Document[])
        for (const [stance, words] of Object.entries(french)) {
          const { number, chamber, type } = ballotFields;
          if (name === 'Non-inscrits' || type === 'motion de censure') continue;
          const ballot = `scrutin n° ${number} ${chamber === 'AN' ? 'de l’Assemblée nationale' : 'du Sénat'}`;
          const [row] = checkText(`Lors du ${ballot}, le groupe ${name} ${words}.`);
          const isSame = position === stance;
          const isOfText = chamber === 'AN' && natureOf(ballotFields) === 'whole' && position !== null;
          const expected = isSame ? 'exact' : isOfText ? 'contradicted' : 'near';
          expect(row!.result, `${name} ${words} (${ballot}): ${position}`).to.equal(expected);
          const said = position === null ? '' : `${name} : ${position}`;
          const [difference] = row!.differences as Document[];
          if (!isSame) expect(difference).to.include({ said, ...(position && { quoted: `${name} : ${stance}` }) });
          counts[expected] += 1;
        }
    expect(Math.min(counts.exact, counts.near, counts.contradicted)).to.be.greaterThan(20);
  });

  it('compare a number of voters with the count of the group that they are of, and contradict none by it', () => {
    const compared = { exact: 0, near: 0 };
    for (const { number, chamber, type, totals, votes_by_party: groups } of read('ballots'))
      for (const { party_name: name, position, ...counts } of groups as Document[])
        for (const [stance, field] of [['pour', 'for'] as const, ['contre', 'against'] as const]) {
          const count = counts[field];
          if (name === 'Non-inscrits' || type === 'motion de censure' || typeof count !== 'number') continue;
          const ballot = `scrutin n° ${number} ${chamber === 'AN' ? 'de l’Assemblée nationale' : 'du Sénat'}`;
          for (const voters of [count, count + 1]) {
            const statements = [
              `Au ${ballot}, ${voters} ${chamber === 'AN' ? 'députés' : 'sénateurs'} ${name} ont voté ${stance}.`,
              `${capital(ballot)} : ${voters} membres du groupe ${name} ont voté ${stance}.`,
              ...(position === stance ? [`${name} a voté ${stance} avec ${voters} voix (${ballot}).`] : []),
              ...((totals as Totals)[field] === voters ? [] : [`${capital(ballot)}, ${name} : ${voters} ${stance}.`]),
            ];
            const expected = voters === count ? 'exact' : 'near';
            for (const text of statements) {
              const [row] = checkText(text);
              expect(row!.result, text).to.equal(expected);
              const difference = { quoted: `${name} : ${voters} ${stance}`, said: `${name} : ${count} ${stance}` };
              expect(row!.differences, text).to.deep.equal(expected === 'exact' ? [] : [difference]);
              compared[expected] += 1;
            }
          }
        }
    expect(Math.min(compared.exact, compared.near)).to.be.greaterThan(100);
  });

  it('contradict a wrong position of a group also with a wrong number of its voters', () => {
    const ballot = 'lors du scrutin n° 1 de l’Assemblée nationale';
    const cases: [string, string][] = [
      [`Le groupe Rivages a voté contre ${ballot}.`, 'contradicted'],
      [`Le groupe Rivages a voté contre avec 60 voix ${ballot}.`, 'contradicted'],
      [`Le groupe Rivages a voté pour avec 60 voix ${ballot}.`, 'near'],
      [`60 députés du groupe Rivages ont voté contre ${ballot}.`, 'near'],
      [`Le groupe Rivages a voté contre avec 60 voix, il en fallait 40, ${ballot}.`, 'near'],
    ];
    expect(cases.map(([text]) => [text, ...resultsOf(text)])).to.deep.equal(cases);
  });

  it('take a group for no part of another word', () => {
    const [inWord] = checkText('Scrutin n° 8 de l’Assemblée nationale, dans ce cadre : ADR : 99 pour.');
    const [alone] = checkText('Scrutin n° 8 de l’Assemblée nationale : ADR : 99 pour.');
    expect(alone!.differences).to.have.length(1);
    expect(inWord!.differences).to.deep.equal(alone!.differences);
  });

  it('compare no number that is of a part of a group, approximate, or of the whole ballot', () => {
    const ballot = 'scrutin n° 8 de l’Assemblée nationale';
    const statements = [
      `Plus de 22 députés du groupe ADR ont voté pour (${ballot}).`,
      `Les 3 ADR ont voté pour (${ballot}).`,
      `22 des 25 députés du groupe ADR ont voté pour (${ballot}).`,
      `22 députés du groupe ADR ont voté pour, sauf erreur (${ballot}).`,
      `Les 22 députés du groupe ADR n’ont pas voté pour (${ballot}).`,
      `Le groupe ADR a voté pour avec 3 voix d’écart (${ballot}).`,
      `L’amendement du groupe ADR (51 pour, 34 contre) a été adopté (${ballot}).`,
    ];
    for (const text of statements) {
      const [row] = checkText(text);
      expect(row!.result, text).to.equal('near');
      expect(String((row!.differences as Document[]).map(({ said }) => said)), text).not.to.match(/ADR : \d/);
    }
  });

  it('are quotations of the speaker of the record, or near ones that name whose words they are', () => {
    const words = '« On greffe en mars ce que l’on récoltera avec d’autres »';
    const ownWords = [
      `${words}, a dit Camille Rouvre.`,
      `Camille Rouvre l’affirme : ${words}.`,
      `Interrogé sur Océane Bruyèvre, Camille Rouvre répond : ${words}.`,
      `Il a déclaré : ${words}. Océane Bruyèvre a quitté la salle.`,
      `${words}, a dit une voix. Océane Bruyèvre a ri.`,
      `${words}, selon un inconnu nommé Zorglub Tartempion.`,
      `Océane Bruyèvre est venue. ${words} !`,
    ];
    for (const text of ownWords) expect(resultsOf(text), text).to.deep.equal(['exact']);
    const otherWords = [
      `${words}, a dit Océane Bruyèvre.`,
      `Océane Bruyèvre l’affirme : ${words}.`,
      `${words} (Océane Bruyèvre)`,
      `${words}, according to Océane Bruyèvre.`,
      '> On greffe en mars ce que\n> l’on récoltera avec d’autres. — Océane Bruyèvre',
    ];
    for (const text of otherWords) {
      const [row] = checkText(text);
      expect(row!.result, text).to.equal('near');
      expect(row!.differences, text).to.deep.equal([{ quoted: 'Océane Bruyèvre', said: 'Camille Rouvre' }]);
    }
  });

  it('are passages of their own in the items of a list without empty lines', () => {
    const ballot = 'de l’Assemblée nationale : 51 pour, 34 contre (scrutin n° 8)';
    for (const bullet of ['-', '*', '+', '•', '  -']) {
      const text = `Votes :\n${bullet} vote ${ballot}\n${bullet} « On greffe en mars ce que »\n${bullet} fin`;
      expect(
        checkText(text).map(({ line, result }) => [line, result]),
        bullet,
      ).to.deep.equal([
        [2, 'exact'],
        [3, 'exact'],
      ]);
    }
    const separate = checkText(`- Le Sénat a voté ce jour-là\n- Scrutin n° 8 : 51 pour, 34 contre, adopté`);
    expect(separate.map(({ id }) => id)).to.deep.equal(['AN:VAL1V8']);
  });

  it('are compared with the ballot that they number, whatever else they state of it', () => {
    const cases: [string, string][] = [
      ['Le scrutin n° 8 de l’Assemblée nationale a été rejeté avec 15 voix pour et 43 contre.', 'near'],
      ['Le scrutin n° 8 de l’Assemblée nationale a été rejeté avec 15 voix pour et 34 contre.', 'near'],
      ['Le scrutin n° 8 de l’Assemblée nationale a été rejeté avec 61 voix pour et 43 contre.', 'contradicted'],
      ['Le scrutin n° 8 de l’Assemblée nationale a été rejeté.', 'contradicted'],
      ['Scrutin 8 (Assemblée nationale) : 61 pour.', 'contradicted'],
      ['Scrutin 18 : 54 pour, 25 contre, rejeté.', 'contradicted'],
      ['Scrutin 18 : 54 pour, 25 contre, adopté.', 'exact'],
      ['Scrutin 18 : 54 pour, 25 contre, adopté.\nLe Sénat a siégé.', 'exact'],
      ['Le scrutin n° 8 de l’Assemblée nationale a été adopté par 5 voix contre 4.', 'contradicted'],
      ['Le scrutin n° 8 de l’Assemblée nationale a été adopté, 5 voix pour et 4 contre en province.', 'near'],
      ['Scrutin 8 : 51 pour, 34 contre, rejeté.', 'near'],
      ['Le scrutin n° 3 du Sénat a été rejeté avec 52 voix pour.', 'near'],
    ];
    expect(cases.map(([text]) => [text, ...resultsOf(text)])).to.deep.equal(cases);
  });

  it('state votes whose counts stand before the day or the text', () => {
    const budget = 'l’ensemble du projet de loi de finances pour 2026';
    const tallies = ['51 voix contre 34', '51 voix pour et 34 contre', '51 voix pour, 34 contre'];
    for (const tally of tallies) {
      expect(resultsOf(`Les députés ont adopté par ${tally} ${budget}.`), tally).to.deep.equal(['exact']);
      expect(resultsOf(`${capital(budget)} a été adopté par ${tally} le 16 décembre 2025.`)).to.deep.equal(['exact']);
    }
  });

  it('state of a motion of censure only votes for', () => {
    const motion = 'La motion de censure';
    expect(resultsOf(`${motion} a été rejetée le 3 décembre 2025, avec 35 voix.`)).to.deep.equal(['exact']);
    expect(resultsOf(`${motion}, le 3 décembre 2025, n’a recueilli que 35 voix.`)).to.deep.equal(['exact']);
    expect(resultsOf(`${motion} n’a recueilli que 35 voix le 3 décembre 2025.`)).to.deep.equal(['exact']);
    expect(resultsOf('Par 35 voix, le Gouvernement a été renversé le 3 décembre 2025.')).to.deep.equal(['near']);
    const [row] = checkText(`${motion} (scrutin n° 7 de l’Assemblée nationale) a été rejetée par 35 voix contre 20.`);
    expect(row!.result).to.equal('near');
    expect(row!.said).to.equal('n° 7, rejeté, 35 pour');
    expect(row!.differences).to.deep.equal([{ quoted: '20 contre', said: '' }]);
  });

  it('are near with the only count of a result, whose side is not stated', () => {
    const cases: [string, string][] = [
      ['Le scrutin n° 8 de l’Assemblée nationale a été adopté par 51 voix.', 'near'],
      ['Le 16 décembre 2025, les députés ont adopté le texte par 51 voix (scrutin n° 8).', 'near'],
      ['Le scrutin n° 6 de l’Assemblée nationale a été rejeté par 49 voix.', 'near'],
      ['Le scrutin n° 6 de l’Assemblée nationale a été rejeté par 36 voix.', 'near'],
      ['Le scrutin n° 8 de l’Assemblée nationale a été adopté par 34 voix.', 'near'],
      ['Le scrutin n° 8 de l’Assemblée nationale a été adopté par 51 voix, le groupe ADR votant contre.', 'near'],
      ['Le scrutin n° 8 de l’Assemblée nationale a été adopté par 51 voix, dont 22 ADR.', 'near'],
      ['Le scrutin n° 8 de l’Assemblée nationale a été adopté par 51 voix d’écart.', 'near'],
    ];
    expect(cases.map(([text]) => [text, ...resultsOf(text)])).to.deep.equal(cases);
  });

  it('contradict no approximate count, however it is written', () => {
    const texts = [
      'à peu près 55',
      'à peine 60',
      '~60',
      'jusqu’à 60',
      'entre 40 et 60',
      '50 à 60',
      '50-60',
      'roughly 60',
    ];
    for (const text of texts) {
      const rows = checkText(`Le scrutin n° 8 de l’Assemblée nationale a été adopté par ${text} voix pour, 34 contre.`);
      expect(
        rows.map(({ result }) => result),
        text,
      ).to.deep.equal(['near']);
    }
  });

  it('say of a result that differs that the ballot was on a motion to reject the text', () => {
    const own = createTemporaryMirror();
    const title = 'la motion de rejet préalable, déposée par Mme Lys, de la proposition de loi relative aux digues';
    const fields = { scrutin_id: 'M1', number: '1', chamber: 'AN', date: '2026-01-05' };
    const totals = { for: 40, against: 20, abstention: 0, non_voting: 0 };
    saveAll(own.mirror, 'ballot', [{ ...fields, title, result: 'adopté', totals, votes_by_party: [] }]);
    const q = 'La loi sur les digues a été rejetée le 5 janvier 2026 par 40 voix contre 20 (scrutin n° 1).';
    const [row] = [...check.read(own.mirror, { q, article: true, limit: 1 }, {} as never).items].map((item) =>
      JSON.parse(item),
    );
    own.remove();
    expect(row.result).to.equal('near');
    expect(row.differences).to.deep.equal([{ quoted: 'rejeté', said: 'adopté (motion de rejet préalable)' }]);
  });

  it('agree whichever side of a rejection is named first', () => {
    const ballot = 'la première partie du projet de loi de finances pour 2026 (scrutin n° 6 du 19 novembre 2025)';
    for (const tally of ['49 voix contre 36', '36 voix contre 49', '36 voix pour et 49 contre'])
      expect(resultsOf(`Les députés ont rejeté par ${tally} ${ballot}.`), tally).to.deep.equal(['exact']);
    expect(resultsOf(`Les députés ont adopté par 36 voix contre 49 ${ballot}.`)).to.deep.equal(['contradicted']);
  });

  it('are never exact by a denial, nor contradicted by the verb of something else', () => {
    const ballot = 'scrutin n° 8 de l’Assemblée nationale';
    const denials = [
      'Les députés n’ont pas adopté le budget : 51 pour, 34 contre',
      'L’Assemblée nationale n’a jamais adopté le budget',
      'L’Assemblée nationale a refusé d’adopter le budget',
      'The National Assembly did not pass the budget',
    ];
    for (const text of denials) expect(resultsOf(`${text} (${ballot}).`), text).to.deep.equal(['near']);
    const text = `Les députés ont adopté le budget, rejeté auparavant en commission, par 51 voix contre 34 (${ballot}).`;
    expect(resultsOf(text), 'the commission is no part of the record').to.deep.equal(['near']);
  });

  it('are exact only if the record has every word: no other text, author, reading or verb', () => {
    const counts = 'par 51 voix contre 34 (scrutin n° 8 de l’Assemblée nationale, 16 décembre 2025)';
    const exact = [
      `Les députés ont adopté l’ensemble du projet de loi de finances pour 2026 ${counts}.`,
      `Mardi, l’Assemblée nationale a adopté le texte ${counts}.`,
    ];
    for (const text of exact) expect(resultsOf(text), text).to.deep.equal(['exact']);
    const beyond: [string, string][] = [
      [`L’Assemblée nationale a adopté la réforme des phares ${counts}.`, 'réforme des phares'],
      [`Les députés ont définitivement adopté le projet de loi de finances ${counts}.`, 'définitivement'],
      [`Les députés ont enterré le projet de loi de finances pour 2026 ${counts}.`, 'enterré'],
      [`Les députés ont adopté le texte de Zoé La Lys, reporté ${counts}.`, 'Zoé La Lys … reporté'],
      [`The National Assembly turned down the text ${counts}.`, 'turned down'],
      [`Samedi, l’Assemblée nationale a adopté le texte ${counts}.`, 'Samedi'],
      [`Les députés ont adopté le projet de loi de finances pour 2024 ${counts}.`, '2024'],
      [`Les députés ont adopté l’article 4 du projet de loi de finances pour 2026 ${counts}.`, 'l’article 4'],
      ['Le scrutin n° 8 de l’Assemblée nationale a été adopté par 51 voix contre une trentaine.', 'trentaine'],
    ];
    for (const [text, words] of beyond) {
      const [row] = checkText(text);
      expect([row!.result, documentsIn(row!.differences).at(-1)], text).to.deep.equal([
        'near',
        { quoted: words, said: '' },
      ]);
    }
  });

  it('are read the same wherever their lines break', () => {
    const text =
      'Le 2 juillet 2026, le Sénat a rejeté l’ensemble de la proposition de loi relative au logement des saisonniers, ' +
      'adoptée par l’AN par 26 voix contre 24 (scrutin n° 11).';
    expect(resultsOf(text)).to.deep.equal(['exact']);
    expect(resultsOf(text.replaceAll(' ', '\n'))).to.deep.equal(['exact']);
  });

  it('state votes in English, too', () => {
    const budget = 'the projet de loi de finances pour 2026';
    const vote = (day: string, counts: string) => `On ${day}, the National Assembly adopted ${budget} by ${counts}.`;
    expect(resultsOf(vote('16 December 2025', '51 votes to 34'))).to.deep.equal(['exact']);
    expect(resultsOf(vote('December 16, 2025', '51 votes to 34'))).to.deep.equal(['exact']);
    expect(resultsOf(vote('December 16, 2025', '52 votes to 34'))).to.deep.equal(['contradicted']);
  });

  it('have two votes of a sentence told apart, and each passage under its line', () => {
    const text =
      '# Titre\n\nL’Assemblée nationale a adopté le texte par 58 voix contre 14 (scrutin n° 4), puis le Sénat l’a adopté par ' +
      '44 voix contre 2 (scrutin n° 3).\n\n> On greffe en mars ce que\n> l’on récoltera avec d’autres. — Camille Rouvre\n';
    const rows = checkText(text).map(({ line, id, result, differences }) => ({ line, id, result, differences }));
    expect(rows).to.deep.equal([
      { line: 3, id: 'AN:VAL1V4', result: 'exact', differences: [] },
      { line: 3, id: 'Senat:2026-3', result: 'contradicted', differences: [{ quoted: '2 contre', said: '1 contre' }] },
      { line: 5, id: 'quote-camille-rouvre-01', result: 'exact', differences: [] },
    ]);
  });

  it('never mix the facts of two votes', () => {
    const lighthouse = 'l’Assemblée nationale a adopté l’amendement n° 12 par 45 voix contre 15 (scrutin n° 2)';
    const both = `Le 21 octobre 2025, ${lighthouse} et rejeté l’amendement n° 47 par 41 voix contre 21 (scrutin n° 3).`;
    expect(checkText(both).map(({ id, result }) => [id, result])).to.deep.equal([
      ['AN:VAL1V2', 'exact'],
      ['AN:VAL1V3', 'exact'],
    ]);
    const mixed =
      'Les députés ont adopté un article (45 pour, 15 contre), rejeté un autre (20 pour, 41 contre, scrutin n° 3).';
    expect(resultsOf(mixed)).to.deep.equal(['near']);
    const unfinished = `Le 2 avril 2025, il renonce. ${lighthouse}.`;
    expect(resultsOf(unfinished)).to.deep.equal(['near']);
  });

  it('have the counts of votes that are not read counted, in a note', () => {
    const notesOn = (q: string, article: boolean) =>
      (check.read(demo.mirror, { q, article, limit: 1 }, {} as never).remarks ?? []).map((note) =>
        speechOf('en').render(note),
      );
    const read = (sentences: number, uncompared: number) =>
      `sentences read: ${sentences}; not compared, as no quotation or vote was recognised: ${uncompared}`;
    const listed = (line: number, text: string) =>
      `not compared, although it mentions a vote (line ${line}): “${text}”`;
    const text = 'Adopté par 51 voix contre 34 (scrutin n° 8). Il manque 12 voix. Il a\n40 voix, ou 41 votes.';
    expect(notesOn(text, true)).to.deep.equal([
      read(3, 2),
      listed(1, 'Il manque 12 voix.'),
      listed(1, 'Il a 40 voix, ou 41 votes.'),
      'counts of votes not read: 3',
    ]);
    expect(notesOn('Adopté par 51 voix contre 34. Il a trois votes.', true)).to.deep.equal([
      read(2, 1),
      listed(1, 'Il a trois votes.'),
    ]);
    expect(notesOn(text, false)).to.deep.equal([]);
  });

  it('list the sentences that mention a vote and are not compared', () => {
    const listedIn = (q: string) =>
      check.read(demo.mirror, { q, article: true, limit: 1 }, {} as never).extra?.uncompared_votes;
    const vote = 'Les députés ont adopté le budget par 51 voix contre 34 (scrutin n° 8).';
    const text = `# Le vote\n\n${vote} Le Verger s’est\nabstenu. Il fait beau. « Votre avis ? »\n\n- La loi fut rejetée.\n`;
    expect(listedIn(text)).to.deep.equal([
      { line: 1, text: '# Le vote' },
      { line: 3, text: 'Le Verger s’est abstenu.' },
      { line: 6, text: 'La loi fut rejetée.' },
    ]);
    expect(listedIn(vote)).to.deep.equal([]);
    expect(listedIn('Il parle à haute voix. Elle adopte un chat. Elle rejette l’idée.')).to.deep.equal([]);
    const mentions = Array.from({ length: 300 }, (_, at) => `Le Verger a voté la mesure ${at}.`);
    const many = [vote, ...mentions].join('\n');
    expect(listedIn(many)).to.have.length(300);
    const { remarks = [] } = check.read(demo.mirror, { q: many, article: true, limit: 1 }, {} as never);
    expect(remarks.map(String).filter((each) => each.startsWith('not compared'))).to.have.length(10);
    expect(remarks.map(String)).to.include('listed 10 of 300 such sentences; JSON has all of them');
  });

  it('count their sentences, and those that state nothing that is compared', () => {
    const countsOf = (q: string, article = true) => {
      const { sentences, uncompared_sentences: uncompared } =
        check.read(demo.mirror, { q, article, limit: 1 }, {} as never).extra ?? {};
      return [sentences, uncompared];
    };
    const vote = 'Les députés ont adopté le budget par 51 voix contre 34 (scrutin n° 8).';
    const quotation = '« On greffe en mars ce que l’on récoltera. Le reste attend », a dit Camille Rouvre.';
    expect(countsOf(vote)).to.deep.equal([1, 0]);
    expect(countsOf(`# Titre\n\nLa loi a été adoptée. ${vote} M. Merle a ri !\n\n${quotation}`)).to.deep.equal([6, 3]);
    expect(countsOf('La loi a été adoptée. Elle s’applique « demain ».')).to.deep.equal([2, 2]);
    expect(countsOf('On greffe en mars ce que', false)).to.deep.equal([undefined, undefined]);
  });

  it('contradict no clause that denies, asks or supposes a vote, and none about a part of a group', () => {
    const ballot = 'scrutin n° 8 de l’Assemblée nationale';
    const clauses = [
      `Il est faux que le Parti du Verger a voté pour (${ballot}).`,
      `Le Parti du Verger a voté pour, affirme à tort une vidéo (${ballot}).`,
      `Est-ce que le Parti du Verger a voté pour (${ballot}) ?`,
      `Si le Parti du Verger a voté pour (${ballot}), il le regrette.`,
      `Contrairement à la rumeur, le Parti du Verger a voté contre (${ballot}).`,
      `Il est faux que le ${ballot} a été rejeté par 51 voix contre 34.`,
      `Lors du ${ballot}, des Parti du Verger ont voté pour.`,
    ];
    for (const text of clauses) expect(resultsOf(text), text).to.deep.equal(['near']);
    expect(resultsOf(`Lors du ${ballot}, le Parti du Verger a voté pour.`)).to.deep.equal(['contradicted']);
  });

  it('take no earlier result in the other chamber for that of the ballot', () => {
    const ballot = 'scrutin n° 8 de l’Assemblée nationale';
    for (const text of [
      `Le budget, deux fois rejeté au Sénat, a été voté (${ballot}).`,
      `Après avoir été rejeté deux fois au Sénat, le budget a été voté (${ballot}).`,
      `Le budget, que le Sénat avait rejeté en mai, a été voté (${ballot}).`,
      `Le budget, qui avait été rejeté au Sénat, a été voté (${ballot}).`,
    ])
      expect(resultsOf(text), text).not.to.include('contradicted');
    expect(resultsOf(`Le ${ballot} a été rejeté.`)).to.deep.equal(['contradicted']);
  });

  it('take the vote of a group for that of a party only if most of its members are of that party', () => {
    const own = createTemporaryMirror();
    const groups = [
      {
        party: 'mixte-an',
        party_name: 'Groupe Mixte',
        position: 'contre',
        members: 10,
        for: 2,
        against: 7,
        abstention: 0,
      },
    ];
    const ballot = {
      scrutin_id: 'M1',
      number: '1',
      chamber: 'AN',
      title: 'l’ensemble du projet de loi sur les digues',
    };
    saveAll(own.mirror, 'ballot', [{ ...ballot, date: '2026-01-05', result: 'adopté', votes_by_party: groups }]);
    saveAll(own.mirror, 'party', [
      { slug: 'mixte-an', name: 'Groupe Mixte', chamber: 'AN' },
      { slug: 'parti-des-digues', name: 'Parti des Digues' },
      { slug: 'parti-des-phares', name: 'Parti des Phares' },
    ]);
    const text = 'Lors du scrutin n° 1 de l’Assemblée nationale, le Parti des Digues a voté pour.';
    const resultOf = (digues: number) => {
      const politicians = Array.from({ length: 10 }, (_, at) => ({
        slug: `elu-${at}`,
        full_name: `Élu ${at}`,
        chamber: 'AN',
        party: at < digues ? 'parti-des-digues' : 'parti-des-phares',
        group: 'mixte-an',
      }));
      saveAll(own.mirror, 'politician', politicians);
      return [...check.read(own.mirror, { q: text, article: true, limit: 1 }, {} as never).items].map(
        (row) => JSON.parse(row).result,
      );
    };
    expect([6, 9].map(resultOf)).to.deep.equal([['near'], ['contradicted']]);
    own.remove();
  });

  it('are read line by line where nothing is quoted or stated, unless they are prose', () => {
    expect(resultsOf('On greffe en mars ce que\nNous planterons des palmiers')).to.deep.equal(['exact', 'not-found']);
    expect(resultsOf('mot '.repeat(200))).to.deep.equal([]);
    expect(resultsOf(`« ${'mot '.repeat(2000)}`)).to.deep.equal([]);
    expect(resultsOf('Il a dit « oui » puis « trois mots seulement ».\n\n« non »')).to.deep.equal([]);
  });

  it('are no quotations where a line counts votes that no ballot is read for', () => {
    const { items, extra } = check.read(
      demo.mirror,
      { q: 'On greffe en mars ce que.\nLa majorité tient à 12 voix.', article: true, limit: 1 },
      {} as never,
    );
    expect([...items].map((item) => JSON.parse(item).result)).to.deep.equal(['exact']);
    expect(extra?.uncompared_votes).to.deep.equal([{ line: 2, text: 'La majorité tient à 12 voix.' }]);
  });

  it('are read without what HTML hides, on the lines of the source', async () => {
    const page =
      '<!doctype html><html><head><title>« Un titre de quatre mots »</title>\n<script>\n"a b c d e"\n</script></head>\n' +
      '<body><p\n class="x">Il a dit&nbsp;: &laquo;&nbsp;On greffe en mars <em>ce</em> que&nbsp;&raquo;.</p>' +
      '<blockquote><p>On greffe en mars ce que</p></blockquote></body></html>';
    const rows = checkText(await plainTextOf(page));
    expect(rows.map(({ line, quoted, result }) => [line, quoted, result])).to.deep.equal([
      [6, 'On greffe en mars ce que', 'exact'],
      [6, 'On greffe en mars ce que', 'exact'],
    ]);
  });
});
