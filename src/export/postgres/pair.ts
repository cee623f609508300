import type { WarehouseTable } from '../warehouse.ts';
import { grantsOn, setViewsAside } from './access.ts';
import { createHistoryView } from './history-view.ts';
import { definitionOf, type Held, heldName, nameIn, type TablePair, type TargetSchema } from './structure.ts';

type PairState = {
  /** True for those whose tables are there. */
  isThere(table: WarehouseTable): boolean;
  /** The columns that each had, as the registry says. */
  former(table: WarehouseTable): string[];
};

/**
 * Makes the two tables of a pair and the view over them, or changes them to what they are now, and returns those that are
 * new and have no key yet. Grants on the view stay, and views of others; throws a BadTargetError where these cannot.
 */
export async function ensurePair(
  target: TargetSchema & { shown: string; held: Held },
  pair: TablePair,
  { isThere, former }: PairState,
): Promise<Set<WarehouseTable>> {
  const { client, held } = target;
  const { table, history } = pair;
  const created = new Set([table, history].filter((each) => !isThere(each)));
  const view = nameIn(target, history.name);
  // An older program kept all versions in a table of that name, and hashes in both.
  const isOlder = isThere(table) && !isThere(history);
  const wasTable = isOlder && held.has(history.name);
  const [grants, aside]: [string[], { putBack(): Promise<void> }[]] = [[], []];
  const giveWay = async () => {
    grants.push(...(await grantsOn(target, history.name)));
    aside.push(await setViewsAside(target, history));
  };
  if (wasTable) {
    await giveWay();
    const versions = nameIn(target, heldName(history));
    await client.query(`CREATE TABLE ${versions} (LIKE ${view} INCLUDING ALL); DROP TABLE ${view}`);
    created.delete(history);
  }
  const definitions = [];
  for (const each of [table, history])
    definitions.push(await definitionOf(target, each, { former: former(each), isOlder }));
  if (definitions.some(({ isBreaking }) => isBreaking)) {
    if (!wasTable) await giveWay();
    await client.query(`DROP VIEW IF EXISTS ${view}`);
    aside.push(await setViewsAside(target, table));
  }
  await client.query(definitions.flatMap(({ statements }) => statements).join(';\n'));
  await createHistoryView(target, pair);
  if (grants.length > 0) await client.query(grants.join(';\n'));
  for (const { putBack } of aside.reverse()) await putBack();
  return created;
}
