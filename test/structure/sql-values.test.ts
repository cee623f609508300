import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { quotedText } from '../../src/names/database.ts';

const src = fileURLToPath(new URL('../../src', import.meta.url));

/** A template as it stands in a source: its text, with U+FFFC for each expression, and what stands before it. */
type Template = { before: string; text: string; expressions: string[] };

/** What a slash follows that begins a regular expression, not a division. */
const beforeRegExp = /(?:^|[(,=:[!&|?{};+\n]|=>|\breturn)\s*$/;

/** Every template of a source, also those inside expressions of others. Reads quotes, remarks and regular expressions past. */
function templatesIn(source: string): Template[] {
  const found: Template[] = [];
  let at = 0;
  const skipTo = (end: RegExp) => {
    end.lastIndex = at;
    at = end.exec(source) ? end.lastIndex : source.length;
  };
  const readTemplate = () => {
    const template: Template = { before: source.slice(Math.max(0, at - 30), at), text: '', expressions: [] };
    found.push(template);
    at += 1;
    while (at < source.length && source[at] !== '`') {
      if (source.startsWith('${', at)) {
        at += 2;
        const start = at;
        readCode();
        template.expressions.push(source.slice(start, at).trim());
        template.text += '\ufffc';
      } else {
        if (source[at] === '\\') at += 1;
        template.text += source[at];
      }
      at += 1;
    }
    at += 1;
  };
  /** Ends at the brace that closes what it began in. */
  const readCode = () => {
    for (let depth = 0; at < source.length; ) {
      const mark = source[at]!;
      if (mark === '}' && depth === 0) return;
      if (mark === '`') readTemplate();
      else if (mark === "'") skipTo(/'(?:[^'\\\n]|\\.)*'/gy);
      else if (mark === '"') skipTo(/"(?:[^"\\\n]|\\.)*"/gy);
      else if (source.startsWith('//', at)) skipTo(/\n|$/g);
      else if (source.startsWith('/*', at)) skipTo(/\*\//g);
      else if (mark === '/' && beforeRegExp.test(source.slice(Math.max(0, at - 40), at)))
        skipTo(/\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//gy);
      else {
        depth += Number(mark === '{') - Number(mark === '}');
        at += 1;
      }
    }
  };
  readCode();
  return found;
}

/** The expressions of a template that stand between two single quotes of its text. */
function quotedExpressions({ text, expressions }: Template): string[] {
  const parts = text.split('\ufffc');
  let quotes = 0;
  return expressions.filter((_, at) => {
    quotes += parts[at]!.split("'").length - 1;
    return quotes % 2 === 1;
  });
}

const words =
  /\b(SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|PRAGMA|FROM|WHERE|VALUES|JOIN|AND|CASE|kind|key|json_\w+|coalesce)\b|^'/;

/** True for the text of a statement or of a part of one; texts for people have a tag. */
const isSql = ({ before, text }: Template) => words.test(text) && !/\b(say|html|svg)$/.test(before);

const roomsWithSql = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => /^(store|names|export)\/.*\.ts$/.test(path))
  .map((path) => ({ path, source: readFileSync(join(src, path), 'utf8') }));

/** Where SQL texts are quoted, and why that is no value. */
const quoting: Record<string, string> = {
  'names/database.ts': '`quotedText` and its like take constants alone',
  'store/schema.ts': '`literal` replaces U+0000',
  'export/postgres/pair-shape.ts': 'patterns and table names of the program; PostgreSQL alone reads them',
  'export/postgres/registry.ts': 'comments of the program: COMMENT takes no parameters',
  'export/postgres/reshape.ts': 'statements of the program: DO takes no parameters',
};

/** Where names of columns, which a service chooses, and comments become SQL texts. */
const namesAndComments = /^(store\/schema|export\/(ddl|postgres\/(structure|pair-shape|registry|reshape)))\.ts$/;

// The test reads sources: it sees templates in the rooms that have SQL, and in them what stands between quotes. It does not see a
// statement put together with `+`, nor what an expression outside quotes holds, where SQLite takes a text for a name and refuses it.
// That a value never reaches SQL another way is tried by test/long/hostile-records.test.ts.
describe('values in SQL', () => {
  it('are bound: no statement has an expression between quotes', () => {
    const pasted = roomsWithSql
      .filter(({ path }) => !Object.hasOwn(quoting, path))
      .flatMap(({ path, source }) =>
        templatesIn(source)
          .filter(isSql)
          .flatMap((template) => quotedExpressions(template).map((each) => `${path}: \${${each}}`)),
      );
    expect(pasted, 'bind the value as a parameter, or take quotedText for a constant').to.deep.equal([]);
  });

  it('are no part of a statement as JSON or as a quoted literal', () => {
    const wrong = roomsWithSql
      .filter(({ path }) => !namesAndComments.test(path))
      .flatMap(({ path, source }) => {
        const expressions = templatesIn(source)
          .filter(isSql)
          .flatMap((each) => each.expressions);
        const pasted = expressions.filter((each) => /\b(JSON\.stringify|String)\(/.test(each));
        return [...pasted, ...(source.match(/\bliteral\([^)]*\)?/g) ?? [])].map((each) => `${path}: ${each}`);
      });
    expect(wrong).to.deep.equal([]);
  });

  it('are given to run, get, all and iterate, never to exec, which takes no parameters', () => {
    const executed = roomsWithSql.flatMap(({ path, source }) =>
      [...source.matchAll(/\b(?:database|shapes)\.exec\(\s*`((?:[^`\\]|\\.)*)`/g)].flatMap(([, text]) =>
        [...text!.matchAll(/\$\{([^}]*)\}/g)].map(([, expression]) => `${path}: ${expression!.trim()}`),
      ),
    );
    const isName =
      /: (quoted(?:Name|Text)\(.*|columns\.map\(\(each\) => quotedName\(each\.name\)\).*|[\w.]*(?:[sS]ql|quoted|name|table|definition|schema|added|version)(?:\(.*)?)$/;
    expect(executed.length).to.be.greaterThan(5);
    expect(executed.filter((each) => !isName.test(each))).to.deep.equal([]);
  });

  it('are found by this test where they would stand between quotes', () => {
    const pasted = (source: string) =>
      templatesIn(source.replaceAll('§', '$')).filter(isSql).flatMap(quotedExpressions);
    expect(pasted("exec(`SELECT 1 FROM a WHERE b = '§{c}'`)")).to.deep.equal(['c']);
    expect(pasted("rows.map((row) => `'§{row.x}'`)")).to.deep.equal(['row.x']);
    expect(pasted("all(`SELECT §{a.map((b) => `'§{b}'`)} FROM c`)")).to.deep.equal(['b']);
    expect(pasted("x = /[`'/]/; sql(`DELETE FROM a WHERE b = '%§{c}%' AND d = §{e}`)")).to.deep.equal(['c']);
    expect(pasted("sql(`SELECT ' ' || §{a} || 'b' FROM §{c}`)")).to.deep.equal([]);
    expect(pasted("say`nobody's §{a} FROM §{b}`")).to.deep.equal([]);
  });

  it('are refused by the compiler as constants', () => {
    const value: string = "it's";
    // @ts-expect-error: a text of no literal type is a value.
    expect(quotedText(value)).to.equal("'it''s'");
    // @ts-expect-error: so is one that is put together with it.
    expect(quotedText(`$.${value}` as const)).to.equal("'$.it''s'");
    expect(quotedText('AN')).to.equal("'AN'");
  });
});
