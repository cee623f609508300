import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import type { Command } from '@oclif/core';
import { expect } from 'chai';
import Ballots from '../../src/cli/commands/ballots.ts';
import Changes from '../../src/cli/commands/changes.ts';
import Cohesion from '../../src/cli/commands/cohesion.ts';
import Compare from '../../src/cli/commands/compare.ts';
import Feed from '../../src/cli/commands/feed.ts';
import History from '../../src/cli/commands/history.ts';
import Parties from '../../src/cli/commands/parties.ts';
import Politicians from '../../src/cli/commands/politicians.ts';
import Search from '../../src/cli/commands/search.ts';
import Show from '../../src/cli/commands/show.ts';
import Topics from '../../src/cli/commands/topics.ts';
import Vote from '../../src/cli/commands/vote.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { displayWidth } from '../../src/terminal/width.ts';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { type Seat, screenOf, seatName } from '../helpers/screen.ts';
import { saveAll } from '../server/demo-server.ts';

const folder = fileURLToPath(new URL('../../fixtures/golden/screens/', import.meta.url));
const isUpdating = process.env.UPDATE_GOLDEN === '1';

/** Name of the golden screens → the command, and what is typed behind it. */
const screens: Record<string, [Command.Class, ...string[]]> = {
  vote: [Vote, 'VAL1V4'],
  'vote-censure': [Vote, 'VAL1V7'],
  ballots: [Ballots, '--voted', 'ADR:for', '--limit', '3'],
  politicians: [Politicians, '--limit', '3'],
  profile: [Politicians, 'oceane-bruyevre'],
  party: [Parties, 'alliance-des-rivages'],
  search: [Search, 'retraites', '--limit', '3'],
  feed: [Feed, '--types', 'promise', '--limit', '3'],
  compare: [Compare, 'ADR', 'PDV', 'majority'],
  cohesion: [Cohesion, 'ADR', 'UDC'],
  changes: [Changes, '--since', '2026-10-01', '--kind', 'party', '--all'],
  history: [History, 'party', 'parti-du-verger'],
  source: [Show, 'src-an-amendements'],
  topics: [Topics],
};

/** The words that are typed for each command, for those lines that tell how to go on. */
const typed: Record<string, string> = {
  ...Object.fromEntries(Object.keys(screens).map((name) => [name, name])),
  ...{ 'vote-censure': 'vote', profile: 'politicians', party: 'parties', source: 'show' },
};

const widths = [40, 80, 120, 200];
const languages = ['en', 'fr'] as const;

/** Every seat: terminals with and without colour, in both languages; and a pipe. */
const seats: Seat[] = [
  ...widths.flatMap((columns) =>
    languages.flatMap((language) => [false, true].map((isColoured) => ({ columns, language, isColoured }))),
  ),
  ...languages.map((language) => ({ columns: null, language })),
];

describe('a screen', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  before(async () => {
    demo = await createDemoMirror();
  });
  after(() => demo.remove());

  for (const [name, [command, ...argv]] of Object.entries(screens))
    it(`of ${name} is what it was, at any width, in colour or none, English or French`, async () => {
      const shown = new Map<string, string>();
      for (const seat of seats)
        shown.set(
          seatName(seat),
          await screenOf(command, [...argv, '--source', 'mirror'], {
            ...seat,
            name: typed[name]!,
            db: demo.db,
          }),
        );
      for (const seat of seats) {
        const text = shown.get(seatName(seat))!;
        const plain = stripVTControlCharacters(text);
        // Colour adds to a screen, and changes nothing of it.
        if (seat.isColoured) expect(plain).to.equal(shown.get(seatName({ ...seat, isColoured: false })));
        expect(tooWide(plain, seat.columns), seatName(seat)).to.deep.equal([]);
        expect(plain, seatName(seat)).not.to.include('2> Error');
      }
      // What colour adds is kept at one width: at the others the lines are those without it.
      const colouredSeats = seats.filter(({ isColoured, columns }) => !isColoured || columns === 80);
      const text = colouredSeats.map((seat) => `=== ${seatName(seat)}\n${shown.get(seatName(seat))}`).join('');
      const path = `${folder}${name}.txt`;
      if (isUpdating || !existsSync(path)) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(path, text);
      }
      expect(text).to.equal(readFileSync(path, 'utf8'));
    });

  it('is not broken by what a record says: escapes, other directions, no width, ten thousand characters', async () => {
    const own = await createDemoMirror();
    const evil = 'Ève \x1b]0;x\x07\x1b[2J\u202e\u200b\u2066\x9b31m\r\n';
    const mirror = openWritableMirror(own.db);
    saveAll(mirror, 'politician', [
      {
        slug: 'eve-x',
        full_name: `${evil}Xime`,
        current_role: evil.repeat(50),
        bio: evil,
        website: 'javascript:1',
      },
      { slug: 'long-x', full_name: 'Longue'.repeat(1700), current_role: 'mot '.repeat(3000) },
    ]);
    saveAll(mirror, 'promise', [
      { id: 'evil-1', politician: 'eve-x', title: evil, text: evil, topic: evil, date: '2026-10-30' },
    ]);
    mirror.close();
    const typed: [Command.Class, string, string[]][] = [
      [Politicians, 'politicians', ['eve-x']],
      [Politicians, 'politicians', ['long-x']],
      [Politicians, 'politicians', []],
      [Feed, 'feed', ['--types', 'promise', '--limit', '2']],
      [Search, 'search', ['Xime']],
      [Show, 'show', ['promise', 'evil-1']],
    ];
    for (const [command, name, argv] of typed)
      for (const columns of widths) {
        const text = await screenOf(command, [...argv, '--source', 'mirror'], { columns, name, db: own.db });
        expect(text, `${name} ${argv} ${columns}`).to.match(
          /^(?:\n|[^\p{Cc}\u200b-\u200f\u202a-\u202e\u2066-\u2069])*$/u,
        );
        expect(tooWide(text, columns), `${name} ${argv} ${columns}`).to.deep.equal([]);
      }
    own.remove();
  });
});

/**
 * The lines of stdout that no terminal of so many columns holds; keys and addresses are never cut, nor commands to copy,
 * however narrow it is.
 */
function tooWide(text: string, columns: number | null): string[] {
  if (columns === null) return [];
  const isUncut = (line: string) =>
    /(^| )hemicycle /.test(line) || line.split(' ').some((word) => displayWidth(word) > columns - 16);
  return text.split('\n').filter((line) => !line.startsWith('2> ') && displayWidth(line) > columns && !isUncut(line));
}
