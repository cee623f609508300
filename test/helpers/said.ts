/** Where a template of ours begins: prose in other templates ends with "say`", too. */
const tagged = /(?<=(?:^|[.([{,=?:>|&!+]|\breturn)\s*)say`/g;

/**
 * The English of every template tagged `say` in a source, with `{}` for each value, as the tables of French know it:
 * `` say`shown ${n} of ${m}` `` is `shown {} of {}`. Templates inside of templates are found, too.
 */
export function saidIn(source: string): string[] {
  const found: string[] = [];
  for (const { index } of source.matchAll(tagged)) {
    const key = templateAt(source, index + 'say`'.length);
    if (key !== null && !isComment(source, index)) found.push(key);
  }
  return found;
}

function isComment(source: string, at: number): boolean {
  return /^\s*(\/?\*|\/\/)/.test(source.slice(source.lastIndexOf('\n', at) + 1, at));
}

/** The template that opens before `at`, its values as `{}`; null where it does not end. */
function templateAt(source: string, at: number): string | null {
  let key = '';
  for (let place = at; place < source.length; place++) {
    const sign = source[place]!;
    if (sign === '`') return key;
    if (sign === '\\') {
      const next = source[++place]!;
      key += { n: '\n', t: '\t' }[next] ?? next;
    } else if (sign === '$' && source[place + 1] === '{') {
      key += '{}';
      place = afterValue(source, place + 2) - 1;
    } else key += sign;
  }
  return null;
}

/** The place behind the brace that ends a value; strings and templates in it may hold braces of their own. */
function afterValue(source: string, from: number): number {
  let depth = 1;
  let place = from;
  while (depth > 0 && place < source.length) {
    const sign = source[place++]!;
    if (sign === '{') depth++;
    else if (sign === '}') depth--;
    else if (sign === "'" || sign === '"') place = source.indexOf(sign, place) + 1;
    else if (sign === '`') place = afterTemplate(source, place);
  }
  return place;
}

function afterTemplate(source: string, from: number): number {
  let place = from;
  while (source[place] !== '`' && place < source.length) {
    if (source[place] === '\\') place += 2;
    else if (source.startsWith('${', place)) place = afterValue(source, place + 2);
    else place++;
  }
  return place + 1;
}
