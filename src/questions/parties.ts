import { kindOf, schemaNameOf } from '../model/kinds.ts';
import { listParties } from '../store/records/parties.ts';
import { refuseUnsupported, requestList } from './from-service.ts';
import { beyondInterface, filter, optionalWords } from './parameter-kinds.ts';
import { listQuestion } from './question.ts';
import { profileQuestion } from './record.ts';
import { rowLimit } from './sql.ts';

/** All parties and groups. */
export const parties = listQuestion('parties', {
  parameters: {
    ...beyondInterface({
      q: optionalWords('beginnings of words in the name or short name', { example: 'verger' }),
      chamber: filter('only parliamentary groups of this chamber', { example: 'AN', names: 'chamber' }),
    }),
    limit: rowLimit,
  },
  kindsRead: () => ['party'],
  schema: schemaNameOf('party'),
  columns: kindOf('party').listColumns,
  read: (mirror, filters, { isInterface }) => listParties(mirror, filters, isInterface),
  async requestFromService(service, { limit: _, q, ...mirrorOnlyFilters }) {
    refuseUnsupported({ query: q, ...mirrorOnlyFilters }); // the error names the flag --query
    return requestList(service, kindOf('party'), { query: {} });
  },
});

/** One party or group. */
export const party = profileQuestion('party', 'alliance-des-rivages');
