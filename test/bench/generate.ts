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

/** A sequence of numbers from 0 to 1 that is the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Words of an invented vocabulary; the first are as frequent as in real texts (Zipf). */
function createWords(random: () => number): () => string {
  const vocabulary = Array.from({ length: 30_000 }, (_, rank) => {
    const length = 1 + Math.floor(random() * 3) + (rank > 200 ? 1 : 0);
    return Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)]!).join('');
  });
  return () => vocabulary[Math.floor(vocabulary.length ** random()) - 1]!;
}

/** The people of so many texts, and the parties that they are of. */
const peopleOf = (count: number) => Math.max(2000, count / 500);
const parties = 12;

/** Shares of texts that repeat an earlier one, and the most frequent one, as in 20,000 amendments: 4,731 and 145. */
const copyShare = 4731 / 20_000;
const mostCopiedShare = 145 / 20_000;

/** The most copied text; no other holds its words. */
export const mostCopied = 'amendement de repli pour la sécurité juridique du présent dispositif';

/** Texts are copied from one of so many before them. */
const copiedFrom = 20_000;

/**
 * Writes `content.ndjson` with that many invented records of some 400 bytes into a folder. As in the real data, two in
 * five texts are shared word for word with another.
 */
export async function generateContent(folder: string, count: number): Promise<void> {
  const random = createRandom(7);
  const word = createWords(random);
  const sentence = (length: number) => Array.from({ length }, word).join(' ');
  const before: string[] = [];
  const textOf = (n: number) => {
    const chance = random();
    if (chance < mostCopiedShare) return mostCopied;
    const copied = chance < copyShare ? before[Math.floor(random() * before.length)] : undefined;
    const text = copied ?? sentence(30);
    before[n % copiedFrom] = text;
    return text;
  };
  const file = createWriteStream(join(folder, 'content.ndjson'), { highWaterMark: 1 << 20 });
  for (let n = 0; n < count; n += 1) {
    const day = new Date(Date.UTC(2000, 0, 1) + Math.floor(random() * 9000) * 86_400_000).toISOString().slice(0, 10);
    const person = Math.floor(random() * peopleOf(count));
    const title = sentence(6);
    const text = textOf(n);
    const record = {
      id: `c${n}`,
      kind: 'texte',
      politician: `personne-${person}`,
      party: `parti-${person % parties}`,
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

/** Invented people, some of them of one given name; few texts say one of their names. */
export function generateNames(count: number): Record<'slug' | 'full_name' | 'first_name' | 'last_name', string>[] {
  const random = createRandom(11);
  const word = (length: number) => {
    const written = Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)]!).join('');
    return `${written[0]!.toUpperCase()}${written.slice(1)}`;
  };
  const firstNames = Array.from({ length: 120 }, () => word(3));
  return Array.from({ length: count }, (_, n) => {
    const first_name = firstNames[Math.floor(random() * firstNames.length)]!;
    const last_name = word(3);
    return { slug: `personne-${n}`, full_name: `${first_name} ${last_name}`, first_name, last_name };
  });
}

/** Writes the politicians, parties and sources that so many texts name into a folder. */
export function generatePeople(folder: string, count: number): void {
  const people = generateNames(peopleOf(count));
  const write = (kind: string, records: object[]) =>
    writeFileSync(join(folder, `${kind}.ndjson`), records.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const partyOf = (n: number) => `parti-${n % parties}`;
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
    Array.from({ length: parties }, (_, n) => ({
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
