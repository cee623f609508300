import { once } from 'node:events';
import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const syllables = [
  'ba',
  'che',
  'dor',
  'fi',
  'gra',
  'jou',
  'lan',
  'mer',
  'ni',
  'por',
  'quai',
  'ré',
  'sel',
  'tri',
  'vou',
  'phare',
  'ment',
  'tion',
  'eur',
  'age',
];

/** A linear congruential generator of numbers in [0, 1): the same sequence for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A source of invented words whose frequencies follow Zipf's law, as in real texts. */
function createWordSource(random: () => number): () => string {
  const vocabulary = Array.from({ length: 30_000 }, (_, rank) => {
    const length = 1 + Math.floor(random() * 3) + (rank > 200 ? 1 : 0);
    return Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)]!).join('');
  });
  return () => vocabulary[Math.floor(vocabulary.length ** random()) - 1]!;
}

/** Number of politicians for that many texts. */
const politicianCount = (textCount: number) => Math.max(2000, textCount / 500);

const partyCount = 12;

/** Share of texts that repeat an earlier text: 4,731 of 20,000 real amendments. */
const copyShare = 4731 / 20_000;

/** Share of the most frequent text among the same 20,000 amendments: 145. */
const mostCopiedShare = 145 / 20_000;

/** The most frequent text; its words occur in no other text. */
export const mostCopiedText = 'amendement de repli pour la sécurité juridique du présent dispositif';

/** A text is copied from one of that many texts before it. */
const copyWindow = 20_000;

/**
 * Writes `content.ndjson` with `count` invented records of about 400 bytes into a folder. As in the real data, 40 % of
 * the texts are equal to another text.
 */
export async function generateContent(folder: string, count: number): Promise<void> {
  const random = createRandom(7);
  const word = createWordSource(random);
  const sentence = (length: number) => Array.from({ length }, word).join(' ');
  const recentTexts: string[] = [];
  const textOf = (n: number) => {
    const chance = random();
    if (chance < mostCopiedShare) return mostCopiedText;
    const copiedText = chance < copyShare ? recentTexts[Math.floor(random() * recentTexts.length)] : undefined;
    const text = copiedText ?? sentence(30);
    recentTexts[n % copyWindow] = text;
    return text;
  };
  const file = createWriteStream(join(folder, 'content.ndjson'), { highWaterMark: 1 << 20 });
  for (let n = 0; n < count; n += 1) {
    const day = new Date(Date.UTC(2000, 0, 1) + Math.floor(random() * 9000) * 86_400_000).toISOString().slice(0, 10);
    const person = Math.floor(random() * politicianCount(count));
    const title = sentence(6);
    const text = textOf(n);
    const record = {
      id: `c${n}`,
      kind: 'texte',
      politician: `personne-${person}`,
      party: `parti-${person % partyCount}`,
      title,
      text,
      date: day,
      url: null,
      source_ids: [`s${person}`],
    };
    if (!file.write(`${JSON.stringify(record)}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}

/** `count` invented people with 120 different first names; few texts contain one of their names. */
export function generateNames(count: number): Record<'slug' | 'full_name' | 'first_name' | 'last_name', string>[] {
  const random = createRandom(11);
  const name = (syllableCount: number) => {
    const lowercase = Array.from(
      { length: syllableCount },
      () => syllables[Math.floor(random() * syllables.length)]!,
    ).join('');
    return `${lowercase[0]!.toUpperCase()}${lowercase.slice(1)}`;
  };
  const firstNames = Array.from({ length: 120 }, () => name(3));
  return Array.from({ length: count }, (_, n) => {
    const first_name = firstNames[Math.floor(random() * firstNames.length)]!;
    const last_name = name(3);
    return { slug: `personne-${n}`, full_name: `${first_name} ${last_name}`, first_name, last_name };
  });
}

/** Writes the politicians, parties and sources that `count` generated texts refer to into a folder. */
export function generatePeople(folder: string, count: number): void {
  const people = generateNames(politicianCount(count));
  const write = (kind: string, records: object[]) =>
    writeFileSync(join(folder, `${kind}.ndjson`), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const partyOf = (n: number) => `parti-${n % partyCount}`;
  write(
    'politicians',
    people.map((person, n) => ({
      ...person,
      party: partyOf(n),
      affiliations: [{ party: partyOf(n), start: '2022-06-22', end: null }],
      source_ids: [`s${n}`],
      updated_at: new Date(Date.UTC(2025, 0, 1) + n * 60_000).toISOString(),
    })),
  );
  write(
    'parties',
    Array.from({ length: partyCount }, (_, n) => ({
      slug: partyOf(n),
      name: `Parti ${n}`,
      short_name: `P${n}`,
    })),
  );
  write(
    'sources',
    people.map(({ full_name }, n) => ({
      id: `s${n}`,
      url: `https://www.example.org/textes/${n}`,
      title: `Textes de ${full_name}`,
      publisher: 'Exemple',
    })),
  );
}
