import { hash } from 'node:crypto';
import { quotedName } from '../../store/schema.ts';
import { commentSql } from '../ddl.ts';
import questionViews from '../question-views.json' with { type: 'json' };
import type { WarehouseTable } from '../warehouse.ts';
import type { Relation } from './catalogue.ts';
import { nameIn, ownCommentSuffix, type TargetSchema } from './structure.ts';

/** Creates or updates the views of `question-views.json`; returns their names, none if any cannot be created. */
export async function ensureQuestionViews(
  { relations, ...target }: TargetSchema & { relations: ReadonlyMap<string, Relation> },
  tables: WarehouseTable[],
): Promise<string[]> {
  const hasTables = ['ballots', 'votes'].every((each) => tables.some(({ name }) => name === each));
  const isForeign = ({ name }: { name: string }) =>
    relations.has(name) && !relations.get(name)!.comment?.endsWith(ownCommentSuffix);
  const views = hasTables && !questionViews.some(isForeign) ? questionViews : [];
  for (const { sql, description, ...view } of views) {
    const select = sql.join('\n');
    // The hash changes with the statement, so a view with an equal comment is up to date.
    const comment = `${description} (${hash('md5', select).slice(0, 8)})\n${ownCommentSuffix}`;
    if (relations.get(view.name)?.comment === comment) continue;
    const creation = `CREATE OR REPLACE VIEW ${nameIn(target, view.name)} AS ${select}`;
    const comments = commentSql({ ...view, comment }, { schema: target.schema, kind: 'VIEW' });
    const setSearchPath = `SET LOCAL search_path = ${quotedName(target.schema)}`;
    await target.client.query([setSearchPath, creation, ...comments, 'SET LOCAL search_path = DEFAULT'].join(';\n'));
  }
  return views.map(({ name }) => name);
}
