import { UsageError } from '../errors.ts';
import { decodeSegment, findPageRecord } from '../model/kinds.ts';
import { flagName } from '../questions/parameter.ts';
import type { Question } from '../questions/question.ts';
import { questions } from '../questions/table.ts';
import { views } from '../server/pages/table.ts';
import { say } from '../words/speech.ts';

/** Extensions of a page's other formats and of static pages. */
const extensionPattern = /(?:\/index)?\.(?:html|json|csv|atom|xml)$/;

const displayParameters = new Set(['limit', 'cursor', 'lang', 'as_of', 'sort']); // do not select records

const routes = [...views, ...questions].flatMap((each) => {
  const question = 'render' in each ? each.question : each;
  return question === null ? [] : [{ pattern: each.path.slice(1).split('/'), question }];
});

/** The command line (without `hemicycle`) that lists what a page at this URL shows; throws a UsageError for others. */
export function commandLineOfPage(address: string): string[] {
  const hint = say`type the command to watch: see \`hemicycle watch add --help\``;
  const refusal = new UsageError(say`${address} is not the URL of a Hemicycle page or list`, hint);
  const url = URL.parse(address);
  if (url === null) throw refusal;
  const segments = url.pathname
    .replace(extensionPattern, '')
    .split('/')
    .filter((part) => part !== '')
    .map((part) => decodeSegment(part) ?? '');
  if (segments.length === 0) return ['changes'];
  // Leading segments are the path under which pages are served.
  for (let start = 0; start < segments.length; start += 1) {
    const commandLine = commandLineOf(segments.slice(start), url.searchParams);
    if (commandLine) return commandLine;
  }
  throw refusal;
}

/** The command line for the list or record at a path; null if there is none. */
function commandLineOf(segments: readonly string[], query: URLSearchParams): string[] | null {
  const listRoute = routes.find(
    ({ pattern, question }) =>
      question.answers === 'list' &&
      pattern.length === segments.length &&
      pattern.every((part, at) => part === segments[at] || part.startsWith('{')) &&
      question.name !== 'history', // watched as its record, see below
  );
  if (listRoute) {
    const pathValues = segments.filter((_, at) => listRoute.pattern[at]!.startsWith('{'));
    return [listRoute.question.name, ...pathValues, ...flagsIn(listRoute.question, query)];
  }
  const record = findPageRecord(segments[0] === 'history' ? ['records', ...segments.slice(1)] : segments);
  if (!record) return null;
  const { kind, key } = record;
  return kind === 'politician' || kind === 'party' ? [kind, key] : ['show', `${kind}:${key}`];
}

function flagsIn({ parameters }: Question, query: URLSearchParams): string[] {
  return [...query].flatMap(([name, value]) => {
    const parameter = parameters[name];
    if (!parameter || displayParameters.has(name) || value === '') return [];
    if (parameter.isPathPart || parameter.isRequired) return [value];
    const flag = `--${flagName(name, parameter)}`;
    if (parameter.schema.type !== 'boolean') return [flag, value];
    return value === 'true' ? [flag] : [];
  });
}
