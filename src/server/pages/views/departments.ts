import { chambers } from '../../../model/ballot.ts';
import { type Document, slugOf, textOf } from '../../../model/document.ts';
import type { Parameters } from '../../../questions/parameter.ts';
import { politicians } from '../../../questions/politicians.ts';
import { seatsByDepartment } from '../../../store/records/politicians.ts';
import { say } from '../../../words/speech.ts';
import { csvText, csvType, fullListJson, jsonType } from '../alternate-forms.ts';
import { inFrench, line, table } from '../elements.ts';
import { filterForm, placeField } from '../filter-form.ts';
import { html } from '../html.ts';
import type { PageContext } from '../page-context.ts';
import { listContent, partyLink, personLink, seatPath } from '../parts.ts';
import { createPageView, type View } from '../view.ts';
import { chamberName } from './ballots.ts';

const seatRows = ({ once }: PageContext) => once('seats by department', seatsByDepartment);

/** Page `/departments`: every department, with its number of seat holders. */
export const departmentsPage = createPageView(null, {
  path: '/departments',
  title: say`Who was elected where`,
  kindsRead: () => ['politician'],
  forms: {
    csv: { mediaType: csvType, make: (page) => csvText(page, ['department', ...chambers], seatRows(page)) },
    json: { mediaType: jsonType, make: (page) => fullListJson(seatRows(page)) },
  },
  siteExtensions: ['json', 'csv'],
  values: (page) => ({ departments: seatRows(page) }),
  template(page, { departments }) {
    const { speech, href } = page;
    const noTableNote =
      !page.reading.places &&
      speech.say`A commune needs a table of communes, which this copy lacks; a postcode leads to its department.`;
    const lead = html`${speech.say`Choose a department to see its members by constituency.`} ${noTableNote}`;
    const form = filterForm({ ...page, path: '/politicians' }, [placeField]);
    const list = departments
      .toSorted((one, other) => one.department.localeCompare(other.department, 'fr'))
      .map(({ department, AN, Senat }) => {
        const seats = line(AN && `AN\u00a0${AN}`, Senat && `Sénat\u00a0${Senat}`);
        return html`<li><a href="${href(seatPath(department))}" lang="fr">${department}</a> <span class="meta" lang="fr">${seats}</span></li>\n`;
      });
    return { lead, body: html`${form}${list.length > 0 && html`<ul class="names seats">${list}</ul>`}` };
  },
});

const pathParameter = { isPathPart: true, isRequired: true };
const department = { ...politicians.parameters.department, ...pathParameter };
const constituency = { ...politicians.parameters.constituency, ...pathParameter };

/** Creates a page of seat holders; its path is `/departments` followed by the parameters. */
const seatsView = (parameters: Parameters): View =>
  createPageView(politicians, {
    parameters,
    path: ['/departments', ...Object.keys(parameters).map((each) => `{${each}}`)].join('/'),
    siteValues: (mirror) =>
      'constituency' in parameters ? [] : seatsByDepartment(mirror).map((each) => ({ department: each.department })),
    questionValues: (values) => ({ ...values, in_office: true, limit: maxSeats }),
    template(page, { answer }) {
      const { speech, href, values } = page;
      const number = values.constituency as number | undefined;
      // The address can contain the department's code instead of its name.
      const name = textOf(answer.items[0] ?? {}, 'department') ?? String(values.department);
      const constituencyText = number === undefined ? null : speech.say`constituency ${number}`;
      const seats = answer.items.toSorted((one, other) => seatOrder(one) - seatOrder(other));
      const constituencyOf = (person: Document) => {
        const constituencyNumber = textOf(person, 'constituency_number');
        return constituencyNumber === null
          ? chamberName(textOf(person, 'chamber') ?? '')
          : html`<a href="${href(seatPath(name, constituencyNumber))}">${speech.say`constituency ${constituencyNumber}`}</a>`;
      };
      const list = table(page, name, seats, [
        [speech.say`Seat`, constituencyOf],
        [speech.say`Name`, (person) => personLink(page, person.slug), 'name'],
        [speech.say`Role`, (person) => textOf(person, 'current_role'), 'french'],
        [speech.say`Group`, ({ group, party }) => partyLink(page, slugOf(group ?? party ?? null)), 'french'],
      ]);
      return {
        ...listContent(page, answer, { list, empty: speech.say`No politician matches.` }),
        title: [name, constituencyText].filter(Boolean).join(', '),
        heading: line(inFrench(name), constituencyText),
        kicker: html`<a href="${href('/departments')}">${speech.say`Department`}</a>`,
        lead: html`${speech.say`Politicians elected here and in office, according to their records.`} <a class="next" href="${href('/politicians', { department: name })}">${speech.say`All elected politicians, including those no longer in office`}</a>`,
      };
    },
  });

const maxSeats = 100; // More than any department has.

/** Sort key: deputies by constituency, then everyone else. */
const seatOrder = (person: Document) => Number(textOf(person, 'constituency_number') ?? Number.MAX_SAFE_INTEGER);

/** Pages of the seat holders of a department, and of a constituency. */
export const seatPages = [seatsView({ department }), seatsView({ department, constituency })];
