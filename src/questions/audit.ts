import { anonymise } from '../model/identity-guard.ts';
import { kindOf, schemaNameOf } from '../model/kinds.ts';
import { acceptedWords } from '../store/anonymous-log.ts';
import { listRecords } from '../store/records/feed.ts';
import { requestList } from './from-service.ts';
import { cursor, filter, itemLimit } from './parameter-kinds.ts';
import { listQuestion } from './question.ts';

/** The log of moderation actions. */
export const audit = listQuestion('audit', {
  parameters: {
    entity_type: filter('kind of record affected', { example: 'politician', names: 'entity type' }),
    limit: itemLimit(200, 'maximum number of entries'),
    cursor,
  },
  kindsRead: () => ['audit'],
  schema: schemaNameOf('audit'),
  columns: kindOf('audit').listColumns,
  read: (mirror, { entity_type: entityType, ...page }) =>
    listRecords(mirror, { ...page, entityType, cursorName: 'audit', kind: 'audit' }),
  async requestFromService(service, { entity_type, limit, cursor }) {
    const query = { entity_type, limit: Math.min(limit, 200), cursor };
    const listing = await requestList(service, kindOf('audit'), { query, listFields: ['audit', 'entries', 'log'] });
    const accepted = acceptedWords(service.mirror); // kept when entries are anonymised
    return { ...listing, items: listing.items.map((entry) => anonymise(entry, accepted).entry) };
  },
});
