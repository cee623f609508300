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
import { alternateForms, framedPage, pageText, viewNamed, wholePage } from '../pages/page-text.ts';
import { day, heading } from '../pages/parts.ts';
import { views } from '../pages/table.ts';
import type { View } from '../pages/view.ts';
import {
  cutLists,
  dataLists,
  endingsOf,
  feedLists,
  linkedToFiles,
  type Place,
  partOfList,
  placed,
  type SiteLinks,
} from './site-links.ts';

/** A file of a site: its path, and what it says. */
export type SiteFile = { path: string; text: string };

/** What the pages of a site are made from, and for whom. */
export type SiteParts = {
  mirror: Mirror;
  citation: Citation;
  language: Language;
  links: SiteLinks;
  /** The address of the site with a slash at its end, or null where nobody stated it. */
  site: string | null;
};

/** So many items stand in one file of a list. */
const mostItems = 100;

/** The page of every record with what stands beside it, and of what was seen of it before. */
export function* recordFiles(parts: SiteParts): Generator<SiteFile> {
  for (const kind of kinds) {
    const view = viewAt(pagePattern(kind));
    for (const key of heldKeys(parts.mirror, kind.name))
      yield* filesOf(parts, view, {
        path: recordPath(kind.name, key),
        values: recordPlaces(kind, key),
        changedAt: lastChanged(parts.mirror, kind.name, key),
      });
  }
  for (const { kind, key } of keysWithPast(parts.mirror))
    yield* filesOf(parts, viewNamed('history'), {
      path: historyPath(kind, key),
      values: { kind, key },
      changedAt: lastChanged(parts.mirror, kind, key),
    });
}

/** The view at that path, its parts in braces. */
function viewAt(path: string): View {
  return views.find((each) => each.path === path)!;
}

type AskedFile = { path: string; values: Record<string, unknown>; changedAt?: string | null };

/** A page as a file, and the files of its other forms. */
function* filesOf(parts: SiteParts, view: View, asked: AskedFile): Generator<SiteFile> {
  const { links, site } = parts;
  const file = links.fileOf(asked.path)!;
  const { values: usual } = readValues(view.parameters, {});
  const page = askedPage(parts, view, { ...asked, values: { ...usual, ...asked.values } });
  const making = makingOf(parts, page, asked.changedAt);
  const shown = view.render(making);
  yield { path: file, text: linkedToFiles(framedPage(making, view, shown), links, { file }, site) };
  const first = asked.path.split('/')[1]!;
  const there = endingsOf(first, site !== null).filter((each) => !shown.missingForms?.includes(each));
  const beside = [
    ...there,
    ...(dataLists.includes(first) && first === asked.path.slice(1) ? ['json', 'csv'] : []),
  ];
  for (const form of beside) {
    if (!(form in alternateForms(view))) continue;
    const text =
      form === 'json'
        ? pageText({ mirror: parts.mirror, now: parts.mirror }, { ...page, form })
        : alternateForms(view)[form]!.make(withoutMore({ ...making, form }), view);
    yield { path: file.replace(/html$/, form), text: site === null ? text : placed(text, links, site) };
  }
}

/** A making whose lists say nothing of what follows: a file is whole. */
function withoutMore(making: PageContext): PageContext {
  return { ...making, list: (question, values) => ({ ...making.list(question, values), nextCursor: null }) };
}

function askedPage(
  { citation, language, links, site }: SiteParts,
  { name }: View,
  { path, values }: Pick<AskedFile, 'path' | 'values'>,
  given: RequestedPage['given'] = {},
): RequestedPage {
  return {
    page: name,
    form: null,
    values,
    path,
    given,
    origin: site === null ? '' : links.origin,
    basePath: '',
    language,
    reading: { searchesByMeaning: false, thesaurus: null, asOf: null },
    citation,
    isStatic: true,
  };
}

/** A record is retrieved when it was last seen to change: what it says in a file does not change by its age. */
function makingOf({ mirror }: SiteParts, page: RequestedPage, changedAt?: string | null): PageContext {
  const making = createPageContext({ mirror, now: mirror }, page);
  return changedAt ? { ...making, filledAt: changedAt } : making;
}

/** The lists and the pages that are there once, the front page last, since it leads to all others. */
export function* listFiles(parts: SiteParts): Generator<SiteFile> {
  for (const name of ['parties', 'topics', 'cohesion', 'about', 'catalog', 'search'])
    yield* filesOf(parts, viewNamed(name), { path: `/${name}`, values: {} });
  for (const path of cutLists) yield* listOf(parts, path);
  yield* changeFiles(parts);
  const [front] = filesOf(parts, viewNamed('today'), { path: '/', values: {} });
  yield* wantedFiles(parts);
  for (const name of feedLists) yield* feedFiles(parts, name);
  yield front!;
}

/** Lists that pages lead to, those included that the lists themselves lead to. */
export function* wantedFiles(parts: SiteParts): Generator<SiteFile> {
  for (const address of parts.links.wanted) yield* listOf(parts, address);
}

/** A list cut into files. */
function* listOf(parts: SiteParts, address: string): Generator<SiteFile> {
  const [path = '', query = ''] = address.split('?');
  const ofKind = kinds.find(({ name }) => path === `/records/${name}`);
  const view = ofKind ? viewNamed('records') : viewAt(path);
  const stated = Object.fromEntries([...new URLSearchParams(query)].map(([name, value]) => [name, [value]]));
  const written = { ...Object.fromEntries(new URLSearchParams(query)), ...(ofKind && { kind: ofKind.name }) };
  const { values } = readValues(view.parameters, written);
  yield* cutIntoFiles(parts, view, {
    address,
    asked: (cursor) => {
      const given = cursor === null ? stated : { ...stated, cursor: [cursor] };
      return askedPage(
        parts,
        view,
        { path, values: { ...values, limit: mostItems, cursor: cursor ?? undefined } },
        given,
      );
    },
    read: null,
  });
}

type CutList = {
  address: string;
  asked(cursor: string | null): RequestedPage;
  /** What is read in the place of the answer to the question of the page. */
  read: ((cursor: string | null) => ListAnswer) | null;
};

function* cutIntoFiles(parts: SiteParts, view: View, { address, asked, read }: CutList): Generator<SiteFile> {
  const { links, site } = parts;
  const base = links.fileOf(address)!;
  let cursor: string | null = null;
  for (let number = 1; ; number += 1) {
    const making = makingOf(parts, asked(cursor));
    let following: string | null = null;
    const at = cursor;
    const list: PageContext['list'] = (question, values) => {
      const isOwn = question === view.question;
      const answer = isOwn && read ? read(at) : making.list(question, values);
      if (isOwn) following = answer.nextCursor;
      return answer;
    };
    const text = wholePage({ ...making, list }, view);
    const file = partOfList(base, number);
    const next = following as string | null;
    const place: Place = {
      file,
      first: address,
      next: next === null ? null : { cursor: next, file: partOfList(base, number + 1) },
    };
    yield { path: file, text: linkedToFiles(text, links, place, site) };
    if (next === null) return;
    cursor = next;
  }
}

function* feedFiles(parts: SiteParts, name: string): Generator<SiteFile> {
  const { links, site } = parts;
  if (site === null) return;
  const view = viewAt(`/${name}`);
  const { values } = readValues(view.parameters, {});
  const making = withoutMore(makingOf(parts, askedPage(parts, view, { path: `/${name}`, values })));
  for (const ending of ['atom', 'jsonfeed'])
    yield { path: `${name}.${ending}`, text: placed(view.forms[ending]!.make(making, view), links, site) };
}

/** Every day on which this mirror saw something change, and what; the days before stay as they are. */
function* changeFiles(parts: SiteParts): Generator<SiteFile> {
  const { mirror, links, site } = parts;
  const view = viewNamed('changes');
  const days = new Map<string, number>();
  for (const { seen_at } of listChanges(mirror, { since: '' })) {
    const of = seen_at.slice(0, 10);
    days.set(of, (days.get(of) ?? 0) + 1);
  }
  const { values } = readValues(view.parameters, {});
  for (const of of days.keys()) {
    const path = `/changes/${of}`;
    yield* cutIntoFiles(parts, view, {
      address: path,
      asked: (cursor) =>
        askedPage(
          parts,
          view,
          { path, values: { ...values, since: of } },
          cursor === null ? {} : { cursor: [cursor] },
        ),
      read: (cursor) => changesOfDay(mirror, of, cursor),
    });
  }
  const making = makingOf(parts, askedPage(parts, view, { path: '/changes', values }));
  const { speech } = making;
  const list = [...days].map(
    ([of, count]) =>
      html`<li><a href="/changes/${of}">${day(speech, of)}</a><p class="meta">${speech.count(count, 'change')}</p></li>\n`,
  );
  const title = speech.say`Changes`;
  const lead = speech.say`What this mirror saw added, edited, withdrawn or renamed; when it happened at the service is not known.`;
  const shown = { title, body: html`${heading(title, { lead })}<ul class="brief">${list}</ul>` };
  yield {
    path: 'changes.html',
    text: linkedToFiles(framedPage(making, view, shown), links, { file: 'changes.html' }, site),
  };
}

function changesOfDay(mirror: Mirror, of: string, cursor: string | null): ListAnswer {
  const before = new Date(Date.parse(of) - 1).toISOString();
  const until = new Date(Date.parse(of) + 86_399_999).toISOString();
  const filter = { since: before, until, limit: mostItems };
  const { items, nextCursor } = pageOfChanges(mirror, cursor === null ? filter : { ...filter, cursor });
  return { items: [...items].map((each): Document => JSON.parse(each)), total: null, nextCursor, extra: {} };
}
