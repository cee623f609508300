import { views as allViews } from '../../src/server/pages/table.ts';

/** Path parameters of a page of the demo dataset, by the path of its view. */
const examples: Record<string, Record<string, string>> = {
  '/texts/{text}': { text: 'retraites des gardiens' },
  '/history/{kind}/{key}': { kind: 'politician', key: 'oceane-bruyevre' },
  '/votes/{chamber}/{scrutin_id}': { chamber: 'AN', scrutin_id: 'VAL1V4' },
  '/embed/votes/{chamber}/{scrutin_id}': { chamber: 'AN', scrutin_id: 'VAL1V4' },
  '/ask/{name}': { name: 'members-by-group' },
  '/politicians/{slug}': { slug: 'oceane-bruyevre' },
  '/departments/{department}': { department: 'Sel-et-Grève' },
  '/departments/{department}/{constituency}': { department: 'Sel-et-Grève', constituency: '1' },
  '/topics/{topic}': { topic: 'retraites' },
  '/subjects/{name}': { name: 'retraites' },
  '/records/{kind}': { kind: 'speech' },
  '/records/{kind}/{key}': { kind: 'promise', key: 'promise-bruyevre-2025-001' },
  '/sources/{key}': { key: 'src-an-textes' },
  '/parties/{slug}': { slug: 'alliance-des-rivages' },
};

/** All views, each with the path parameters of a page of the demo dataset. */
export const views = allViews.map((view) => ({ ...view, example: examples[view.path] ?? {} }));
