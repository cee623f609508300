import { parseArgs } from 'node:util';
import { orNull, UsageError } from '../../errors.ts';
import { attributionOf } from '../../model/attribution.ts';
import { sql } from '../../questions/sql.ts';
import { citationOf, lastFilledAt } from '../../store/records/contents.ts';
import { documentedViews } from '../../store/statements/documented-views.ts';
import { parametersIn } from '../../store/statements/statement.ts';
import { writeAnswer } from '../../terminal/list.ts';
import { say } from '../../words/speech.ts';
import { readTextFile, timeoutFlag } from '../flag-values.ts';
import { optionalArgument, switchFlag, valueFlag } from '../oclif.ts';
import { commandAbout } from '../question-command.ts';
import { flagsOf, sqlAssignments, sqlParameterFlags } from '../question-flags.ts';
import type { ReadingCommand } from '../reading-command.ts';

export default class Sql extends commandAbout(sql) {
  static override strict = true;
  static override args = { statement: optionalArgument('one SELECT, in quotes') };
  static override flags = {
    ...flagsOf(sql),
    file: valueFlag('a file with the statement; - for stdin', 'FILE'),
    timeout: timeoutFlag,
    schema: switchFlag('the views and their columns, with what they mean'),
  };

  async run(): Promise<void> {
    // oclif must know the statement's parameters as flags before it parses, so find them in the raw words.
    const { file } = parseArgs({ args: this.argv, options: { file: { type: 'string' } }, strict: false }).values;
    const fileStatement = typeof file === 'string' ? readTextFile(file) : undefined;
    const names = [...this.argv, fileStatement ?? ''].flatMap((text) => orNull(() => parametersIn(text)) ?? []);
    const { baseFlags } = Sql;
    const parameters = sqlParameterFlags(names, { ...baseFlags, ...Sql.flags });
    const { args, flags } = await this.parse({ ...Sql, baseFlags, flags: { ...Sql.flags, ...parameters } });
    if (flags.schema) return this.printSchema(flags);
    const statement = fileStatement ?? args.statement ?? '';
    if (statement.trim() === '')
      throw new UsageError(
        say`no statement was given`,
        say`as in \`hemicycle sql "SELECT * FROM parties"\`; \`hemicycle sql --schema\` lists the views`,
      );
    const param = sqlAssignments(flags, Object.keys(parameters), flags.param);
    await this.answer(sql, this.valuesOf(sql, { ...flags, statement, param }), flags);
  }

  private async printSchema(flags: Parameters<ReadingCommand['outputOptions']>[0]): Promise<void> {
    const settings = this.settingsWith();
    const mirror = this.mirror(settings);
    const items = documentedViews(mirror).flatMap(({ name: view, description, columns }) => [
      { view, column: null, type: null, description },
      ...columns.map(({ name, type, description }) => ({ view, column: name, type, description })),
    ]);
    const filledAt = lastFilledAt(mirror);
    await writeAnswer(
      {
        items,
        columns: ['view', 'column', 'type', 'description'],
        total: items.length,
        nextCursor: null,
        origin: { from: 'mirror', as_of: filledAt },
        attribution: attributionOf(citationOf(settings, mirror), { retrievedAt: filledAt }),
      },
      this.outputOptions(flags),
      this.sinks(),
    );
  }
}
