import { positionLines } from '../../../format/change-text.ts';
import { relatedTerms } from '../../../language/subjects.ts';
import { topicText } from '../../../language/topic-text.ts';
import { type Ballot, ballotKey, readBallot } from '../../../model/ballot.ts';
import { type Document, textOf } from '../../../model/document.ts';
import { kindOf } from '../../../model/kinds.ts';
import { ballots } from '../../../questions/ballots.ts';
import { changes } from '../../../questions/changes.ts';
import { subjectPage, subjects } from '../../../questions/subjects.ts';
import { readRecord } from '../../../store/record.ts';
import { createRuleLookup } from '../../../store/records/subject-records.ts';
import { findSubject, readAllSubjects, readSubjects, ruleValues } from '../../../store/subjects.ts';
import { type Speech, say } from '../../../words/speech.ts';
import { changeFeed, epochStart } from '../alternate-forms.ts';
import { capitalise, inFrench, line, none, onward, section } from '../elements.ts';
import { type Content, html } from '../html.ts';
import { subjectPath } from '../parts.ts';
import { listView } from '../view.ts';
import { ballotList } from './ballots.ts';

/** The rules of a subject; words stand alone, other rules after their kind. */
const rulesText = (rules: readonly string[]) => rules.map((rule) => rule.replace(/^word: /, '')).join(', ');

/** The operator's subjects, and the built-in ones, each with the words that put records there. */
export const subjectsPage = listView(subjects, {
  name: 'subjects',
  path: '/subjects',
  title: say`Subjects`,
  section: 'topics',
  parameters: {},
  questionValues: () => ({ built_in: true }),
  siteEndings: ['json', 'csv'],
  values: ({ mirror }, { items: all }) => ({ all, ownCount: readSubjects(mirror.path).length }),
  template({ speech, href }, { all, ownCount }) {
    const lead = html`${speech.say`Each subject has the votes, texts and statements with one of its words. The service states no subjects.`} <a class="next" href="${href('/topics')}">${speech.say`Topics of the service`}</a>`;
    const listed = (subjectRows: readonly Document[]) =>
      subjectRows.length > 0 &&
      html`<ul class="topics">${subjectRows.map(({ name, rules }) => html`<li><a href="${href(subjectPath(String(name)))}" lang="fr">${capitalise(topicText(String(name)))}</a><span class="meta" lang="fr">${rulesText([rules].flat().map(String))}</span></li>\n`)}</ul>`;
    const own = section(speech.say`Subjects of this site`, listed(all.slice(0, ownCount)));
    return { lead, body: html`${own}${listed(all.slice(ownCount))}` };
  },
});

const maxListed = 5;

/** One subject: its votes on whole texts with the positions of groups, other votes, texts and statements. */
export const subjectView = listView(subjectPage, {
  name: 'subject',
  path: '/subjects/{name}',
  section: 'topics',
  example: { name: 'retraites' },
  isLong: true,
  feed: {
    ...changeFeed,
    question: changes,
    title: ({ speech, values }) => speech.say`Subject: ${topicText(String(values.name))}`,
    values: ({ values }) => ({ since: epochStart, subject: [values.name] }),
  },
  siteEndings: [],
  siteValues: ({ path }) => readAllSubjects(path).map(({ name }) => ({ name })),
  parameters: { name: subjectPage.parameters.name, limit: subjectPage.parameters.limit },
  questionValues: (values) => ({ ...values, why: true }),
  values(page, answer) {
    const { mirror, speech, values, list } = page;
    const { name, rules } = findSubject(mirror, String(values.name));
    const ruleOf = createRuleLookup(mirror, [name]);
    const votesOf = (chosen: object) =>
      list(ballots, { subject: [name], limit: maxListed, ...chosen }).items.map((each): Document => {
        const key = ballotKey(each as Ballot);
        const ballot = readBallot(readRecord(mirror, kindOf('ballot'), key) ?? {});
        return { ...each, group_lines: [...positionLines(ballot, speech), reasonText(speech, ruleOf('ballot', key))] };
      });
    return { answer, name, rules, votes: votesOf({ nature: 'whole' }), latest: votesOf({}) };
  },
  template(page, { answer, name, rules, votes, latest }) {
    const { speech, href, isStatic } = page;
    const title = capitalise(topicText(name));
    const summary = speech.language === 'fr' ? 'summary_fr' : 'summary';
    const rowsOf = (part: string, hrefOf: (row: Document) => string) => {
      const rows = answer.items.filter((row) => row.section === part);
      const list = rows.map(
        (row) =>
          html`<li><a href="${hrefOf(row)}">${row[summary] as string}</a><p class="meta">${reasonText(speech, textOf(row, 'why'))}</p></li>\n`,
      );
      return rows.length > 0 && html`<ul class="brief">${list}</ul>`;
    };
    const part = (heading: string, list: Content, address: string | null, more: string) =>
      section(heading, list && html`${list}${!isStatic && address && onward(address, more)}`);
    const allVotes = (nature: string | null) => href('/votes', { subject: name, nature });
    const wholeVotes = part(
      speech.say`Last votes on a whole text`,
      ballotList(page, votes),
      allVotes('whole'),
      speech.say`All votes on a whole text`,
    );
    const texts = rowsOf('texts', ({ title: text }) => href(`/texts/${encodeURIComponent(String(text))}`));
    const statements = rowsOf('statements', ({ kind, key }) => page.recordHref(String(kind), String(key)));
    const body = html`<div class="columns">
<div>${wholeVotes}${part(speech.say`Last votes`, ballotList(page, latest), allVotes(null), speech.say`All votes`)}</div>
<div>${part(speech.say`Texts`, texts, null, '')}${part(speech.say`Statements`, statements, href('/feed', { subject: name }), speech.say`All facts`)}</div>
</div>`;
    const words = relatedTerms(ruleValues({ name, rules }, 'word')).map(
      (term) => html`<a href="${href('/search', { q: term })}">${term}</a>`,
    );
    const related = words.length > 0 && html`${speech.say`Related words:`} <span lang="fr">${line(...words)}</span>`;
    return {
      ...{ title, heading: inFrench(title), body: answer.items.length > 0 ? body : none(speech.say`No results.`) },
      kicker: html`<a href="${href('/subjects')}">${speech.say`Subjects`}</a>`,
      lead: html`${speech.say`What puts a record here:`} <span lang="fr">${rulesText(rules)}</span>. ${related} ${!isStatic && html`<a class="next" href="${href('/compare', { subject: name })}">${speech.say`Compare how groups voted`}</a>`}`,
    };
  },
});

/** States the rule that puts a record into a subject; empty for a record of former content. */
const reasonText = (speech: Speech, rule: string | null | undefined) =>
  rule ? speech.say`here for: ${rulesText([rule])}` : '';
