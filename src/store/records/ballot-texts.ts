import type { Mirror } from '../mirror.ts';
import { readBallotTables } from '../saving/ballot-tables.ts';
import { ballotsWanted } from '../search/ballots-by-words.ts';

/** A text with ballots: its key, its names as spelt there, their source fields, and the number of ballots. */
export type VotedText = { key: string; names: string[]; from: string[]; ballots: number };

/** Every text with ballots by key, most ballots first. */
export function votedTexts(mirror: Mirror): Map<string, VotedText> {
  readBallotTables(mirror);
  return mirror.readOnce('texts with ballots', () => {
    const rows = mirror.sql<{ key: string; name: string; source: string; ballots: number }>(
      `SELECT text_key AS key, text AS name, text_from AS source, count(*) AS ballots FROM ballot
       WHERE text_key IS NOT NULL GROUP BY text, text_from ORDER BY ballots DESC, min(day), min(id)`,
    );
    const texts = [...Map.groupBy(rows.all(), ({ key }) => key)].map(([key, spellings]) => ({
      key,
      names: [...new Set(spellings.map(({ name }) => name))],
      from: [...new Set(spellings.map(({ source }) => source))].sort(),
      ballots: spellings.reduce((sum, { ballots }) => sum + ballots, 0),
    }));
    return new Map(texts.map((text) => [text.key, text]));
  });
}

/** The texts of the ballots that match some words, as search ranks them; most matching ballots first. */
export function searchTexts(mirror: Mirror, q: string): VotedText[] {
  const places = ballotsWanted(mirror, { q, isLaw: true, relaxes: ['corrected', 'file'] })?.places ?? new Map();
  const texts = votedTexts(mirror);
  const keys = mirror.column<string>(
    `SELECT text_key FROM ballot WHERE text_key IS NOT NULL AND id IN (SELECT value FROM json_each(?))
     GROUP BY 1 ORDER BY count(*) DESC, min(day), min(id)`,
  );
  return keys.all(JSON.stringify([...places.keys()])).map((key) => texts.get(key)!);
}
