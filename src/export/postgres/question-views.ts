import { hash } from 'node:crypto';
import { quotedName } from '../../store/schema.ts';
import { commentSql } from '../ddl.ts';
import questionViews from '../question-views.json' with { type: 'json' };
import type { WarehouseTable } from '../warehouse.ts';
import type { Relation } from './catalogue.ts';
import { nameIn, ownCommentSuffix, type TargetSchema } from './structure.ts';

/** Creates missing and outdated views of questions and returns their names; none if other relations have a name. */
export async function ensureQuestionViews(
  { relations, ...target }: TargetSchema & { relations: ReadonlyMap<string, Relation> },
  tables: WarehouseTable[],
): Promise<string[]> {
  const hasTables = ['ballots', 'votes'].every((each) => tables.some(({ name }) => name === each));
  const isOursOrFree = ({ name }: { name: string }) =>
    relations.get(name)?.comment?.endsWith(ownCommentSuffix) ?? !relations.has(name);
  const views = hasTables && questionViews.every(isOursOrFree) ? questionViews : [];
  for (const { sql, description, ...view } of views) {
    const select = sql.join('\n');
    // The fingerprint changes with the statement.
    const comment = `${description} (${hash('md5', select).slice(0, 8)})\n${ownCommentSuffix}`;
    if (relations.get(view.name)?.comment === comment) continue;
    const creation = `CREATE OR REPLACE VIEW ${nameIn(target, view.name)} AS ${select}`;
    const comments = commentSql({ ...view, comment }, { schema: target.schema, kind: 'VIEW' });
    const path = `SET LOCAL search_path = ${quotedName(target.schema)}`;
    await target.client.query([path, creation, ...comments, 'SET LOCAL search_path = DEFAULT'].join(';\n'));
  }
  return views.map(({ name }) => name);
}
