/** Where a template of ours begins: prose in other templates ends with "say`", too. */
const tagged = /(?<=(?:^|[.([{,=?:>|&!+]|\breturn)\s*)say`/g;

/**
 * The English of every template tagged `say` in a source, with `{}` for each value, as the tables of French know it:
 * `` say`shown ${n} of ${m}` `` is `shown {} of {}`. Templates inside of templates are found, too.
 */
export function messageKeysIn(source: string): string[] {
  const keys: string[] = [];
  for (const { index } of source.matchAll(tagged)) {
    const key = templateAt(source, index + 'say`'.length);
    if (key !== null && !isComment(source, index)) keys.push(key);
  }
  return keys;
}

/** Where a template begins, with its tag. */
const opening = /(?<=(?:^|[.([{,=?:>|&!+;\n]|\breturn)[ \n]*)([\w.]*)`/g;

/** Every template of a source with its tag and with `{}` for each value, those inside of others included. */
export function* templatesIn(source: string): Generator<{ tag: string; key: string }> {
  let at = 0;
  for (;;) {
    opening.lastIndex = at;
    const match = opening.exec(source);
    if (match === null) return;
    const start = match.index + match[0].length;
    at = afterTemplate(source, start);
    yield { tag: match[1]!, key: templateAt(source, start) ?? '' };
    for (let value = source.indexOf('${', start); value >= 0 && value < at; value = source.indexOf('${', value)) {
      const end = afterValue(source, value + 2);
      yield* templatesIn(source.slice(value + 2, end - 1));
      value = end;
    }
  }
}

function isComment(source: string, at: number): boolean {
  return /^\s*(\/?\*|\/\/)/.test(source.slice(source.lastIndexOf('\n', at) + 1, at));
}

/** The template that opens before `at`, its values as `{}`; null where it does not end. */
function templateAt(source: string, at: number): string | null {
  let key = '';
  for (let position = at; position < source.length; position++) {
    const sign = source[position]!;
    if (sign === '`') return key;
    if (sign === '\\') {
      const next = source[++position]!;
      key += { n: '\n', t: '\t' }[next] ?? next;
    } else if (sign === '$' && source[position + 1] === '{') {
      key += '{}';
      position = afterValue(source, position + 2) - 1;
    } else key += sign;
  }
  return null;
}

/** The place behind the brace that ends a value; strings and templates in it may hold braces of their own. */
function afterValue(source: string, from: number): number {
  let depth = 1;
  let position = from;
  while (depth > 0 && position < source.length) {
    const sign = source[position++]!;
    if (sign === '{') depth++;
    else if (sign === '}') depth--;
    else if (sign === "'" || sign === '"') position = source.indexOf(sign, position) + 1;
    else if (sign === '`') position = afterTemplate(source, position);
  }
  return position;
}

function afterTemplate(source: string, from: number): number {
  let position = from;
  while (source[position] !== '`' && position < source.length) {
    if (source[position] === '\\') position += 2;
    else if (source.startsWith('${', position)) position = afterValue(source, position + 2);
    else position++;
  }
  return position + 1;
}
