import type { Document } from '../../src/model/document.ts';
import { type KindName, kindOf } from '../../src/model/kinds.ts';
import { saveMeta } from '../../src/store/mirror.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { transaction } from '../../src/store/transaction.ts';

const at = '2026-03-01T06:00:00.000Z';

function recordsMarked(word: string): [KindName, Document][] {
  return [
    ['party', { slug: 'parti', name: `Parti ${word}` }],
    ['politician', { slug: 'une-elue', full_name: `Une ${word}`, party: 'parti' }],
    ['content', { id: 'c1', title: `Texte ${word}`, text: 'zygomatique', date: '2026-01-01' }],
    ['ballot', { chamber: 'AN', scrutin_id: 'V1', title: `Scrutin ${word}`, date: '2026-01-01', votes_by_party: [] }],
  ];
}

/** What a mirror of that word answers has the word in it, whichever way it is read. */
export const markedPaths = [
  '/api/v1/parties/parti',
  '/api/v1/politicians',
  '/api/v1/votes/V1',
  '/api/v1/feed',
  '/api/v1/search?q=zygomatique',
  '/api/v1/changes?since=2026-01-01&kind=party',
  '/api/v1/parties/parti?as_of=2026-04-01',
  '/api/v1/search?q=zygomatique&as_of=2026-04-01',
  '/api/v1/export/dataset?entity=parties',
  '/api/v1/export/dataset?entity=politicians&as_of=2026-04-01',
];

/** Makes a mirror whose records hold that word; of the same moment, number of changes and records as any other such. */
export function createMarkedMirror(path: string, word: string, { filledAt = at, more = 0 } = {}): void {
  const mirror = openWritableMirror(path);
  for (const [name, record] of recordsMarked(word)) {
    transaction(mirror, () => {
      const saver = createSaver(mirror, kindOf(name), { at });
      saver.save(record);
      for (let n = 0; n < more; n += 1) saver.save({ ...record, [kindOf(name).keyField]: `${name}-${n}` });
      saver.finish();
    });
  }
  saveMeta(mirror, 'service_name', `Service ${word}`);
  saveMeta(mirror, 'site_url', `https://${word}.example`);
  for (const key of ['changed_at', 'synced_at'] as const) saveMeta(mirror, key, filledAt);
  mirror.close();
}
