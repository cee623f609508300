import { positionLines } from '../../../format/change-text.ts';
import { relatedTerms } from '../../../language/subjects.ts';
import { topicText } from '../../../language/topic-text.ts';
import { type Ballot, ballotKey, readBallot } from '../../../model/ballot.ts';
import { type Document, isDocument, textOf } from '../../../model/document.ts';
import { type KindName, kindCount, kindOf } from '../../../model/kinds.ts';
import { ballots } from '../../../questions/ballots.ts';
import { changes, epochStart } from '../../../questions/changes.ts';
import { feed } from '../../../questions/feed.ts';
import { subjectPage, subjects } from '../../../questions/subjects.ts';
import { topics } from '../../../questions/topics.ts';
import { readRecord } from '../../../store/record.ts';
import { feedTypes } from '../../../store/records/feed.ts';
import { createRuleLookup } from '../../../store/records/subject-records.ts';
import { topicNames } from '../../../store/records/topics.ts';
import { findSubject, readAllSubjects, readSubjects, ruleValues } from '../../../store/subjects.ts';
import { capitalise, type Speech, say } from '../../../words/speech.ts';
import { changeFeed, recordFeed } from '../alternate-forms.ts';
import { emptyNote, inFrench, line, onward, section } from '../elements.ts';
import { activeFilters, filterForm, kindField, partyField, politicianField, topicField } from '../filter-form.ts';
import { type Content, html } from '../html.ts';
import { coverageNote, items, listContent, subjectPath, topicHref } from '../parts.ts';
import { createPageView } from '../view.ts';
import { ballotList } from './ballots.ts';

/** Page `/feed`: records with sources, newest first. */
export const feedPage = createPageView(feed, {
  path: '/feed',
  title: say`Facts, newest first`,
  feed: recordFeed(),
  siteExtensions: ['atom'],
  values: ({ once }) => ({ topics: once('topics', topicNames) }),
  template(page, { answer, topics }) {
    const fields = [kindField('types', feedTypes), topicField(topics), politicianField, partyField];
    const [filter] = activeFilters(page, fields, 80);
    return listContent(page, answer, {
      // A static list shows its filter as text, since it has no form.
      lead: page.isStatic && filter?.valueText,
      fields,
      filters: filterForm(page, fields),
      list: items(page, answer.items, { level: 2 }),
    });
  },
});

/** Page `/topics`: the topics of the service, with their number of records. */
export const topicsPage = createPageView(topics, {
  path: '/topics',
  title: say`Topics`,
  siteExtensions: ['json', 'csv'],
  template(page, { answer }) {
    const { speech } = page;
    const { items } = answer;
    const maxRecords = Math.max(1, ...items.map(({ records }) => Number(records)));
    const list = items.map((each) => {
      const topic = textOf(each, 'topic') ?? '';
      const kinds = Object.entries(isDocument(each.kinds) ? each.kinds : {});
      const kindCounts = kinds.map(([kind, count]) => kindCount(speech, kindOf(kind as KindName), Number(count)));
      const share = Math.max(1, Math.round((Number(each.records) / maxRecords) * 100));
      return html`<li><a href="${topicHref(page, topic)}" lang="fr">${topicText(topic)}</a><svg class="meter" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="bar" width="${share}" height="4"/></svg><span class="meta">${line(...kindCounts)}</span></li>\n`;
    });
    const body =
      list.length > 0 ? html`<ul class="topics">${list}</ul>` : emptyNote(speech.say`No record has a topic.`);
    const lead = html`${speech.say`Topics as the service states them.`} <a class="next" href="${page.href('/subjects')}">${speech.say`Subjects, with their votes and texts`}</a>`;
    return { lead, body: html`${body}${coverageNote(page, answer)}` };
  },
});

/** Page of one topic: its records, newest first, and its ballots. */
export const topicPage = createPageView(feed, {
  path: '/topics/{topic}',
  parameters: { ...feed.parameters, topic: { ...feed.parameters.topic, isPathPart: true, isRequired: true } },
  feed: { ...recordFeed(), title: ({ speech, values }) => speech.say`Facts: ${topicText(String(values.topic))}` },
  values: (page) => ({
    topicBallots: page.queryParameters.cursor ? [] : page.list(ballots, { topic: page.values.topic, limit: 5 }).items,
  }),
  template(page, { answer, topicBallots }) {
    const { speech, values, href } = page;
    const topic = String(values.topic);
    const name = capitalise(topicText(topic));
    const votes = section(
      speech.say`Votes`,
      topicBallots.length > 0 &&
        html`${ballotList(page, topicBallots)}${onward(href('/votes', { topic }), speech.say`All votes`)}`,
    );
    const fields = [kindField('types', feedTypes), politicianField, partyField];
    return listContent(page, answer, {
      title: name,
      fields,
      heading: inFrench(name),
      kicker: html`<a href="${href('/topics')}">${speech.say`Topics`}</a>`,
      filters: html`${filterForm(page, fields)}${votes}`,
      list: items(page, answer.items, { level: 2 }),
    });
  },
});

/** The rules of a subject as text; the prefix `word: ` is omitted. */
const rulesText = (rules: readonly string[]) => rules.map((rule) => rule.replace(/^word: /, '')).join(', ');

/** Page `/subjects`: the operator's subjects, then built-in ones, each with its rules. */
export const subjectsPage = createPageView(subjects, {
  path: '/subjects',
  title: say`Subjects`,
  parameters: {},
  questionValues: () => ({ built_in: true }),
  siteExtensions: ['json', 'csv'],
  values: ({ mirror }) => ({ ownCount: readSubjects(mirror.path).length }),
  template({ speech, href }, { answer: { items: allSubjects }, ownCount }) {
    const lead = html`${speech.say`Each subject has the votes, texts and statements with one of its words. The service states no subjects.`} <a class="next" href="${href('/topics')}">${speech.say`Topics of the service`}</a>`;
    const subjectList = (subjectRows: readonly Document[]) =>
      subjectRows.length > 0 &&
      html`<ul class="topics">${subjectRows.map(({ name, rules }) => html`<li><a href="${href(subjectPath(String(name)))}" lang="fr">${capitalise(topicText(String(name)))}</a><span class="meta" lang="fr">${rulesText([rules].flat().map(String))}</span></li>\n`)}</ul>`;
    const ownSubjects = section(speech.say`Subjects of this site`, subjectList(allSubjects.slice(0, ownCount)));
    return { lead, body: html`${ownSubjects}${subjectList(allSubjects.slice(ownCount))}` };
  },
});

const maxListed = 5;

/** Page of a subject (question `subjectPage`): votes with group positions and matching rule, texts, statements. */
export const subjectView = createPageView(subjectPage, {
  path: '/subjects/{name}',
  isLong: true,
  feed: {
    ...changeFeed,
    question: changes,
    title: ({ speech, values }) => speech.say`Subject: ${topicText(String(values.name))}`,
    values: ({ values }) => ({ since: epochStart, subject: [values.name] }),
  },
  siteValues: ({ path }) => readAllSubjects(path).map(({ name }) => ({ name })),
  parameters: { name: subjectPage.parameters.name, limit: subjectPage.parameters.limit },
  questionValues: (values) => ({ ...values, why: true }),
  values(page) {
    const { mirror, speech, values, list } = page;
    const { name, rules } = findSubject(mirror, String(values.name));
    const ruleOf = createRuleLookup(mirror, [name]);
    const votesOf = (filters: object) =>
      list(ballots, { subject: [name], limit: maxListed, ...filters }).items.map((each): Document => {
        const key = ballotKey(each as Ballot);
        const ballot = readBallot(readRecord(mirror, kindOf('ballot'), key) ?? {});
        const reason = reasonText(speech, rules.length > 1 && ruleOf('ballot', key));
        return { ...each, group_lines: [...positionLines(ballot, speech), reason] };
      });
    const newestVotes = votesOf({ limit: 2 * maxListed });
    const otherVotes = newestVotes.filter(({ nature }) => nature !== 'whole').slice(0, maxListed);
    return { name, rules, wholeVotes: votesOf({ nature: 'whole' }), otherVotes };
  },
  template(page, { answer, name, rules, wholeVotes, otherVotes }) {
    const { speech, href, isStatic } = page;
    const title = capitalise(topicText(name));
    const summary = speech.language === 'fr' ? 'summary_fr' : 'summary';
    const partList = (part: string, hrefOf: (row: Document) => string) => {
      const rows = answer.items.filter((row) => row.section === part);
      const list = rows.map(
        (row) =>
          html`<li><a href="${hrefOf(row)}">${capitalise(String(row[summary]))}</a><p class="meta">${reasonText(speech, rules.length > 1 && textOf(row, 'why'))}</p></li>\n`,
      );
      return rows.length > 0 && html`<ul class="brief">${list}</ul>`;
    };
    const listSection = (heading: string, list: Content, address: string, more: string) =>
      section(heading, list && html`${list}${!isStatic && onward(address, more)}`);
    const allVotes = (nature: string | null) => href('/votes', { subject: name, nature });
    const texts = partList('texts', ({ title: text }) => href(`/texts/${encodeURIComponent(String(text))}`));
    const statements = partList('statements', ({ kind, key }) => page.recordHref(String(kind), String(key)));
    const body = html`<div class="columns">
<div>${listSection(speech.say`Last votes on a whole text`, ballotList(page, wholeVotes), allVotes('whole'), speech.say`All votes on a whole text`)}${listSection(speech.say`Other votes`, ballotList(page, otherVotes), allVotes(null), speech.say`All votes`)}</div>
<div>${section(speech.say`Texts`, texts)}${listSection(speech.say`Statements`, statements, href('/feed', { subject: name }), speech.say`All facts`)}</div>
</div>`;
    const words = relatedTerms(ruleValues({ name, rules }, 'word')).map(
      (term) => html`<a href="${href('/search', { q: term })}">${term}</a>`,
    );
    const related = words.length > 0 && html`${speech.say`Related words:`} <span lang="fr">${line(...words)}</span>`;
    return {
      title,
      heading: inFrench(title),
      body: answer.items.length > 0 ? body : emptyNote(speech.say`No results.`),
      kicker: html`<a href="${href('/subjects')}">${speech.say`Subjects`}</a>`,
      lead: html`${speech.say`What puts a record here:`} <span lang="fr">${rulesText(rules)}</span>. ${related} ${!isStatic && html`<a class="next" href="${href('/compare', { subject: name })}">${speech.say`Compare how groups voted`}</a>`}`,
    };
  },
});

/** Returns a note on the rule that puts a record into a subject; empty without one: callers omit a sole rule. */
const reasonText = (speech: Speech, rule: string | null | undefined | false) =>
  rule ? speech.say`here for: ${rulesText([rule])}` : '';
