import { ConfigurationError, orNull } from '../../../errors.ts';
import { fold } from '../../../language/fold.ts';
import { nameWords } from '../../../language/name.ts';
import { topicText } from '../../../language/topic-text.ts';
import { type Document, slugOf, textOf } from '../../../model/document.ts';
import { namedKinds } from '../../../names/database.ts';
import { placeName, postcodeDepartment } from '../../../names/department.ts';
import { optionalWords, singleChoice } from '../../../questions/parameter-kinds.ts';
import { communeRemarks, findCommunes } from '../../../questions/places.ts';
import type { Mirror } from '../../../store/mirror.ts';
import { votedTexts } from '../../../store/records/ballot-texts.ts';
import { seatsByDepartment } from '../../../store/records/politicians.ts';
import { topicNames } from '../../../store/records/topics.ts';
import { say } from '../../../words/speech.ts';
import { completeNames, createPrefixMatcher } from '../../name-completion.ts';
import { shorten } from '../elements.ts';
import { kindAndChamber, yearRange } from '../fields.ts';
import type { SuggestedKind } from '../filter-field.ts';
import { filterForm } from '../filter-form.ts';
import { type Html, html } from '../html.ts';
import type { PageContext, ViewPage } from '../page-context.ts';
import { seatPath, topicHref } from '../parts.ts';
import { createPageView } from '../view.ts';

/** A suggestion: name, text that distinguishes namesakes, page, and the value for a filter. */
type Suggestion = { name: string; about: string; href: string; value?: string };

const maxSuggestions = 8;
const maxNames = 6; // Names that precede suggested pages.

/** Page `/suggest`: suggestions for the start of a name or word; a script reads them as JSON. */
export const suggestPage = createPageView(null, {
  path: '/suggest',
  siteExtensions: null,
  title: say`Possible meanings of these words`,
  isLong: true,
  parameters: {
    q: optionalWords('what was typed so far'),
    kind: singleChoice([...namedKinds, 'department'], 'only names of this kind'),
  },
  kindsRead: () => namedKinds,
  forms: {
    json: {
      mediaType: 'application/json; charset=utf-8',
      make(page) {
        const items = suggestionsFor(page).map((each) => ({ ...each, href: page.basePath + each.href }));
        const count = page.speech.number(items.length);
        const countText = page.speech.plural(items.length, say`${count} suggestion`, say`${count} suggestions`);
        return JSON.stringify({ items, told: countText });
      },
    },
  },
  values: (page) => ({ suggestions: suggestionsFor(page) }),
  template(page, { suggestions }) {
    const form = filterForm(page, [{ name: 'q', label: say`Words`, type: 'search', completes: 'all' }]);
    return { body: html`${form}${suggestionList(suggestions)}` };
  },
});

/** Returns suggestions as a list of links; null without any. */
export function suggestionList(suggestions: readonly Suggestion[]): Html | null {
  const links = suggestions.map(
    ({ name, about, href }) =>
      html`<li><a href="${href}" lang="fr">${name}</a> <span class="meta">${about}</span></li>\n`,
  );
  return links.length === 0 ? null : html`<ul class="plain meant">${links}</ul>`;
}

/** Returns suggestions: pages of exactly that name, then `maxNames` names, other pages and further names. */
function suggestionsFor(page: PageContext): Suggestion[] {
  const q = String(page.values.q ?? '').trim();
  const kind = page.values.kind as SuggestedKind | undefined;
  if (fold(q).length < 2) return [];
  const pages = kind === undefined ? pageSuggestions(page, q) : kind === 'department' ? departmentsFor(page, q) : [];
  const kinds = namedKinds.filter((each) => kind === undefined || kind === each);
  const names = completeNames(page.mirror, q, { kinds, limit: maxSuggestions }).map((each) => suggestionOf(page, each));
  const exactPages = pages.filter(({ name }) => fold(name) === fold(q));
  const candidates = [...exactPages, ...names.slice(0, maxNames), ...pages, ...names];
  return [...new Map(candidates.map((each) => [each.href, each])).values()].slice(0, maxSuggestions);
}

/** Returns the suggestion for a politician, with role, group and years, or for a party. */
export function suggestionOf({ nameOf, recordHref, speech }: ViewPage, document: Document): Suggestion {
  const slug = textOf(document, 'slug') ?? '';
  const isPerson = 'full_name' in document;
  const group = slugOf(document.group ?? null) ?? slugOf(document.party ?? null);
  const about = isPerson
    ? [textOf(document, 'current_role', 'department'), group && (nameOf('party', group) ?? group)]
    : [textOf(document, 'short_name'), ...kindAndChamber({ speech }, document)];
  const dateFields = isPerson ? ['birth_date', 'death_date'] : ['start_date', 'end_date'];
  return {
    name: textOf(document, 'full_name', 'name') ?? slug,
    about: [...about, yearRange(document, ...dateFields)].filter(Boolean).join(' · '),
    href: recordHref(isPerson ? 'politician' : 'party', slug),
    value: slug,
  };
}

/** Departments whose name, code or usual postcode matches: most postcodes begin with the code. */
function departmentsFor({ once, speech, href }: PageContext, q: string): Suggestion[] {
  const code = postcodeDepartment(q);
  const queryName = placeName(code ?? q);
  const matchesPrefixes = createPrefixMatcher(q);
  const about = code === null ? speech.say`department` : speech.say`usual department of postcode ${q}`;
  return once('seats by department', seatsByDepartment)
    .map(({ department: name }) => ({ name, about, href: href(seatPath(name)), value: name }))
    .filter(({ name }) => placeName(name) === queryName || matchesPrefixes(name));
}

const textsWithWords = (mirror: Mirror) =>
  Array.from(votedTexts(mirror).values(), (text) => ({ ...text, words: nameWords(text.names[0]!) }));

/** Returns pages of communes, departments, topics and texts that match words. */
export function pageSuggestions(page: PageContext, q: string): Suggestion[] {
  const { once, speech, href, reading, mirror } = page;
  const communes = orNull(() => findCommunes(mirror, q, reading.places ?? null), ConfigurationError) ?? [];
  const remarks = communeRemarks(communes, reading.places ?? null).map(speech.render);
  const matchesPrefixes = createPrefixMatcher(q);
  const texts = reading.asOf === null && q.length > 2 ? once('texts with words', textsWithWords) : [];
  const matchingTexts = texts.filter(({ words }) => matchesPrefixes(words)).slice(0, 3);
  const about = speech.word('topic');
  const topics = once('topics', topicNames).map((topic) => {
    return { name: topicText(topic), about, href: topicHref(page, topic) };
  });
  return [
    ...(remarks.length > 0 ? [{ name: q, about: remarks.join(' · '), href: href('/politicians', { place: q }) }] : []),
    ...departmentsFor(page, q),
    ...topics.filter(({ name }) => matchesPrefixes(name)),
    ...matchingTexts.map(({ names: [name = ''], ballots }) => ({
      name: shorten(name, 140),
      about: speech.say`text with ${speech.count(ballots, 'ballot')}`,
      href: href(`/texts/${encodeURIComponent(name)}`),
    })),
  ];
}
