import { sanitiseLine, truncateText } from '../format/sanitise.ts';
import { blankMarkdown, paragraphPattern, partsIn, quotationsIn, sentencePattern } from '../language/passages.ts';
import { column, nonNull, present } from '../model/columns.ts';
import { type Document, documentsIn } from '../model/document.ts';
import { searchNames } from '../names/search.ts';
import { type StatedVote, statedVotesIn } from '../parliament/stated-votes.ts';
import type { Mirror } from '../store/mirror.ts';
import { quotableKinds, searchQuotation } from '../store/records/quotation-search.ts';
import { checkStatedVote } from '../store/records/stated-vote-check.ts';
import { clauses, figure, type Phrase, say } from '../words/speech.ts';
import { itemLimit, requiredWords, truth } from './parameter-kinds.ts';
import { completePage, listQuestion } from './question.ts';

const { text, number, integer, date, json } = column;

const checkedKinds = [...quotableKinds.map(({ name }) => name), 'ballot' as const];

const fields = [
  integer('line', 'Line number in the checked text, from 1.', nonNull),
  integer('start', 'Position of the passage in the checked text, in UTF-16 units from 0.', nonNull),
  integer('end', 'Position after the passage.', nonNull),
  text('quoted', 'The quotation, or the clause that states a vote, as given in the request.', nonNull),
  text(
    'result',
    'exact: same words, or all that is stated of the vote is compared and agrees. near: some differ or are not compared, ' +
      'as a vote of part of a group, the words are those of another person, or several ballots agree. ' +
      'contradicted: the ballot is identified beyond doubt, and its day, result or counts differ. not-found: no text ' +
      'in the mirror contains it, or no ballot is identified, which does not prove that it was not said or held.',
    { ...nonNull, words: ['exact', 'near', 'contradicted', 'not-found'] },
  ),
  number('agreement', "Share of the quotation's words, or of what is stated of a vote, that agrees, 0 to 1.", present),
  text(
    'type',
    'Kind of the record that contains the quotation; ballot for words of its title, and for a stated vote, even if no ballot is identified.',
    { ...present, words: checkedKinds },
  ),
  text('id', 'Id of the record.', present),
  text('politician', 'Slug of the politician whom the record quotes.', present),
  text('politician_name', 'Name of the politician.', present),
  date('date', 'Date of the record (ISO 8601).', present),
  text('title', 'Title of the record.', present),
  text('said', 'The matching passage of the record, or the number, result and counts of the ballot.', present),
  json('differences', 'Words, speakers, or facts of a vote, that differ.', {
    ...present,
    inside: {
      list: [
        text('quoted', 'Words of the passage; empty if only the record has words here.', nonNull),
        text('said', 'Words of the record; empty if only the passage has words here.', nonNull),
      ],
    },
  }),
  integer('copies', 'Other records of the same passage, person and date, or ballots that agree as much.', present),
  text('url', 'URL of the record or of its source.', present),
];

/** Returns a phrase for each difference between a passage and the record or ballot; empty for a row without any. */
export const differencePhrases = ({ differences, type }: Document): Phrase[] =>
  documentsIn(differences).map((difference) => {
    const [quoted, recorded] = [difference.quoted, difference.said].map((each) => sanitiseLine(String(each ?? '')));
    if (recorded === '' && type === 'ballot') return say`not compared with the record: “${quoted!}”`;
    if (recorded === '') return say`the record does not contain “${quoted!}”`;
    if (quoted === '') return say`the record also contains “${recorded!}”`;
    return say`quoted “${quoted!}”, recorded “${recorded!}”`;
  });

const fieldNames = fields.map(({ name }) => name);

/** A passage of the checked text: a stated vote (it has `counts`), a quotation or a line. */
type Passage = StatedVote | (Pick<StatedVote, 'start' | 'end' | 'text'> & { counts?: undefined; attribution?: string });

/** Returns the quotations and stated votes of an article in order; its lines if it has neither, nor quotation marks. */
function passagesIn(article: string): Passage[] {
  const text = { text: blankMarkdown(article), start: 0 };
  const passages = partsIn(text, paragraphPattern).flatMap((each) => [...quotationsIn(each), ...statedVotesIn(each)]);
  const isList = passages.length === 0 && !/[«“"]/.test(article);
  // Longer lines are prose.
  return isList ? partsIn(text, /^.{1,400}$/gm) : passages.sort((one, other) => one.start - other.start);
}

/** A sentence mentions a vote if it matches `votingPattern`, or both `decisionPattern` and `decidedTextPattern`. */
const votingPattern = /(?<!\p{L})(?:vot(?!re|ive)|abst(?:en|ien|ain)|(?:scrutin|ballot)s?(?!\p{L})|unanim)|\d\svoix/iu;
const decisionPattern = /(?<!\p{L})(?:adopt|rejet|approuv|passed|reject|approv)/iu;
const decidedTextPattern =
  /(?<!\p{L})(?:lois?|textes?|projets?|propositions?|amendements?|articles?|motions?|budgets?|réformes?|traités?|résolutions?|assemblée|sénat|députés|sénateurs|bills?|laws?|amendments?|assembly|senate)(?!\p{L})/iu;
const voteFigures = /\d\s(?:voix|votes|suffrages)(?!\p{L})/iu;
const maxSentences = 10; // listed in remarks
const maxSentenceLength = 200; // in a remark, in characters

/** Returns a function from ascending positions in a text to their line numbers, from 1. */
function createLineCounter(source: string) {
  let line = 1;
  let previousStart = 0;
  return (start: number): number => {
    line += source.slice(previousStart, start).split('\n').length - 1;
    previousStart = start;
    return line;
  };
}

/** Counts the sentences of an article, and those without a recognised passage; lists those that mention a vote. */
function summarise(article: string, passages: readonly Passage[]) {
  const isOutside = (part: Passage, ranges: readonly Passage[]) =>
    !ranges.some(({ start, end }) => start < part.end && part.start < end);
  const sentences = partsIn({ text: blankMarkdown(article), start: 0 }, sentencePattern);
  const uncompared = sentences.filter((each) => isOutside(each, passages));
  const mentionsVote = (sentence: string) =>
    votingPattern.test(sentence) || (decisionPattern.test(sentence) && decidedTextPattern.test(sentence));
  const mentions = uncompared.filter((each) => mentionsVote(each.text));
  const lineOf = createLineCounter(article);
  const uncomparedVotes = mentions.map((each) => ({ line: lineOf(each.start), text: sanitiseLine(each.text) }));
  const mentionNotes = uncomparedVotes.slice(0, maxSentences).map(({ line, text: sentence }) => {
    const excerpt = truncateText(sentence, maxSentenceLength);
    return say`not compared, although it mentions a vote (line ${figure(line)}): “${excerpt}${excerpt === sentence ? '' : '…'}”`;
  });
  if (mentions.length > maxSentences)
    mentionNotes.push(
      say`listed ${figure(maxSentences)} of ${figure(mentions.length)} such sentences; JSON has all of them`,
    );
  const votes = passages.filter(({ counts }) => counts);
  const figures = partsIn({ text: article, start: 0 }, new RegExp(voteFigures, 'giu'));
  const unreadCount = figures.filter((each) => isOutside(each, votes)).length;
  const remark = say`sentences read: ${figure(sentences.length)}; not compared, as no quotation or vote was recognised: ${figure(uncompared.length)}`;
  return {
    extra: { sentences: sentences.length, uncompared_sentences: uncompared.length, uncompared_votes: uncomparedVotes },
    remarks: [
      remark,
      ...mentionNotes,
      ...(unreadCount > 0 ? [say`counts of votes not read: ${figure(unreadCount)}`] : []),
    ],
  };
}

/** Returns the matches, each as `near` with a difference if the article attributes the words to another person. */
function compareAttribution(mirror: Mirror, attribution: string, matches: ReturnType<typeof searchQuotation>) {
  const search = { kinds: ['politician'], limit: 10, allowsGuesses: false } as const;
  const speakers = searchNames(mirror, attribution, search).names;
  const bestMatches = matches.filter(({ agreement }) => agreement === matches[0]!.agreement);
  // A record without an author contradicts no attribution; the title of a ballot confirms none.
  const isTitle = matches[0]?.type === 'ballot';
  const keys = new Set<string | null>([...(isTitle ? [] : [null]), ...speakers.map(({ key }) => key)]);
  if (speakers.length === 0 || bestMatches.some(({ politician }) => keys.has(politician))) return matches;
  const quoted = speakers.map(({ name }) => name).join(', ');
  return matches.map((each) => {
    const difference = { quoted, said: each.politician_name ?? each.politician ?? '' };
    return { ...each, result: 'near', differences: [...each.differences, difference] };
  });
}

/** Whether quotations, and votes that an article states, agree with the records. */
export const check = listQuestion('check', {
  parameters: {
    q: requiredWords('a quotation, or several, one per line', { example: 'On greffe en mars' }),
    article: truth('read the text as an article: its quotations of four words or more, and the votes that it states'),
    limit: itemLimit(100, 'maximum number of records per quotation'),
  },
  kindsRead: () => checkedKinds,
  fields,
  answerFields: [
    integer('sentences', 'Number of sentences and headings of an article; absent for quotations.'),
    integer('uncompared_sentences', 'Those in which no quotation or vote was recognised: they are not compared.'),
    json('uncompared_votes', 'Those of them that mention a vote.', {
      inside: { list: [integer('line', 'Line number, from 1.', nonNull), text('text', 'The sentence.', nonNull)] },
    }),
  ],
  allColumns: fieldNames,
  alwaysStatesCoverage: true,
  toRow: (item, speech) => (speech ? { ...item, differences: speech.render(clauses(differencePhrases(item))) } : item),
  notes: () => [say`a quotation that is not found may still be genuine`],
  read(mirror, { q, article, limit }) {
    const emptyRow = Object.fromEntries(fieldNames.map((name) => [name, null]));
    const parts: Passage[] = article ? passagesIn(q) : partsIn({ text: q, start: 0 }, /.+/g);
    const lineOf = createLineCounter(q);
    const comparedParts: Passage[] = [];
    const items = parts.flatMap((part) => {
      const quoted = part.text.replace(/(?:^>|\s)+/gm, ' ').trim();
      if (quoted === '') return [];
      const passage = { ...emptyRow, line: lineOf(part.start), start: part.start, end: part.end, quoted };
      const matches = part.counts
        ? checkStatedVote(mirror, part)
        : compareAttribution(mirror, part.attribution ?? '', searchQuotation(mirror, quoted));
      if (matches === null) return [];
      const [best] = matches;
      // A line that counts votes is no quotation, unless someone said it.
      if (best === undefined && article && !part.counts && part.attribution === undefined && voteFigures.test(quoted))
        return [];
      comparedParts.push(part);
      if (best === undefined) return [{ ...passage, result: 'not-found', type: part.counts ? 'ballot' : null }];
      const listedMatches = article ? matches.filter(({ agreement }) => agreement === best.agreement) : matches;
      return listedMatches.slice(0, limit).map((each) => ({ ...passage, ...each }));
    });
    return { ...completePage(items), ...(article && summarise(q, comparedParts)) };
  },
});
