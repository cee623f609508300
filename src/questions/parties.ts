import { kindOf, schemaNameOf } from '../model/kinds.ts';
import { listParties } from '../store/records/parties.ts';
import { askList } from './from-service.ts';
import { descriptionOf, listQuestion } from './question.ts';
import { profileQuestion } from './record.ts';
import { rowLimit } from './sql.ts';

/** All parties and groups. */
export const parties = listQuestion({
  ...descriptionOf('parties'),
  parameters: { limit: rowLimit },
  reads: () => ['party'],
  schema: schemaNameOf('party'),
  columns: kindOf('party').listColumns,
  read: (mirror, { limit }, { isInterface }) => listParties(mirror, limit, isInterface),
  ask: (service) => askList(service, kindOf('party'), { query: {} }),
});

/** One party or group. */
export const party = profileQuestion('party', 'alliance-des-rivages');
