import type { Document } from '../../model/document.ts';
import type { KindName } from '../../model/kinds.ts';
import type { Parameters } from '../../questions/parameter.ts';
import type { ListQuestion, Question, RecordQuestion } from '../../questions/question.ts';
import type { Mirror } from '../../store/mirror.ts';
import { verbatim } from '../../words/speech.ts';
import { type AlternateForm, dataForms, type Feed, type FormSource, feedForm } from './alternate-forms.ts';
import type { ListAnswer, PageContent, PageContext, ViewPage } from './page-context.ts';

/** One HTML page; routes, links to alternate formats and languages, and a test derive from it. */
export type View = FormSource & {
  /** Path with parameters in braces, as in a question's path; it identifies the page. */
  path: string;
  /** Setting without which the page is not served. */
  needs?: 'sqlFile';
  /** Parameters of its address; those of the question by default. */
  parameters: Parameters;
  /** As of its question; true for a slow page: a worker process renders it, and can be killed. */
  isLong?: Question['isLong'];
  /** Kinds that the page requires; for a past date, they must have been synced by then. */
  kindsRead(values: Record<string, unknown>): readonly KindName[];
  /** Alternate formats by file extension. */
  forms: Record<string, AlternateForm>;
  /** Extensions of its alternate formats in a static site, none by default; null if the site omits the page. */
  siteExtensions: readonly string[] | null;
  /** Returns path parameters of its pages in a static site; absent for one page, or one for each record. */
  siteValues?(mirror: Mirror): Record<string, string>[];
  /** True if a static site puts several records of the kind into one file. */
  sharesFile?: boolean;
  /** True for a page with a preview image (`…/share.png`). */
  hasPreview?: boolean;
  /** True for a page that any site may frame; it lacks header, footer and addresses with the server's origin. */
  isEmbedded?: boolean;
};

type ViewOptions = Partial<Omit<View, 'path' | 'question' | 'render'>> &
  Pick<View, 'path'> & {
    feed?: Feed;
    /** For a list: false while its form is empty, so that the answer is an empty list; true by default. */
    isQueried?(page: PageContext): boolean;
    /** For a list: values that apply to the HTML page only. */
    onScreen?: Record<string, unknown>;
  };

/** How a page becomes HTML: `values` reads its data, `template` is a pure function of those data. */
type Template<Answer, Values> = {
  /** Returns what the template needs beside the answer to the question, or an `answer` to replace it. */
  values?(page: PageContext, answer: Answer): Values;
  template(page: ViewPage, values: Values & { answer: Answer }): PageContent;
};

/** The answer to the question of a page; null for a page without one. */
type AnswerTo<PageQuestion> = PageQuestion extends ListQuestion
  ? ListAnswer
  : PageQuestion extends RecordQuestion
    ? Document
    : null;

/** Creates a page that shows the answer to a question, or has no question of its own (null). */
export function createPageView<PageQuestion extends Question | null, Values extends object = object>(
  question: PageQuestion,
  options: ViewOptions & Template<AnswerTo<PageQuestion>, Values>,
): View {
  const { values, template, feed, forms, isQueried = () => true, onScreen, ...row } = options;
  const answerOf = (page: PageContext): ListAnswer | Document | null => {
    if (question === null) return null;
    const questionValues = view.questionValues(page.values);
    if (question.answers === 'record') return page.record(question, questionValues);
    if (isQueried(page) && !view.isEmpty(page)) return page.list(question, { ...questionValues, ...onScreen });
    return { items: [], total: 0, nextCursor: null, extra: {} };
  };
  const view: View = {
    title: verbatim(''),
    parameters: Object.fromEntries(
      Object.entries(question?.parameters ?? {}).filter(([, { surface }]) => surface !== 'cli'),
    ),
    questionValues: (values) => values,
    ...(question?.isLong && { isLong: question.isLong }),
    kindsRead: (inputValues) => question?.kindsRead(inputValues) ?? [],
    siteExtensions: [],
    isEmpty: () => false,
    ...row,
    question,
    forms: { ...dataForms(question), ...(feed && { atom: feedForm(feed) }), ...forms },
    render(page) {
      const answer = answerOf(page) as AnswerTo<PageQuestion>;
      return template(page, { answer, ...(values?.(page, answer) as Values) });
    },
  };
  return view;
}
