import type { Asker } from './contract-answer.ts';
import type { Operation, Promises } from './contract-document.ts';
import { addressOf, countOf, type Facts, listOf, plainQuestion } from './contract-question.ts';

type Item = Record<string, unknown>;
type Page = { items: Item[]; total: number | null; next_cursor: string | null };

/** Words that any name, title or text may hold. */
const words = ['port', 'loi', 'les ports et la mer', 'a*', '"projet de loi"', 'de'];

/** Reads what questions may be about: keys from the mirror, the rest from the lists of the server. */
export async function readFacts(
  asker: Asker,
  { operations }: Promises,
  keysOf: (kind: 'politician' | 'party' | 'ballot') => string[],
): Promise<Facts> {
  const facts: Facts = {
    keys: new Map([
      ['/api/v1/politicians/{slug}', new Set(keysOf('politician'))],
      ['/api/v1/parties/{slug}', new Set(keysOf('party'))],
      ['/api/v1/votes/{scrutin_id}', new Set(keysOf('ballot'))],
      ['/api/v1/texts/{text}', new Set(['retraites des gardiens'])],
    ]),
    cursors: new Map(),
    values: {
      q: words,
      text: ['retraites des gardiens'],
      entity: ['parties'],
      as_of: ['2026-11-01', '2026-11-01T06:00:00Z', '2020-01-01'],
      since: ['2026-01-01', 'last'],
      until: ['2026-03-01'],
      group: ['ADR,PDV', 'UDC,majority'],
      voted: ['ADR:for', 'parti-du-verger:against'],
      dissent: ['0.2', '30%'],
      subject: ['veille'],
      place: ['59000'],
    },
  };
  for (const operation of operations.filter(isList)) {
    const sorts = operation.parameters.find(({ name }) => name === 'sort')?.schema.enum ?? [null];
    for (const sort of sorts) {
      const parameters = {
        ...plainQuestion(operation, facts).parameters,
        ...(sort === null ? {} : { sort: [sort] }),
      };
      const { bytes } = await asker.ask(
        addressOf({ operation, parameters: { ...parameters, [countOf(operation)!.name]: ['5'] } }),
      );
      const { items, next_cursor: cursor }: Page = JSON.parse(bytes.toString());
      facts.cursors.set(listOf({ operation, parameters }), cursor === null ? [] : [cursor]);
      for (const { name } of operation.parameters) collect(facts, name, items);
    }
  }
  return facts;
}

/** True for the operations that can be walked. */
export function isList({ parameters }: Operation): boolean {
  return parameters.some(({ name }) => name === 'cursor');
}

function collect({ values }: Facts, name: string, items: Item[]): void {
  if (name in values && !['topic', 'politician', 'party'].includes(name)) return;
  const texts = items.map((item) => item[name]).filter((value) => typeof value === 'string' && value !== '');
  values[name] = [...new Set([...(values[name] ?? []), ...(texts as string[])])];
}

/** Every item of a list, page by page, with what the first page says of their number. */
export async function walk(
  asker: Asker,
  operation: Operation,
  parameters: Record<string, string[]>,
): Promise<{ items: string[]; total: number | null; longest: number }> {
  const items: string[] = [];
  let total: number | null | undefined;
  let longest = 0;
  for (let cursor: string | null = null; ; ) {
    const at: Record<string, string[]> = cursor === null ? {} : { cursor: [encodeURIComponent(cursor)] };
    const { bytes } = await asker.ask(addressOf({ operation, parameters: { ...parameters, ...at } }));
    const page: Page = JSON.parse(bytes.toString());
    if (!page.items) throw new Error(`${addressOf({ operation, parameters: { ...parameters, ...at } })}: ${bytes}`);
    items.push(...page.items.map((item) => JSON.stringify(item)));
    if (total === undefined) total = page.total;
    longest = Math.max(longest, page.items.length);
    cursor = page.next_cursor;
    if (cursor === null) return { items, total, longest };
  }
}
