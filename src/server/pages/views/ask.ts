import { type Document, textOf } from '../../../model/document.ts';
import { savedAnswer, savedList } from '../../../questions/ask.ts';
import type { ListQuestion } from '../../../questions/question.ts';
import { createStatement, findSavedQuestion, readSavedQuestions } from '../../../questions/saved-questions.ts';
import { splitColumns, sqlOfFile } from '../../../questions/sql.ts';
import { readExportedFile } from '../../../store/statements/statement.ts';
import { figure, say } from '../../../words/speech.ts';
import { type AlternateForm, csvText, csvType } from '../alternate-forms.ts';
import { emptyNote, table, titleWith } from '../elements.ts';
import { filterForm, hiddenInputs } from '../filter-form.ts';
import { type Html, html } from '../html.ts';
import type { ListAnswer, ViewPage } from '../page-context.ts';
import { coverageNote } from '../parts.ts';
import { createPageView } from '../view.ts';

/** Page `/ask`: the saved questions. */
export const savedQuestionsPage = createPageView(savedList, {
  path: '/ask',
  siteExtensions: null, // not in the static site
  title: say`Saved questions`,
  template({ speech, href, reading }, { answer: { items } }) {
    const list = items.map((each) => {
      const title = textOf(each, ...(speech.language === 'fr' ? ['title_fr', 'title'] : ['title', 'name']));
      const name = textOf(each, 'name') ?? '';
      const fault = textOf(each, 'fault');
      return html`<li><a href="${href(`/ask/${encodeURIComponent(name)}`)}">${title ?? name}</a>${fault && html` <span class="meta">${fault}</span>`}</li>\n`;
    });
    const sqlLink = reading.sqlFile && html`<p><a href="${href('/sql')}">${speech.say`Query with SQL`}</a></p>`;
    return { body: html`<ul>${list}</ul>${sqlLink}` };
  },
});

const maxRows = 1000; // Rows on a page; the CSV has all.

/** The CSV of the answer to a statement; its header has the column names of the statement. */
const rowsCsv = (question: ListQuestion): AlternateForm => ({
  mediaType: csvType,
  make(page) {
    if (page.values.sql === '') return '';
    const { items, extra } = page.list(question, page.values);
    return csvText(page, splitColumns(String(extra.columns), items[0]), items);
  },
});

function rowsTable(page: ViewPage, title: string, { items, total, extra }: ListAnswer): Html {
  const { speech } = page;
  const shownRows = items.slice(0, maxRows);
  const columns = splitColumns(String(extra.columns), items[0]);
  const tableColumns = columns.map((name) => [name, (row: Document) => String(row[name] ?? '')] as const);
  const isCut = shownRows.length < items.length || total === null; // A truncated answer has no total.
  const cutNote = isCut && emptyNote(speech.say`The first ${figure(shownRows.length)} rows; the CSV file has more.`);
  return html`${table(page, title, shownRows, tableColumns) ?? emptyNote(speech.say`No results.`)}${cutNote}`;
}

/** Page `/ask/{name}`: the answer to a saved question, with a form for its parameters. */
export const savedQuestionPage = createPageView(savedAnswer, {
  path: '/ask/{name}',
  title: say`Saved question`,
  forms: { csv: rowsCsv(savedAnswer) },
  values: ({ reading, values }) => ({
    question: findSavedQuestion(readSavedQuestions(reading.questions ?? null), String(values.name)),
  }),
  template(page, { answer, question }) {
    const { speech } = page;
    const fields = question.parameters.map(({ name, en, fr, fallback }) => {
      return { name, preset: fallback, label: speech.language === 'fr' ? fr : en };
    });
    const title = speech.render(question.title);
    const { values } = createStatement(question, page.values.with as Record<string, string>);
    return {
      title: titleWith(title, ...Object.values(values).map(String)),
      heading: title,
      lead: question.about && speech.render(question.about),
      rows: answer.total,
      body: html`${fields.length > 0 && filterForm(page, fields)}${coverageNote(page, answer)}${rowsTable(page, title, answer)}
<details><summary>SQL</summary><pre>${question.sql}</pre></details>`,
    };
  },
});

/** Page `/sql`: the rows of any SELECT on the exported file that the operator configured. */
export const sqlPage = createPageView(sqlOfFile, {
  path: '/sql',
  siteExtensions: null, // not in the static site
  needs: 'sqlFile',
  title: say`Query with SQL`,
  isEmpty: ({ values }) => values.sql === '',
  forms: { csv: rowsCsv(sqlOfFile) },
  values: ({ reading }) => ({ file: readExportedFile(reading.sqlFile!) }),
  template(page, { answer, file: { tables, about } }) {
    const { speech, values, path, queryParameters } = page;
    const sql = String(values.sql);
    const tableList = tables.map(
      ({ name, description, columns }) =>
        html`<dt><code>${name}</code> · ${description}</dt><dd>${columns.map((each, at) => html`${at > 0 && ', '}<code title="${each.description}">${each.name}</code>`)}</dd>\n`,
    );
    return {
      lead: speech.say`Every response cites ${about.source}.`,
      rows: answer.total,
      body: html`<form action="${path}"><p><label for="f-sql">${speech.say`One SELECT on the tables below`}</label></p>
<p><textarea id="f-sql" name="sql" rows="6" cols="80" spellcheck="false">${sql}</textarea></p>${hiddenInputs('lang', queryParameters.lang)}<p class="go"><button>${speech.say`Show`}</button></p></form>
${sql !== '' && rowsTable(page, speech.say`Query with SQL`, answer)}
<details${sql === '' && html` open`}><summary>${speech.say`Tables`}</summary><dl>${tableList}</dl></details>`,
    };
  },
});
