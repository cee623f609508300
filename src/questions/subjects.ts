import { shellLine } from '../format/sanitise.ts';
import { column, nonNull } from '../model/columns.ts';
import { type Document, slugOf } from '../model/document.ts';
import { keyOf, titleOf } from '../model/facets.ts';
import { type KindName, kindOf } from '../model/kinds.ts';
import { legislativeTextName } from '../parliament/ballot-text.ts';
import { amendmentAuthor } from '../parliament/filed-amendments.ts';
import { createFirstFillTest } from '../store/history/past.ts';
import { createNameLookup } from '../store/records/record-context.ts';
import { createRuleLookup } from '../store/records/subject-records.ts';
import { readAllSubjects, readSubjects } from '../store/subjects.ts';
import { lastFillStart } from '../store/syncs/runs.ts';
import { ballots } from './ballots.ts';
import { brief, describeRecord } from './brief.ts';
import { changes } from './changes.ts';
import { commandFeed } from './feed.ts';
import { withParameterFault } from './names.ts';
import { parseUserInput } from './parameter.ts';
import { itemLimit, pathParameter, truth } from './parameter-kinds.ts';
import { completePage, type ListQuestion, listQuestion } from './question.ts';
import { records } from './record.ts';
import { maxRows } from './sql.ts';

const { text, integer, json } = column;

/** Subjects (named sets of rules that select records): the user's own, with `built_in` also the built-in ones. */
export const subjects = listQuestion('subjects', {
  parameters: { built_in: truth('also the built-in subjects, after your own') },
  fields: [text('name', 'Name of the subject.', nonNull), json('rules', 'Rules, any of which a record is there by.')],
  toRow: ({ name = '', rules }) => ({ name, rules: [rules].flat().join('; ') }),
  read: ({ path }, { built_in: hasBuiltIn }) => completePage(hasBuiltIn ? readAllSubjects(path) : readSubjects(path)),
});

const statementKinds = ['content', 'promise', 'position', 'quote', 'speech'];

const sections = ['votes', 'texts', 'amendments', 'filed amendments', 'statements', 'changes'] as const;
type Section = (typeof sections)[number];

/** Returns the command that lists a group's records, and its words after `--subject NAME`. */
type ListCommand = (key: string) => [command: string, ...words: string[]];
type Groups = Iterable<[key: string | null, items: Document[]]>; // records latest first; a null key is omitted

/** The page of a subject: its latest ballots, their texts, amendments by author, statements and changes. */
export const subjectPage = listQuestion('subject', {
  parameters: {
    name: pathParameter('name of the subject', { example: 'veille' }),
    why: truth('the rule that puts each record into the subject'),
    limit: itemLimit(100, 'maximum number of rows of each section', { defaultLimit: 5 }),
  },
  kindsRead: () => ['ballot'],
  fields: [
    text(
      'section',
      'Section; of texts and amendments, a row states the latest ballot, of filed amendments the latest by that author.',
      { ...nonNull, words: sections },
    ),
    ...brief.fields!.filter(({ name }) => /^(summary|summary_fr|show|kind|key|title|date|url)$/.test(name)),
    integer('section_total', 'Number of rows of the section with those beyond `limit`; null if it is not counted.'),
    text('why', 'With `why`: the rule that puts the record into the subject; null if only its former content did.'),
  ],
  columnsFor: ({ why }) => ['section', 'date', 'summary', ...(why ? ['why'] : []), 'show'],
  read(mirror, { name, limit, why }, options) {
    const subjectRuleOf = withParameterFault(null, () => createRuleLookup(mirror, [name]));
    /** Reads a list of the subject; `parsedValues` override the values parsed from `texts`. */
    const readItems = (question: ListQuestion, parsedValues: object, texts: object = {}) => {
      const values = { ...parseUserInput(question.parameters, { subject: name, ...texts }), ...parsedValues };
      const { items, total } = question.read(mirror, values, options);
      return { items: Array.from(items, (each): Document => JSON.parse(each)), total };
    };
    /** Returns the row of a record: its description for people, and with `why` the rule that includes it. */
    const rowOf = (section: Section, item: Document, kindName: unknown = 'ballot') => {
      const kind = kindOf(kindName as KindName);
      const key = section === 'changes' ? String(item.key) : keyOf(kind, item);
      const { title = titleOf(kind, item), date = null } = item;
      const record = { section, kind: kind.name, key, title, date };
      const rule = why ? { why: subjectRuleOf(kind.name, key) ?? null } : {};
      return { ...record, ...describeRecord(mirror, { ...item, ...record }), ...rule };
    };
    /** Returns rows of the first `limit` items, each with the section's `total`. */
    const firstRows = <Item>(items: readonly Item[], total: number | null, createRow: (item: Item) => object) =>
      items.slice(0, limit).map((each) => ({ ...createRow(each), section_total: total }));
    const { items: votes } = readItems(ballots, { limit: maxRows });
    const contents = readItems(records, { limit: maxRows }, { kind: 'content', q: 'amendement' }).items;
    const filedAmendments = contents.filter(({ kind }) => kind === 'amendement'); // the service's type of content
    const nameOf = createNameLookup(mirror);
    const authorOf = ({ title }: Document) => amendmentAuthor(String(title));
    const amendmentCommand: ListCommand = (author) => ['ballots', '--nature', 'amendment', '-q', author];
    const filedCommand: ListCommand = (slug) => ['records content', '--politician', slug, '-q', 'amendement'];
    const filedByAuthor = Map.groupBy(filedAmendments, ({ politician }) => slugOf(politician));
    const authorGroups = [...filedByAuthor].sort(([, one], [, other]) => other.length - one.length);
    /** Returns a row for each group: its latest record, its title, its number of records and the command for all. */
    const groupRows = (section: Section, groups: Groups, listCommand: ListCommand) => {
      const isFiled = section === 'filed amendments'; // the key is the author's slug; elsewhere it is the title
      const keyedGroups = Array.from(groups).flatMap(([key, items]) => (key === null ? [] : [{ key, items }]));
      return firstRows(keyedGroups, keyedGroups.length, ({ key, items }) => {
        const title = isFiled ? (nameOf('politician', key) ?? key) : key;
        const kind = isFiled ? 'content' : 'ballot';
        const [command, ...words] = listCommand(key);
        const show = shellLine(['hemicycle', ...command.split(' '), '--subject', name, ...words]);
        const summary = `${title} (${items.length})`;
        return { ...rowOf(section, items[0]!, kind), title, summary, summary_fr: summary, show, url: null };
      });
    };
    const statements = readItems(commandFeed, { types: statementKinds, limit });
    const isOfFirstFill = createFirstFillTest(mirror);
    const allChanges = lastFillStart(mirror) === null ? [] : readItems(changes, { limit: maxRows }).items;
    const laterChanges = allChanges.filter((each) => !isOfFirstFill(each));
    return completePage([
      ...firstRows(votes, votes.length, (each) => rowOf('votes', each)),
      ...groupRows('texts', Map.groupBy(votes, legislativeTextName), (text) => ['ballots', '--text', text]),
      ...groupRows('amendments', Map.groupBy(votes, authorOf), amendmentCommand),
      ...groupRows('filed amendments', authorGroups, filedCommand),
      ...firstRows(statements.items, statements.total, ({ type, ...each }) => rowOf('statements', each, type)),
      ...firstRows(laterChanges, laterChanges.length, (each) => rowOf('changes', each, each.kind)),
    ]);
  },
});
