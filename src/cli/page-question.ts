import { UsageError } from '../errors.ts';
import { decodedPart, recordAt } from '../model/addresses.ts';
import { flagName } from '../questions/parameter.ts';
import type { Question } from '../questions/question.ts';
import { questions } from '../questions/table.ts';
import { views } from '../server/pages/table.ts';
import { say } from '../words/speech.ts';

/** Extensions of a page's other formats and of static pages. */
const endings = /(?:\/index)?\.(?:html|json|csv|atom|xml)$/;

const shownOnly = new Set(['limit', 'cursor', 'lang', 'as_of', 'sort']);

const paths = [...views, ...questions].flatMap((each) => {
  const question = 'render' in each ? each.question : each;
  return question === null ? [] : [{ pattern: each.path.slice(1).split('/'), question }];
});

/** The words of a watch for one of our page addresses; throws a UsageError for other addresses. */
export function questionAt(address: string): string[] {
  const url = new URL(address);
  const parts = url.pathname
    .replace(endings, '')
    .split('/')
    .filter((part) => part !== '')
    .map((part) => decodedPart(part) ?? '');
  if (parts.length === 0) return ['changes'];
  // Leading segments are the path under which pages are served.
  for (let from = 0; from < parts.length; from += 1) {
    const pageQuestion = questionOf(parts.slice(from), url.searchParams);
    if (pageQuestion) return pageQuestion;
  }
  const hint = say`type the command to watch: see \`hemicycle watch add --help\``;
  throw new UsageError(say`${address} is not the URL of a Hemicycle page or list`, hint);
}

function questionOf(parts: readonly string[], query: URLSearchParams): string[] | null {
  const list = paths.find(
    ({ pattern, question }) =>
      question.answers === 'list' &&
      pattern.length === parts.length &&
      pattern.every((part, at) => part === parts[at] || (part.startsWith('{') && at > 0)) &&
      question.name !== 'history',
  );
  if (list) {
    const places = parts.filter((_, at) => list.pattern[at]!.startsWith('{'));
    return [list.question.name, ...places, ...flagsIn(list.question, query)];
  }
  const record = recordAt(parts[0] === 'history' ? ['records', ...parts.slice(1)] : parts);
  if (!record) return null;
  const { kind, key } = record;
  return kind === 'politician' || kind === 'party' ? [kind, key] : ['show', `${kind}:${key}`];
}

function flagsIn({ parameters }: Question, query: URLSearchParams): string[] {
  return [...query].flatMap(([name, value]) => {
    const parameter = parameters[name];
    if (!parameter || shownOnly.has(name) || value === '') return [];
    if (parameter.isPlace || parameter.isRequired) return [value];
    const flag = `--${flagName(name, parameter)}`;
    if (parameter.schema.type !== 'boolean') return [flag, value];
    return value === 'true' ? [flag] : [];
  });
}
