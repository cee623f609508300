import { anonymised } from '../model/identity-guard.ts';
import { kindOf, schemaNameOf } from '../model/kinds.ts';
import { getPage } from '../service/pages.ts';
import { acceptedWords } from '../store/anonymous-log.ts';
import { listAudit } from '../store/records/audit.ts';
import { keepList, listingOf } from './from-service.ts';
import { count, cursor, filter } from './parameter-kinds.ts';
import { listQuestion } from './question.ts';

/** The log of moderation actions. */
export const audit = listQuestion({
  name: 'audit',
  operationId: 'listAudit',
  summary: 'the newest entries of the public, anonymised log of moderation actions',
  path: '/audit',
  isInterface: true,
  examples: [
    { description: 'The newest entries', command: 'audit' },
    {
      description: 'What was done to promises, as CSV',
      command: 'audit --entity-type promise --limit 200 --format csv',
    },
  ],
  parameters: {
    entity_type: filter('kind of record that was touched', { example: 'politician', names: 'entity type' }),
    limit: count(200, 'number of entries'),
    cursor,
  },
  reads: () => ['audit'],
  schema: schemaNameOf('audit'),
  columns: kindOf('audit').listColumns,
  read: (mirror, { entity_type: entityType, limit, cursor }) =>
    listAudit(mirror, { entityType, limit, cursor }),
  async ask(service, { entity_type, limit, cursor }) {
    const query = { entity_type, limit: Math.min(limit, 200), cursor };
    const names = ['audit', 'entries', 'log'];
    const page = await getPage(service.client, { path: '/audit', query, names });
    keepList(service, kindOf('audit'), page);
    const accepted = acceptedWords(service.mirror);
    return listingOf({ ...page, items: page.items.map((entry) => anonymised(entry, accepted).entry) });
  },
});
