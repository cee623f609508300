import type { Document } from '../../model/document.ts';
import type { KindName } from '../../model/kinds.ts';
import type { Parameters, Values } from '../../questions/parameter.ts';
import type { ListQuestion, Question, RecordQuestion } from '../../questions/question.ts';
import type { Html } from './html.ts';
import type { ListAnswer, PageContext, Rendering } from './page-context.ts';

/** What a page shows within the frame that all have. */
export type PageContent = {
  /** What it is called: in the tab, in search engines and links. */
  title: string;
  /** One sentence about it, for search engines and links. */
  description?: string;
  /** All of it, its heading included. */
  body: Html;
  /** Endings of forms that this page lacks. */
  missingForms?: readonly string[];
  /** More for its head. */
  head?: Html | null;
};

/** Another form of a page, at its address with that ending: the media type, and its text. */
export type AlternateForm = {
  mediaType: string;
  make(page: PageContext, view: View): string;
  /** True where it states whole addresses: then it is another one under another name of this server. */
  isAbsolute?: boolean;
};

/** One page for people, described once: routes, links to other forms and languages, and the test of all pages follow. */
export type View = {
  name: string;
  /** Its address; parts that name a record stand in braces, as in a question's path. */
  path: string;
  /** Where it stands in the menu, or null. */
  section: string | null;
  /** The question whose answer it shows, and which its `.json` and `.csv` are; null where it shows no single one. */
  question: Question | null;
  /** What its address may say; those of the question where nothing else is said. */
  parameters: Parameters;
  /** The values of the question's parameters by those of the page. */
  questionValues(values: Record<string, unknown>): Record<string, unknown>;
  /** True where it may take long: another process makes it, which can be ended. */
  isLong: boolean;
  /** The kinds that it cannot do without: of the past, they must have been seen by then. */
  reads(values: Record<string, unknown>): readonly KindName[];
  /** Forms beside it that are its own, by ending. */
  forms: Record<string, AlternateForm>;
  render(page: PageContext): PageContent;
  /** The record that it shows, whose past states are listed elsewhere; null where it shows none. */
  recordOf(values: Record<string, unknown>): { kind: KindName; key: string } | null;
  /** True where the mirror holds nothing yet that could be asked: page and data are an empty list then. */
  isEmpty(page: PageContext): boolean;
  /** True where the page itself states whole addresses. */
  isAbsolute: boolean;
  /** True for what stands in the pages of others: without the frame of ours, and anybody may show it. */
  isEmbedded: boolean;
  /** Values for its places under which there is something in the fictional records, for examples and tests. */
  example: Record<string, string>;
};

type Row = Partial<Omit<View, 'name' | 'path' | 'question' | 'render'>> & Pick<View, 'name' | 'path'>;

/** How a page becomes HTML: `values` reads what it shows, and the template is a pure function of that. */
type Template<Answer, Values> = {
  /** What the template is given; the answer to the question if absent. */
  values?(page: PageContext, answer: Answer): Values;
  template(page: Rendering, values: Values): PageContent;
};

const sameValues = (values: Record<string, unknown>) => values;

function viewOf<Answer, Shown>(
  { values, template, ...row }: Row & Template<Answer, Shown>,
  question: Question | null,
  answerOf: (page: PageContext) => Answer,
): View {
  return {
    section: null,
    parameters: question ? parametersOverHttp(question.parameters) : {},
    questionValues: sameValues,
    isLong: question?.isLong === true,
    reads: (stated) => question?.reads(stated) ?? [],
    forms: {},
    example: {},
    recordOf: () => null,
    isEmpty: () => false,
    isAbsolute: false,
    isEmbedded: false,
    ...row,
    question,
    render(page) {
      const answer = answerOf(page);
      return template(page, values ? values(page, answer) : (answer as unknown as Shown));
    },
  };
}

function parametersOverHttp(parameters: Parameters): Parameters {
  return Object.fromEntries(Object.entries(parameters).filter(([, { surface }]) => surface !== 'cli'));
}

/** A page that shows the answer to the question of a list. */
export function listView<Ps extends Parameters, Shown = ListAnswer>(
  question: ListQuestion<Ps>,
  {
    isAsked = () => true,
    ...row
  }: Row &
    Template<ListAnswer, Shown> & {
      /** True if the address asks the question, and it can be answered; the answer is empty otherwise. */
      isAsked?(page: PageContext): boolean;
    },
): View {
  const { questionValues = sameValues, isEmpty = () => false } = row;
  return viewOf(row, question, (page) =>
    isAsked(page) && !isEmpty(page) ? page.list(question, questionValues(page.values)) : emptyAnswer,
  );
}

/** The answer of a list without items. */
export const emptyAnswer: ListAnswer = { items: [], total: 0, nextCursor: null, extra: {} };

/** A page that shows one record. */
export function recordView<Ps extends Parameters, Shown = Document>(
  question: RecordQuestion<Ps>,
  row: Row & Template<Document, Shown>,
): View {
  const { questionValues = sameValues } = row;
  const recordOf = (values: Record<string, unknown>) => {
    const { slug, key, chamber, scrutin_id } = questionValues(values);
    const named = scrutin_id === undefined ? (slug ?? key) : `${chamber}:${scrutin_id}`;
    return { kind: question.kind(questionValues(values) as Values<Ps>), key: String(named) };
  };
  return viewOf({ recordOf, ...row }, question, (page) => page.record(question, questionValues(page.values)));
}

/** A page that shows the answer to no single question. */
export function plainView<Shown = null>(row: Row & Template<null, Shown>): View {
  return viewOf(row, null, () => null);
}
