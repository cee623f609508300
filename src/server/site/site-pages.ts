import { historyPath, pagePattern, recordPath, recordPlaces } from '../../model/addresses.ts';
import type { Citation } from '../../model/attribution.ts';
import type { Document } from '../../model/document.ts';
import { kinds } from '../../model/kinds.ts';
import { readValues } from '../../questions/parameter.ts';
import { listChanges, pageOfChanges } from '../../store/history/changes.ts';
import type { Mirror } from '../../store/mirror.ts';
import { heldKeys, keysWithPast, lastChanged } from '../../store/record.ts';
import type { Language } from '../../words/language.ts';
import { html } from '../pages/html.ts';
import {
  createPageContext,
  type ListAnswer,
  type PageContext,
  type RequestedPage,
} from '../pages/page-context.ts';
import { alternateForms, pageText, viewNamed, wholePage } from '../pages/page-text.ts';
import { day, heading } from '../pages/parts.ts';
import { views } from '../pages/table.ts';
import type { View } from '../pages/view.ts';
import {
  cutLists,
  dataLists,
  endingsOf,
  feedEndings,
  feedLists,
  linkedToFiles,
  partOfList,
  placed,
  type SiteLinks,
} from './site-links.ts';

/** A file of a site: path and content. */
export type SiteFile = { path: string; text: string };

/** What the pages of a site are made from. */
export type SiteParts = { mirror: Mirror; citation: Citation; language: Language; links: SiteLinks };

/** A page to write: its address and parameter values; `given` has them as in the query. */
type SitePage = {
  path: string;
  values?: Record<string, unknown>;
  given?: RequestedPage['given'];
  /** When the record last changed: the page states that as its retrieval, so that it stays the same. */
  changedAt?: string | null;
};

/** Items of a list in one file. */
const mostItems = 100;

/** The pages of all records and of their histories, with their other forms. */
export function* recordFiles(parts: SiteParts): Generator<SiteFile> {
  const { mirror } = parts;
  for (const kind of kinds)
    for (const key of heldKeys(mirror, kind.name))
      yield* filesOf(parts, viewAt(pagePattern(kind)), {
        path: recordPath(kind.name, key),
        values: recordPlaces(kind, key),
        changedAt: lastChanged(mirror, kind.name, key),
      });
  for (const { kind, key } of keysWithPast(mirror))
    yield* filesOf(parts, viewNamed('history'), {
      path: historyPath(kind, key),
      values: { kind, key },
      changedAt: lastChanged(mirror, kind, key),
    });
}

/** The view at that path, whose parameters are in braces. */
function viewAt(path: string): View {
  return views.find((each) => each.path === path)!;
}

/** A page as a file, and the files of its other forms. */
function* filesOf(parts: SiteParts, view: View, asked: SitePage): Generator<SiteFile> {
  const { links, mirror } = parts;
  const file = links.fileOf(asked.path)!;
  const { page, context } = contextOf(parts, view, asked);
  const shown = view.render(context);
  yield { path: file, text: linkedToFiles(wholePage(context, view, shown), links, { file }) };
  const [, first = '', ...more] = asked.path.split('/');
  const there = endingsOf(first, links.site).filter((each) => !shown.missingForms?.includes(each));
  for (const form of more.length === 0 && dataLists.includes(first) ? [...there, 'json', 'csv'] : there) {
    const made = alternateForms(view)[form];
    if (!made) continue;
    const text =
      form === 'json'
        ? pageText({ mirror, now: mirror }, { ...page, form })
        : made.make(withoutMore({ ...context, form }), view);
    yield { path: file.replace(/html$/, form), text: placed(text, links) };
  }
}

/** The context without cursors to further pages: a file has the whole list. */
function withoutMore(context: PageContext): PageContext {
  return {
    ...context,
    list: (question, values) => ({ ...context.list(question, values), nextCursor: null }),
  };
}

function contextOf(
  { mirror, citation, language, links }: SiteParts,
  view: View,
  { path, values, given = {}, changedAt }: SitePage,
): { page: RequestedPage; context: PageContext } {
  const page: RequestedPage = {
    page: view.name,
    form: null,
    values: { ...readValues(view.parameters, {}).values, ...values },
    path,
    given,
    origin: links.site === null ? '' : links.origin,
    basePath: '',
    language,
    reading: { searchesByMeaning: false, thesaurus: null, asOf: null },
    citation,
    isStatic: true,
  };
  const context = createPageContext({ mirror, now: mirror }, page);
  return { page, context: changedAt ? { ...context, filledAt: changedAt } : context };
}

/** All lists and single pages; the front page last, since it links to all others. */
export function* listFiles(parts: SiteParts): Generator<SiteFile> {
  for (const name of ['parties', 'topics', 'cohesion', 'about', 'catalog', 'search'])
    yield* filesOf(parts, viewNamed(name), { path: `/${name}` });
  for (const path of cutLists) yield* listOf(parts, path);
  yield* changeFiles(parts);
  const [front] = filesOf(parts, viewNamed('today'), { path: '/' });
  // Grows while the lists are written, which link to others.
  for (const address of parts.links.wanted) yield* listOf(parts, address);
  if (parts.links.site !== null) for (const name of feedLists) yield* feedFiles(parts, name);
  yield front!;
}

/** The files of a list with the filters of that address. */
function* listOf(parts: SiteParts, address: string): Generator<SiteFile> {
  const [path = '', query = ''] = address.split('?');
  const stated = Object.fromEntries(new URLSearchParams(query));
  const kind = kinds.find(({ name }) => path === `/records/${name}`)?.name;
  const view = kind ? viewNamed('records') : viewAt(path);
  const { values } = readValues(view.parameters, { ...stated, ...(kind && { kind }) });
  const given = Object.fromEntries(Object.entries(stated).map(([name, value]) => [name, [value]]));
  yield* splitList(parts, view, { path, address, values, given });
}

/** The files of a list: `read` replaces the answer to the question of the page. */
function* splitList(
  parts: SiteParts,
  view: View,
  { address, read, ...asked }: SitePage & { address: string; read?: (cursor: string | null) => ListAnswer },
): Generator<SiteFile> {
  const { links } = parts;
  const base = links.fileOf(address)!;
  let cursor: string | null = null;
  for (let number = 1; ; number += 1) {
    const at: string | null = cursor;
    const { context } = contextOf(parts, view, {
      ...asked,
      values: { ...asked.values, limit: mostItems, cursor: at ?? undefined },
      given: at === null ? asked.given! : { ...asked.given, cursor: [at] },
    });
    let following: string | null = null;
    const list: PageContext['list'] = (question, values) => {
      const isOwn = question === view.question;
      const answer = isOwn && read ? read(at) : context.list(question, values);
      if (isOwn) following = answer.nextCursor;
      return answer;
    };
    const text = wholePage({ ...context, list }, view);
    const [file, nextFile] = [partOfList(base, number), partOfList(base, number + 1)];
    cursor = following as string | null;
    const next = cursor === null ? null : { cursor, file: nextFile };
    yield { path: file, text: linkedToFiles(text, links, { file, first: address, next }) };
    if (next === null) return;
  }
}

function* feedFiles(parts: SiteParts, name: string): Generator<SiteFile> {
  const view = viewAt(`/${name}`);
  const { context } = contextOf(parts, view, { path: `/${name}` });
  for (const ending of feedEndings) {
    const text = view.forms[ending]!.make(withoutMore(context), view);
    yield { path: `${name}.${ending}`, text: placed(text, parts.links) };
  }
}

/** The changes of each day in its own files, which later days leave unchanged, and the list of days. */
function* changeFiles(parts: SiteParts): Generator<SiteFile> {
  const { mirror, links } = parts;
  const view = viewNamed('changes');
  const days = new Map<string, number>();
  for (const { seen_at } of listChanges(mirror, { since: '' })) {
    const date = seen_at.slice(0, 10);
    days.set(date, (days.get(date) ?? 0) + 1);
  }
  for (const date of days.keys()) {
    const path = `/changes/${date}`;
    const read = (cursor: string | null) => changesOfDay(mirror, date, cursor);
    yield* splitList(parts, view, { path, address: path, values: { since: date }, given: {}, read });
  }
  const { context } = contextOf(parts, view, { path: '/changes' });
  const { speech } = context;
  const list = [...days].map(
    ([date, count]) =>
      html`<li><a href="/changes/${date}">${day(speech, date)}</a><p class="meta">${speech.count(count, 'change')}</p></li>\n`,
  );
  const title = speech.say`Changes`;
  const lead = speech.say`What this mirror saw added, edited, withdrawn or renamed; when it happened at the service is not known.`;
  const shown = { title, body: html`${heading(title, { lead })}<ul class="brief">${list}</ul>` };
  const file = 'changes.html';
  yield { path: file, text: linkedToFiles(wholePage(context, view, shown), links, { file }) };
}

function changesOfDay(mirror: Mirror, date: string, cursor: string | null): ListAnswer {
  const since = new Date(Date.parse(date) - 1).toISOString();
  const until = new Date(Date.parse(date) + 86_399_999).toISOString();
  const filter = { since, until, limit: mostItems, ...(cursor !== null && { cursor }) };
  const { items, nextCursor } = pageOfChanges(mirror, filter);
  return { items: [...items].map((each): Document => JSON.parse(each)), total: null, nextCursor, extra: {} };
}
