import { fold } from '../../../language/fold.ts';
import { topicText } from '../../../language/topic-text.ts';
import { type Document, slugOf, textOf } from '../../../model/document.ts';
import { type KindName, kindOf } from '../../../model/kinds.ts';
import { type NamedKind, namedKinds } from '../../../names/database.ts';
import { searchNames } from '../../../names/search.ts';
import { choice, words } from '../../../questions/parameter-kinds.ts';
import { parties } from '../../../questions/parties.ts';
import { politicians } from '../../../questions/politicians.ts';
import { search } from '../../../questions/search.ts';
import { readRecord } from '../../../store/record.ts';
import { votedTexts } from '../../../store/records/ballot-texts.ts';
import { placeName, seatsByDepartment } from '../../../store/records/politicians.ts';
import { topicNames } from '../../../store/records/topics.ts';
import { say } from '../../../words/speech.ts';
import { choicesOf, filterForm, type SuggestedKind } from '../filter-form.ts';
import { html } from '../html.ts';
import type { PageContext } from '../page-context.ts';
import { shorten, topicHref } from '../parts.ts';
import { plainView } from '../view.ts';
import { seatPath } from './departments.ts';
import { whatItIs } from './parties.ts';

/** What a reader may mean: its name, what tells it from others of that name, its page, and what a filter takes. */
type Suggestion = { name: string; about: string; href: string; value?: string };

const mostSuggested = 8;

/** Names before what else begins so. */
const mostNames = 6;

const textKinds = choicesOf(search.parameters.type).filter((name) => !namedKinds.includes(name as NamedKind));

/** What a text typed so far may mean, names before texts; a script reads it as JSON. */
export const suggestPage = plainView({
  name: 'suggest',
  path: '/suggest',
  title: say`What these words may mean`,
  section: 'search',
  parameters: {
    q: words('what was typed so far'),
    kind: choice([...namedKinds, 'department'], 'only names of this kind', { fallback: undefined }),
  },
  reads: () => ['politician', 'party'],
  forms: {
    json: {
      mediaType: 'application/json; charset=utf-8',
      make(page) {
        const items = suggestionsFor(page).map((each) => ({ ...each, href: page.basePath + each.href }));
        const count = page.speech.number(items.length);
        const told = page.speech.plural(items.length, say`${count} suggestion`, say`${count} suggestions`);
        return JSON.stringify({ items, told });
      },
    },
  },
  values: suggestionsFor,
  template(page, found) {
    const list = found.map(
      ({ name, about, href }) =>
        html`<li><a href="${href}">${name}</a> <span class="meta">${about}</span></li>\n`,
    );
    const form = filterForm(page, [{ name: 'q', label: say`Words`, type: 'search', completes: 'all' }]);
    return { body: html`${form}<ul class="plain">${list}</ul>` };
  },
});

function suggestionsFor(page: PageContext): Suggestion[] {
  const q = typeof page.values.q === 'string' ? page.values.q.trim() : '';
  const kind = page.values.kind as SuggestedKind | undefined;
  if (fold(q).length < 2) return [];
  if (kind === 'department') return placesFor(page, q).slice(0, mostSuggested);
  const names = namesFor(page, q, kind ? [kind] : namedKinds);
  if (kind) return names;
  const places = placesFor(page, q);
  const isExact = ({ name }: Suggestion) => fold(name) === fold(q);
  const first = [...places.filter(isExact), ...names.slice(0, mostNames), ...places];
  const named = [...first, ...topicsFor(page, q), ...lawsFor(page, q), ...names];
  const different = [...new Map(named.map((each) => [each.href, each])).values()];
  return [...different, ...textsFor(page, q, mostSuggested - different.length)].slice(0, mostSuggested);
}

/** Politicians and parties: those that the text names, those whose names begin so, else near misses. */
function namesFor(page: PageContext, q: string, kinds: readonly NamedKind[]): Suggestion[] {
  const { mirror } = page;
  const named = (areGuessed: boolean): [NamedKind, Document][] =>
    searchNames(mirror, q, { kinds, limit: mostSuggested, areGuessed }).names.map(({ kind, key }) => [
      kind,
      readRecord(mirror, kindOf(kind), key)!,
    ]);
  const begun = (kind: NamedKind, found: Document[], signs: (document: Document) => boolean[]) => {
    const rankOf = (each: Document) =>
      signs(each)
        .map((sign) => (sign ? '0' : '1'))
        .join('');
    const ranked = found.toSorted((one, other) => rankOf(one).localeCompare(rankOf(other)));
    return kinds.includes(kind) ? ranked.map((each): [NamedKind, Document] => [kind, each]) : [];
  };
  const asked = fold(q);
  const people = begun('politician', page.list(politicians, { q, limit: 100 }).items, (person) => [
    fold(textOf(person, 'last_name') ?? '').startsWith(asked),
    textOf(person, 'current_role') !== null,
  ]);
  const groups = begun('party', partiesWith(page, q), (party) => [textOf(party, 'end_date') === null]);
  const found = [...named(false), ...people.slice(0, 5), ...groups.slice(0, 3), ...people, ...groups];
  const all = found.length > 0 ? found : named(true);
  const different = [...new Map(all.map((each) => [`${each[0]} ${each[1].slug}`, each])).values()];
  const nameIn = ([, document]: [NamedKind, Document]) => textOf(document, 'full_name', 'name') ?? '';
  return different.slice(0, mostSuggested).map((each) => {
    const [kind, document] = each;
    const slug = textOf(document, 'slug') ?? '';
    const name = nameIn(each) || slug;
    const isShared = different.some((other) => other !== each && fold(nameIn(other)) === fold(name));
    const about = kind === 'party' ? partyText(page, document) : personText(page, document);
    // Parties share names with groups, and people with others.
    const value = kind === 'party' || isShared ? slug : name;
    return { name, about, href: page.recordHref(kind, slug), value };
  });
}

/** Parties and groups with a word that begins so, in their name or short name. */
function partiesWith(page: PageContext, q: string): Document[] {
  const known = page.once('parties by label', () =>
    page.list(parties, {}).items.map((document) => ({
      document,
      label: beginnings(`${textOf(document, 'name')} ${textOf(document, 'short_name') ?? ''}`),
    })),
  );
  return known.filter(({ label }) => label.includes(beginnings(q))).map(({ document }) => document);
}

/** A text in which every beginning of words is found. */
const beginnings = (text: string) =>
  ` ${fold(text)
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()}`;

const holdsAll = (text: string, q: string) =>
  beginnings(q)
    .trim()
    .split(' ')
    .every((word) => beginnings(text).includes(` ${word}`));

const joined = (parts: unknown[]) =>
  parts.filter((each) => typeof each === 'string' && each !== '').join(' · ');

/** Role, group, department where no role states one, and years of a politician. */
function personText({ nameOf }: PageContext, document: Document): string {
  const group = slugOf(document.group ?? null) ?? slugOf(document.party ?? null);
  const role = textOf(document, 'current_role');
  const place = textOf(document, 'department');
  const years = yearsOf(document, 'birth_date', 'death_date');
  return joined([
    role,
    group && (nameOf('party', group) ?? group),
    !role?.includes(place ?? '') && place,
    years,
  ]);
}

function partyText(page: PageContext, document: Document): string {
  const years = yearsOf(document, 'start_date', 'end_date');
  return joined([textOf(document, 'short_name'), ...whatItIs(page, document), years]);
}

function yearsOf(document: Document, from: string, to: string): string {
  const [first, last] = [from, to].map((field) => textOf(document, field)?.slice(0, 4) ?? '');
  return first || last ? `${first}–${last}` : '';
}

/** Departments by their name, their code, or the beginning of most of their postcodes. */
function placesFor(page: PageContext, q: string): Suggestion[] {
  const { speech, href } = page;
  const [code = null] = /^(?=\d{5}$)(9[78]\d|\d\d)/.exec(q) ?? [];
  const asked = placeName(code ?? q);
  return page
    .once('seats by department', seatsByDepartment)
    .filter(({ department }) => {
      const name = placeName(department);
      return name === asked || (asked.length > 2 && name.startsWith(asked));
    })
    .map(({ department }) => ({
      name: department,
      about:
        code === null
          ? speech.say`department`
          : speech.say`department of most postcodes that begin with ${code}`,
      href: href(seatPath(department)),
      value: department,
    }));
}

function topicsFor(page: PageContext, q: string): Suggestion[] {
  return page
    .once('topics', topicNames)
    .map((topic) => ({ topic, name: topicText(topic) }))
    .filter(({ name }) => beginnings(name).includes(beginnings(q)))
    .map(({ topic, name }) => ({
      name,
      about: page.speech.word('topic'),
      href: topicHref(page, topic),
    }));
}

/** Texts that were voted on, those with most ballots first. */
function lawsFor({ once, speech, href }: PageContext, q: string): Suggestion[] {
  const texts = [...once('voted texts', votedTexts).values()];
  const found = q.length < 3 ? [] : texts.filter(({ names }) => holdsAll(names[0]!, q));
  return found.slice(0, 3).map(({ names: [name = ''], ballots }) => ({
    name: shorten(name, 140),
    about: speech.say`text with ${speech.count(ballots, 'ballot')}`,
    href: href(`/texts/${encodeURIComponent(name)}`),
  }));
}

/** Records whose titles hold all words, one of each title. */
function textsFor(page: PageContext, q: string, limit: number): Suggestion[] {
  const { speech, reading, nameOf } = page;
  if (limit <= 0 || reading.asOf !== null || q.length < 3) return [];
  const asked = /[\p{L}\p{N}]{3}$/u.test(q) ? `${q}*` : q;
  const { items } = page.list(search, { q: asked, type: textKinds, limit: 50 });
  const titled = items.filter((hit) => holdsAll(textOf(hit, 'title') ?? '', q));
  const byTitle = Map.groupBy(titled, (hit) => textOf(hit, 'title') ?? '');
  return [...byTitle].slice(0, limit).map(([title, [hit = {}, ...others]]) => {
    const kind = hit.type as KindName;
    const person = others.length === 0 ? slugOf(hit.politician ?? null) : null;
    const date = others.length === 0 ? textOf(hit, 'date') : null;
    const about = joined([
      speech.word(kind),
      date && speech.day(date.slice(0, 10)),
      person && nameOf('politician', person),
    ]);
    const href =
      others.length === 0
        ? page.recordHref(kind, textOf(hit, 'id', 'slug') ?? '')
        : page.href('/search', { q: `"${title}"` });
    return { name: shorten(title, 140), about, href };
  });
}
