import type { Document } from '../../model/document.ts';
import type { KindName } from '../../model/kinds.ts';
import type { Parameters, Values } from '../../questions/parameter.ts';
import type { ListQuestion, Question, RecordQuestion } from '../../questions/question.ts';
import type { Html } from './html.ts';
import type { ListAnswer, Making } from './making.ts';

/** What a page shows within the frame that all have. */
export type Shown = {
  /** What it is called: in the tab, in search engines and links. */
  title: string;
  /** One sentence about it, for search engines and links. */
  description?: string;
  /** All of it, its heading included. */
  body: Html;
  /** Endings of forms that there are none of here. */
  without?: readonly string[];
  /** More for its head. */
  head?: Html | null;
};

/** Another form of a page, at its address with that ending: the media type, and its text. */
export type Form = {
  mediaType: string;
  make(making: Making, view: View): string;
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
  asked(values: Record<string, unknown>): Record<string, unknown>;
  /** True where it may take long: another process makes it, which can be ended. */
  isLong: boolean;
  /** The kinds that it cannot do without: of the past, they must have been seen by then. */
  reads(values: Record<string, unknown>): readonly KindName[];
  /** Forms beside it that are its own, by ending. */
  forms: Record<string, Form>;
  render(making: Making): Shown;
  /** The record that it shows, whose past states are listed elsewhere; null where it shows none. */
  recordOf(values: Record<string, unknown>): { kind: KindName; key: string } | null;
  /** True where the mirror holds nothing yet that could be asked: page and data are an empty list then. */
  isEmpty(making: Making): boolean;
  /** True where the page itself states whole addresses. */
  isAbsolute: boolean;
  /** True for what stands in the pages of others: without the frame of ours, and anybody may show it. */
  isEmbedded: boolean;
  /** Values for its places under which there is something in the fictional records, for examples and tests. */
  example: Record<string, string>;
};

type Stated = Partial<Omit<View, 'name' | 'path' | 'question' | 'render'>> & Pick<View, 'name' | 'path'>;

const valuesOfOwn = (values: Record<string, unknown>) => values;

function viewOf(stated: Stated, question: Question | null, render: (making: Making) => Shown): View {
  return {
    section: null,
    parameters: question ? ofPages(question.parameters) : {},
    asked: valuesOfOwn,
    isLong: question?.isLong === true,
    reads: (values) => question?.reads(values) ?? [],
    forms: {},
    example: {},
    recordOf: () => null,
    isEmpty: () => false,
    isAbsolute: false,
    isEmbedded: false,
    ...stated,
    question,
    render,
  };
}

/** What may be said over HTTP. */
function ofPages(parameters: Parameters): Parameters {
  return Object.fromEntries(Object.entries(parameters).filter(([, { surface }]) => surface !== 'cli'));
}

/** A page that shows the answer to the question of a list. */
export function listView<Ps extends Parameters>(
  question: ListQuestion<Ps>,
  {
    render,
    isAsked = () => true,
    ...stated
  }: Stated & {
    render(making: Making, answer: ListAnswer): Shown;
    /** True where the address asks the question already, and it can be answered; else its answer is empty. */
    isAsked?(making: Making): boolean;
  },
): View {
  const { asked = valuesOfOwn, isEmpty = () => false } = stated;
  return viewOf(stated, question, (making) =>
    render(
      making,
      isAsked(making) && !isEmpty(making) ? making.list(question, asked(making.values)) : nothing,
    ),
  );
}

/** The answer of a list that holds nothing. */
export const nothing: ListAnswer = { items: [], total: 0, nextCursor: null, extra: {} };

/** A page that shows one record. */
export function recordView<Ps extends Parameters>(
  question: RecordQuestion<Ps>,
  { render, ...stated }: Stated & { render(making: Making, record: Document): Shown },
): View {
  const { asked = valuesOfOwn } = stated;
  const recordOf = (values: Record<string, unknown>) => {
    const { slug, key, chamber, scrutin_id } = asked(values);
    const named = scrutin_id === undefined ? (slug ?? key) : `${chamber}:${scrutin_id}`;
    return { kind: question.kind(asked(values) as Values<Ps>), key: String(named) };
  };
  return viewOf({ recordOf, ...stated }, question, (making) =>
    render(making, making.record(question, asked(making.values))),
  );
}

/** A page that shows what no single question asks. */
export function plainView({ render, ...stated }: Stated & { render(making: Making): Shown }): View {
  return viewOf(stated, null, render);
}
