import { UsageError } from '../errors.ts';
import type { Sink } from '../format/sink.ts';
import { attributionOf, webAddress } from '../model/attribution.ts';
import { type Counts, type PartyVotes, readBallot } from '../model/ballot.ts';
import { type Document, documentsIn, slugOf, textOf } from '../model/document.ts';
import { keyOf } from '../model/facets.ts';
import { kindOf } from '../model/kinds.ts';
import { say } from '../words/speech.ts';
import { aboutTables } from './folder.ts';
import type { ExportPart } from './part.ts';
import type { ExportTable } from './table.ts';
import { nameOfTable, type TableName } from './tables.ts';
import { citedBy } from './tidy.ts';

/** The kinds of which Popolo has classes; sources become links of theirs. */
const told = [kindOf('politician'), kindOf('party'), kindOf('ballot')];

/** The tables that are read for Popolo; throws a UsageError on one that was named and has no class there. */
export function popoloTables(named: TableName[], isAll: boolean): TableName[] {
  const refused = named.find(
    (table) => !told.includes(table as (typeof told)[number]) && table !== kindOf('source'),
  );
  if (refused && !isAll)
    throw new UsageError(
      say`${nameOfTable(refused)} have no class in Popolo`,
      say`those that have: ${told.map(({ plural }) => plural).join(', ')}`,
    );
  return [...told.filter((kind) => isAll || named.includes(kind)), kindOf('source')];
}

/** What is said of tables, which a document of Popolo has none of. */
const shaping = [
  ...['columns', 'attribution-column', 'metadata', 'excel-fr', 'spreadsheet-safe', 'bom', 'french-headers'],
  ...['changed-since', 'releases', 'json'],
];

/** Throws a UsageError where something is asked for, or a place, that a document of Popolo has not. */
export function refuseForPopolo(flags: { output: string; [flag: string]: unknown }): void {
  const given = shaping.find((flag) => flags[flag]);
  if (given) throw new UsageError(say`--${given} is not for Popolo`, say`leave it out`);
  if (flags.output !== '-' && !/\.json$/i.test(flags.output))
    throw new UsageError(say`Popolo is one file of JSON`, say`name it: -o popolo.json`);
}

/** Tables as one document of Popolo (https://www.popoloproject.com/specs/), written while they are read. */
export function popoloPart(tables: ExportTable[]): ExportPart & { count: () => null } {
  const shown = tables.filter(({ name }) => name !== 'sources');
  const { attribution } = [...shown, ...tables][0]!;
  const licences = shown.map((table) => table.attribution.licence);
  const moments = shown.map(({ freshAt }) => freshAt);
  return {
    name: 'popolo',
    description: 'Persons, organizations, memberships, areas, motions and vote events, as Popolo has them.',
    columns: [],
    key: [],
    references: [],
    freshAt: moments.includes(null) ? null : moments.sort()[0]!,
    attribution: attributionOf(
      { name: attribution.name, siteUrl: attribution.url },
      {
        licence: licences.includes(null) ? null : licences[0]!,
        retrievedAt: attribution.retrieved_at,
        asOf: attribution.as_of ?? null,
      },
    ),
    format: 'popolo',
    dialect: null,
    verbatim: null,
    written: () => [],
    count: () => null,
    write: (sink) => writePopolo(tables, aboutTables(shown), sink),
  };
}

async function writePopolo(tables: ExportTable[], about: Document, sink: Sink): Promise<number> {
  function* rows(name: string): Generator<Document> {
    const table = tables.find((each) => each.name === name);
    if (table) yield* (table.originals ?? table).rows();
  }
  const links = linksOf(rows('sources'));
  const chambers = chambersIn(rows);
  const sections: Record<string, () => Iterable<Node | null>> = {
    persons: () => mapped(rows('politicians'), (row) => personOf(row, links)),
    organizations: function* () {
      for (const [chamber, name] of Object.entries(chamberNames))
        if (chambers.has(chamber)) yield { id: chamberId(chamber), name, classification: 'chamber' };
      yield* mapped(rows('parties'), (row) => organizationOf(row, links));
    },
    memberships: function* () {
      for (const row of rows('politicians')) yield* membershipsOf(row);
    },
    areas: () => areasIn(rows('politicians')),
    motions: () => mapped(rows('ballots'), (row) => motionOf(row, links)),
    vote_events: () => mapped(rows('ballots'), (row) => voteEventOf(row, links)),
  };
  await sink.write(`{"meta":${JSON.stringify(about)}`);
  let count = 0;
  for (const [name, items] of Object.entries(sections)) {
    await sink.write(`,\n"${name}":[`);
    let isFirst = true;
    for (const item of items()) {
      if (item === null) continue;
      await sink.write(`${isFirst ? '\n' : ',\n'}${JSON.stringify(item)}`);
      isFirst = false;
      count += 1;
    }
    await sink.write(']');
  }
  await sink.write('}\n');
  return count;
}

type Node = { [term: string]: unknown };
type Link = { url: string; note?: string };

function* mapped(rows: Iterable<Document>, make: (row: Document) => Node): Generator<Node> {
  for (const row of rows) yield make(row);
}

/** What is stated, and nothing for what is not. */
const stated = (facts: Node): Node =>
  Object.fromEntries(
    Object.entries(facts).filter(
      ([, value]) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  );

/** A day, a month or a year, as the schemas take one. */
function dayIn(row: Document, field: string): string | null {
  const day = textOf(row, field);
  return day !== null && /^\d{4}(-\d\d){0,2}$/.test(day) ? day : null;
}

function linksOf(sources: Iterable<Document>): Map<string, Link> {
  const links = new Map<string, Link>();
  for (const source of sources) {
    const [id, title] = [textOf(source, 'id'), textOf(source, 'title')];
    const url = webAddress(textOf(source, 'url') ?? '');
    if (id !== null && url !== null) links.set(id, { url, ...(title === null ? {} : { note: title }) });
  }
  return links;
}

/** The sources that a record names, and the address of the original where it has one. */
function sourcesOf(row: Document, links: Map<string, Link>): Link[] {
  const original = webAddress(textOf(row, 'url') ?? '');
  const cited = [...citedBy(row)].flatMap((id) => links.get(id) ?? []);
  return original === null || cited.some(({ url }) => url === original)
    ? cited
    : [{ url: original }, ...cited];
}

const chamberNames = { AN: 'Assemblée nationale', Senat: 'Sénat', PE: 'Parlement européen' };
const chamberId = (chamber: string) => `chamber:${chamber}`;

/** The chamber that a record names, as the id of an organization; null for none, and for one that nobody knows. */
function chamberIn(row: Document): string | null {
  const chamber = textOf(row, 'chamber');
  return chamber !== null && Object.hasOwn(chamberNames, chamber) ? chamberId(chamber) : null;
}

function chambersIn(rows: (name: string) => Iterable<Document>): Set<string> {
  const found = new Set<string>();
  for (const name of ['politicians', 'parties']) for (const row of rows(name)) found.add(String(row.chamber));
  for (const row of rows('ballots')) found.add(readBallot(row).chamber);
  return found;
}

function personOf(row: Document, links: Map<string, Link>): Node {
  const website = webAddress(textOf(row, 'website') ?? '');
  return stated({
    id: keyOf(kindOf('politician'), row),
    name: textOf(row, 'full_name'),
    given_name: textOf(row, 'first_name'),
    family_name: textOf(row, 'last_name'),
    gender: textOf(row, 'gender'),
    birth_date: dayIn(row, 'birth_date'),
    death_date: dayIn(row, 'death_date'),
    biography: textOf(row, 'bio'),
    links: website === null ? [] : [{ url: website, note: 'website' }],
    sources: sourcesOf(row, links),
  });
}

function organizationOf(row: Document, links: Map<string, Link>): Node {
  const short = textOf(row, 'short_name');
  return stated({
    id: keyOf(kindOf('party'), row),
    name: textOf(row, 'name'),
    other_names: short === null ? [] : [{ name: short, note: 'abbreviation' }],
    classification: textOf(row, 'kind'),
    parent_id: chamberIn(row),
    description: textOf(row, 'description'),
    founding_date: dayIn(row, 'start_date'),
    dissolution_date: dayIn(row, 'end_date'),
    sources: sourcesOf(row, links),
  });
}

/** What a politician was and is a member of: parties and groups with their days, the chamber of the present mandate. */
function* membershipsOf(row: Document): Generator<Node> {
  const person = keyOf(kindOf('politician'), row);
  for (const [at, part] of documentsIn(row.affiliations).entries()) {
    const organization = slugOf(part.party);
    if (organization === null) continue;
    yield stated({
      id: `${person}/${at + 1}`,
      person_id: person,
      organization_id: organization,
      role: textOf(part, 'role'),
      start_date: dayIn(part, 'start'),
      end_date: dayIn(part, 'end'),
    });
  }
  const chamber = chamberIn(row);
  if (chamber !== null)
    yield stated({
      id: `${person}/mandate`,
      person_id: person,
      organization_id: chamber,
      area_id: areasOf(row).at(-1)?.id,
    });
}

/** The department of a mandate, and the constituency in it where one is named. */
function areasOf(row: Document): (Node & { id: string })[] {
  const [department, number] = [textOf(row, 'department'), textOf(row, 'constituency_number')];
  if (department === null) return [];
  const whole = { id: `area:${department}`, name: department, classification: 'department' };
  if (number === null) return [whole];
  const part = { id: `${whole.id}/${number}`, identifier: number, classification: 'constituency' };
  return [whole, { ...part, parent_id: whole.id }];
}

function* areasIn(rows: Iterable<Document>): Generator<Node> {
  const met = new Set<string>();
  for (const row of rows)
    for (const area of areasOf(row)) {
      if (met.has(area.id)) continue;
      met.add(area.id);
      yield area;
    }
}

function motionOf(row: Document, links: Map<string, Link>): Node {
  const { title, date, required, chamber } = readBallot(row);
  return stated({
    id: keyOf(kindOf('ballot'), row),
    organization_id: chamberId(chamber),
    text: title,
    date,
    requirement: required === null ? null : String(required),
    sources: sourcesOf(row, links),
  });
}

/** What Popolo calls the choices of those who may vote. */
const options: Record<keyof Counts, string> = {
  for: 'yes',
  against: 'no',
  abstention: 'abstain',
  non_voting: 'not voting',
};

function countsOf(counts: Counts | null, group: Node): Node[] {
  const names = Object.keys(options) as (keyof Counts)[];
  return names.flatMap((name) => {
    const value = counts?.[name] ?? null;
    return value === null ? [] : [{ option: options[name], value, ...group }];
  });
}

const groupOf = ({ party, party_name }: PartyVotes): Node =>
  party !== null ? { group_id: party } : party_name !== null ? { group: { name: party_name } } : {};

/** A ballot. Its result, and the position of a group, are in the words of the source: none is made of counts. */
function voteEventOf(row: Document, links: Map<string, Link>): Node {
  const { scrutin_id, chamber, date, result, totals, votes_by_party: groups } = readBallot(row);
  const key = keyOf(kindOf('ballot'), row);
  const named = groups.filter((group) => Object.keys(groupOf(group)).length > 0);
  return stated({
    id: key,
    identifier: scrutin_id,
    motion_id: key,
    organization_id: chamberId(chamber),
    classification: textOf(row, 'type'),
    start_date: date,
    result,
    counts: [...countsOf(totals, {}), ...named.flatMap((group) => countsOf(group, groupOf(group)))],
    group_results: named.flatMap((group) =>
      group.position === null ? [] : [{ ...groupOf(group), result: group.position }],
    ),
    sources: sourcesOf(row, links),
  });
}
