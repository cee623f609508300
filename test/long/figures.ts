import { type Document, documentsIn, isDocument } from '../../src/model/document.ts';

/** A figure of a page: where it stands in the text (or in the markup), in the data, and by SQL. */
export type Figure = { what: string; onPage: RegExp; inJson: (data: Document) => unknown; inSql: unknown };

/** An address of a page with the figures to compare. */
export type FiguredPage = { address: string; figures: Figure[] };

type Ask = (sql: string) => Document[];

const literal = (text: unknown) => `'${String(text).replaceAll("'", "''")}'`;
const query = (values: Record<string, unknown>) => new URLSearchParams(values as Record<string, string>).toString();
const path = (text: unknown) => encodeURIComponent(String(text));

/** Some rows of many, the same each time, from the first to the last. */
const some = (rows: Document[], most: number) =>
  rows.filter((_, at) => Math.floor((at * most) / rows.length) !== Math.floor(((at - 1) * most) / rows.length));

/** "shown 20 of 4,371" below a list, its total in the data, and the number of rows by that SQL. */
function totalOf(ask: Ask, address: string, from: string): FiguredPage {
  const [row] = ask(`SELECT count(*) AS n FROM ${from}`);
  const total = { what: 'total', onPage: /shown [\d,]+ of ([\d,]+)/, inSql: row!.n };
  return { address, figures: [{ ...total, inJson: (data) => data.total }] };
}

/** Ballots: counts of the chamber and of every group. */
function votesOf(ask: Ask): FiguredPage[] {
  const rows = ask(
    `SELECT chamber, scrutin_id, title, totals, votes_by_party FROM ballots ORDER BY chamber, scrutin_id`,
  );
  return some(rows, 60).map(({ chamber, scrutin_id: id, title, totals, votes_by_party: votes }) => {
    // Only votes for a motion of censure are shown.
    const names = /motion de censure/i.test(String(title)) ? ['for'] : ['for', 'against', 'abstention'];
    const counts = JSON.parse(String(totals)) as Document | null;
    const ofAll = names.flatMap((name): Figure[] => {
      if (typeof counts?.[name] !== 'number') return [];
      const onPage = new RegExp(`<div class="${name}"><dt>[^<]*</dt><dd>([\\d,]+)`);
      return [{ what: name, onPage, inJson: ({ totals: of }) => (of as Document)[name], inSql: counts[name] }];
    });
    const labels: Record<string, string> = { for: 'For', against: 'Against', abstention: 'Abstention' };
    const ofGroups = (JSON.parse(String(votes)) as Document[]).flatMap((group): Figure[] =>
      names.flatMap((name): Figure[] => {
        if (typeof group[name] !== 'number' || !group.party) return [];
        const onPage = new RegExp(
          `href="/parties/${group.party}\\?lang=en"(?:(?!</tr>).)*?data-label="${labels[name]}">([\\d,]+)`,
          's',
        );
        const own = ({ votes_by_party: of }: Document) =>
          documentsIn(of).find(({ party }) => party === group.party)![name];
        return [{ what: `${group.party} ${name}`, onPage, inJson: own, inSql: group[name] }];
      }),
    );
    return { address: `/votes/${chamber}/${path(id)}`, figures: [...ofAll, ...ofGroups] };
  });
}

/** People: how many quotes, promises and positions their profiles have; where all are shown, nothing is said. */
function peopleOf(ask: Ask): FiguredPage[] {
  const kinds = ['quotes', 'promises', 'positions'] as const;
  const counted = kinds.map((kind) => `(SELECT count(*) FROM ${kind} WHERE politician = slug) AS ${kind}`);
  const rows = ask(
    `SELECT slug, ${counted} FROM politicians ORDER BY ${kinds.map((kind) => `${kind} > 5 DESC`)}, slug`,
  );
  return [...rows.slice(0, 20), ...some(rows.slice(20), 55)].map((person) => ({
    address: `/politicians/${path(person.slug)}`,
    figures: kinds.map((kind): Figure => {
      const total = Number(person[kind]);
      // All of them, else those behind the five that are shown, else what the section has.
      const part = `<section id="${kind}">(?:(?!</section>).)*?`;
      const [pattern, figure] =
        total > 40
          ? [`${part}>All ([\\d,]+)<`, total]
          : total > 5
            ? [`${part}<summary>([\\d,]+) more`, total - 5]
            : [`()${total === 0 ? `(?!.*<section id="${kind}">)` : part}`, ''];
      const inJson = (data: Document) => {
        const count = documentsIn(data[kind]).length;
        if (count !== total) return `${count} in the profile`;
        return figure;
      };
      return { what: kind, onPage: new RegExp(String(pattern), 's'), inJson, inSql: figure };
    }),
  }));
}

/** Parties and groups: the members that the service states. */
function partiesOf(ask: Ask): FiguredPage[] {
  const rows = ask(`SELECT slug, member_count AS n FROM parties WHERE member_count IS NOT NULL ORDER BY slug`);
  return some(rows, 25).map(({ slug, n }) => ({
    address: `/parties/${path(slug)}`,
    figures: [
      {
        what: 'members',
        onPage: /([\d,]+) stated by the service, undated/,
        inJson: (data) => data.member_count,
        inSql: n,
      },
    ],
  }));
}

/** Topics: all that is filed under each, and what `/topics` says of it. */
function topicsOf(ask: Ask): FiguredPage[] {
  const filed = ['content', 'promises', 'positions'].map((kind) => `SELECT topic FROM ${kind} WHERE topic <> ''`);
  const rows = ask(`SELECT topic, count(*) AS n FROM (${filed.join(' UNION ALL ')}) GROUP BY topic ORDER BY topic`);
  return some(rows, 20).map(({ topic }) =>
    totalOf(ask, `/topics/${path(topic)}`, `(${filed.join(' UNION ALL ')}) WHERE topic = ${literal(topic)}`),
  );
}

/** Sources: how many records rest on each. */
function sourcesOf(ask: Ask): FiguredPage[] {
  const kinds = ['politicians', 'parties', 'promises', 'positions', 'quotes', 'content', 'speeches', 'ballots'];
  const cited = kinds
    .map((kind) => `SELECT value AS id FROM ${kind}, json_each(${kind}.source_ids)`)
    .join(' UNION ALL ');
  const rows = ask(
    `SELECT s.id, (SELECT count(*) FROM (${cited}) AS c WHERE c.id = s.id) AS n FROM sources AS s ORDER BY s.id LIMIT 400`,
  );
  return some(
    rows.filter(({ n }) => Number(n) > 0),
    20,
  ).map(({ id, n }) => ({
    address: `/sources/${path(id)}`,
    figures: [{ what: 'records', onPage: /Cited by ([\d,]+) records? of this copy/, inJson: () => n, inSql: n }],
  }));
}

/** Histories of records whose versions are in the log: as many as the table of versions has, and the one that stands. */
function historiesOf(ask: Ask): FiguredPage[] {
  const rows = ask(`SELECT slug FROM politicians ORDER BY slug`);
  return some(rows, 30).map(({ slug }) => ({
    address: `/history/politician/${path(slug)}`,
    figures: [
      {
        what: 'versions',
        onPage: /([\d,]+) versions? /,
        inJson: ({ items }) => documentsIn(items).length,
        inSql: ask(
          `SELECT ("row" IS NOT NULL) + (detail IS NOT NULL) + (SELECT count(*) FROM version WHERE record = id) AS n FROM record WHERE kind = 'politician' AND key = ${literal(slug)}`,
        )[0]!.n,
      },
    ],
  }));
}

/** Lists with filters: their totals. */
function listsOf(ask: Ask): FiguredPage[] {
  const of = (column: string, table: string, most: number) =>
    some(ask(`SELECT DISTINCT ${column} AS value FROM ${table} WHERE ${column} IS NOT NULL ORDER BY 1`), most).map(
      ({ value }) => value,
    );
  const lists = [
    totalOf(ask, '/politicians', 'politicians'),
    totalOf(ask, '/politicians?in_office=true', 'politicians WHERE "current_role" IS NOT NULL'),
    totalOf(ask, '/votes', 'ballots'),
    totalOf(ask, '/audit', 'audit'),
    ...['source', 'quote', 'speech'].map((kind) =>
      totalOf(ask, `/records/${kind}`, kind === 'speech' ? 'speeches' : `${kind}s`),
    ),
    ...['content', 'promise', 'position'].map((kind) =>
      totalOf(ask, `/feed?types=${kind}`, kind === 'content' ? kind : `${kind}s`),
    ),
    ...of('department', 'politicians', 12).map((value) =>
      totalOf(ask, `/politicians?${query({ department: value })}`, `politicians WHERE department = ${literal(value)}`),
    ),
    ...of('politician', 'quotes', 12).map((value) =>
      totalOf(ask, `/records/quote?${query({ politician: value })}`, `quotes WHERE politician = ${literal(value)}`),
    ),
    ...of('politician', 'promises', 8).map((value) =>
      totalOf(
        ask,
        `/feed?${query({ politician: value, types: 'promise' })}`,
        `promises WHERE politician = ${literal(value)}`,
      ),
    ),
    ...of('result', 'ballots', 4).map((value) =>
      totalOf(ask, `/votes?${query({ result: value })}`, `ballots WHERE result = ${literal(value)}`),
    ),
    ...of('substr(date, 1, 7)', 'ballots', 8).map((value) =>
      totalOf(
        ask,
        `/votes?${query({ since: value, until: value })}`,
        `ballots WHERE substr(date, 1, 7) = ${literal(value)}`,
      ),
    ),
    ...of('entity_type', 'audit', 6).map((value) =>
      totalOf(ask, `/audit?${query({ entity_type: value })}`, `audit WHERE entity_type = ${literal(value)}`),
    ),
  ];
  const ofChambers = ['AN', 'Senat'].flatMap((chamber) => [
    totalOf(ask, `/politicians?chamber=${chamber}`, `politicians WHERE chamber = '${chamber}'`),
    totalOf(ask, `/votes?chamber=${chamber}`, `ballots WHERE chamber = '${chamber}'`),
  ]);
  return [...lists, ...ofChambers];
}

/** Addresses of pages of every kind, with and without filters, and their figures by SQL over documented views. */
export const figureSample = (ask: Ask): FiguredPage[] =>
  [votesOf, peopleOf, partiesOf, topicsOf, sourcesOf, historiesOf, listsOf].flatMap((of) => of(ask));

/** Where page, data and SQL differ: a line for each figure. */
export async function figuresApart(
  sample: FiguredPage[],
  read: (address: string) => Promise<string>,
): Promise<string[]> {
  const apart: string[] = [];
  for (const { address, figures } of sample) {
    const [pagePath, filters = ''] = address.split('?');
    const page = await read(`${address}${filters ? '&' : '?'}lang=en`);
    const text = page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    const answer: unknown = JSON.parse(await read(`${pagePath}.json${filters && `?${filters}`}`));
    const data = (isDocument(answer as Document) ? answer : {}) as Document;
    for (const { what, onPage, inJson, inSql } of figures) {
      const match = onPage.exec(onPage.source.includes('<') ? page : text);
      const readings = [match ? match[1]!.replaceAll(',', '') : 'nothing', String(inJson(data)), String(inSql)];
      if (new Set(readings).size > 1)
        apart.push(`${address} ${what}: page ${readings[0]}, JSON ${readings[1]}, SQL ${readings[2]}`);
    }
  }
  return apart;
}
