import type { ShareCard } from '../../format/share-svg.ts';
import type { Document } from '../../model/document.ts';
import type { KindName } from '../../model/kinds.ts';
import type { Parameters } from '../../questions/parameter.ts';
import type { ListQuestion, Question, RecordQuestion } from '../../questions/question.ts';
import { type AlternateForm, dataForms, type Feed, type FormSource, feedForm } from './alternate-forms.ts';
import type { Content, Html } from './html.ts';
import { emptyAnswer, type ListAnswer, type PageContext, type Rendering } from './page-context.ts';

/** The content of a page, without header and footer. */
export type PageContent = {
  /** Title in the tab, in search results and previews; the page's own by default. */
  title?: string;
  /** One sentence for search results and previews. */
  description?: string;
  /** The heading, if it is more than the title; what stands above it, and a sentence below. */
  heading?: Content;
  kicker?: Content;
  lead?: Content;
  body: Html;
  /** Class of the article that the page is; empty for none. */
  article?: string;
  /** Endings of forms that this page does not have. */
  missingForms?: readonly string[];
  /** Number of rows of its CSV file, where it is a list that knows it. */
  rows?: number | null;
  /** True if the section `take-away` has a line of HTML to paste. */
  isEmbeddable?: boolean;
  /** What the picture beside links to it says under its title; the description by default. */
  share?: Partial<Pick<ShareCard, 'lines' | 'ballot' | 'context'>>;
  head?: Html | null;
};

/** One HTML page; routes, links to other forms and languages, and the test of all pages are derived from it. */
export type View = FormSource & {
  name: string;
  /** Path, parameters in braces as in a question's path. */
  path: string;
  /** Section of the menu, or null. */
  section: string | null;
  /** The setting without which it is not served; null for none. */
  needs: 'sqlFile' | null;
  /** Parameters of its address; those of the question by default. */
  parameters: Parameters;
  /** True if it may take long: then a reader process makes it, which can be killed. */
  isLong: boolean;
  /** The kinds it needs; as of a past date, they must have been synced by then. */
  reads(values: Record<string, unknown>): readonly KindName[];
  forms: Record<string, AlternateForm>;
  /** Endings of the forms that stand beside it in a static site; null if it has no file there. */
  inSite: readonly string[] | null;
  /** True for a page of a record that shares a file of a static site with others of its kind. */
  sharesFile: boolean;
  render(page: PageContext): PageContent;
  /** True for a page with a picture beside links to it (`…/share.png`). */
  isShared: boolean;
  /** True if the page contains the server's origin. */
  isAbsolute: boolean;
  /** True for a page that any site may frame: it has no header and footer. */
  isEmbedded: boolean;
  /** Path parameters of an existing page of the demo dataset, for examples and tests. */
  example: Record<string, string>;
};

type Row = Partial<Omit<View, 'name' | 'path' | 'question' | 'render'>> & Pick<View, 'name' | 'path'> & { feed?: Feed };

/** How a page becomes HTML: `values` reads what it shows, and the template is a pure function of that. */
type Template<Answer, Values> = {
  /** What the template is given; the answer to the question if absent. */
  values?(page: PageContext, answer: Answer): Values;
  template(page: Rendering, values: Values): PageContent;
};

function viewOf<Answer, Shown>(
  { values, template, feed, forms, ...row }: Row & Template<Answer, Shown>,
  question: Question | null,
  answerOf: (page: PageContext, view: View) => Answer,
): View {
  const view: View = {
    title: '',
    section: null,
    needs: null,
    parameters: question ? parametersOverHttp(question.parameters) : {},
    questionValues: (values) => values,
    isLong: question?.isLong === true,
    reads: (inputValues) => question?.reads(inputValues) ?? [],
    inSite: null,
    sharesFile: false,
    example: {},
    isEmpty: () => false,
    isShared: false,
    isAbsolute: row.isEmbedded !== true,
    isEmbedded: false,
    ...row,
    question,
    forms: { ...dataForms(question), ...(feed && { atom: feedForm(feed) }), ...forms },
    render(page) {
      const answer = answerOf(page, view);
      return template(page, values ? values(page, answer) : (answer as unknown as Shown));
    },
  };
  return view;
}

function parametersOverHttp(parameters: Parameters): Parameters {
  return Object.fromEntries(Object.entries(parameters).filter(([, { surface }]) => surface !== 'cli'));
}

/** A page that shows the answer to the question of a list. */
export function listView<Ps extends Parameters, Shown = ListAnswer>(
  question: ListQuestion<Ps>,
  {
    isQueried = () => true,
    ...row
  }: Row &
    Template<ListAnswer, Shown> & {
      /** True if the address asks the question; else the page shows no answer. */
      isQueried?(page: PageContext): boolean;
    },
): View {
  return viewOf(row, question, (page, { isEmpty, questionValues }) =>
    isQueried(page) && !isEmpty(page) ? page.list(question, questionValues(page.values)) : emptyAnswer,
  );
}

/** A page that shows one record. */
export function recordView<Ps extends Parameters, Shown = Document>(
  question: RecordQuestion<Ps>,
  row: Row & Template<Document, Shown>,
): View {
  return viewOf(row, question, (page, { questionValues }) => page.record(question, questionValues(page.values)));
}

/** A page that shows the answer to no single question. */
export function plainView<Shown = null>(row: Row & Template<null, Shown>): View {
  return viewOf(row, null, () => null);
}
