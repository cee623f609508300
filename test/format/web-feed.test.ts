import { expect } from 'chai';
import {
  atomText,
  changeEntry,
  type EntryContext,
  feedMoment,
  hitEntry,
  permanentId,
  recordEntry,
  type WebFeed,
} from '../../src/format/web-feed.ts';
import { odbl } from '../../src/model/attribution.ts';
import { type Document, documentsIn } from '../../src/model/document.ts';
import { speechOf } from '../../src/words/speech.ts';

const context: EntryContext = {
  speech: speechOf('en'),
  addressOf: (kind, key) => `https://m.example/${kind}/${encodeURIComponent(key)}`,
  changedAt: () => '2026-03-02T05:00:00.000Z',
  sourcesOf: ({ sources }) => documentsIn(sources),
  madeAt: '2026-03-03T06:00:00.000Z',
};
const edit = {
  seen_at: '2026-03-01T06:00:00.123Z',
  change: 'edited',
  kind: 'promise',
  key: 'p-1',
  politician: 'o-b',
  title: 'Des trains <de> nuit',
  fields: [
    { field: 'text', old: 'Dix trains de nuit', new: 'Vingt trains de <nuit>' },
    { field: 'source_ids', old: ['s-1', 's-2'], new: ['s-2', 's-3'] },
    { field: 'status', old: null, new: 'tenue' },
  ],
};
const feed = (more: Partial<WebFeed> = {}): WebFeed => ({
  id: permanentId('feed', 'changes'),
  title: 'Changes & more',
  language: 'en',
  madeAt: context.madeAt,
  addresses: {
    atom: 'https://m.example/changes.atom?kind=promise&limit=2',
    page: 'https://m.example/changes',
    next: null,
  },
  attribution: {
    text: 'Source: Fictional Service; free for non-commercial use',
    name: 'Fictional Service',
    url: 'https://service.example',
    licence: null,
    retrieved_at: null,
  },
  entries: [changeEntry(edit, context)],
  ...more,
});

describe('a feed', () => {
  it('tells a change with the difference of each field, under an id that never changes', () => {
    const entry = changeEntry(edit, context);
    expect(changeEntry({ ...edit }, context).id).to.equal(entry.id);
    expect(entry.id).to.match(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(changeEntry({ ...edit, seen_at: '2026-03-02T06:00:00.000Z' }, context).id).not.to.equal(entry.id);
    expect(entry.updated).to.equal(edit.seen_at);
    expect(entry.html).to.include('<del>Dix</del><ins>Vingt</ins> trains de <ins>&lt;</ins>nuit');
    expect(entry.html).to.include('<li><del>s-1</del></li><li><ins>s-3</ins></li>');
    expect(entry.html).to.include('<dt>status</dt><dd><ins>tenue</ins></dd>');
    expect(entry.html).to.include('Des trains &lt;de&gt; nuit');
  });

  it('tells a record by its day and by when it was last seen to change', () => {
    const document = { id: 'p-1', text: 'Un <b>\n\nDeux', date: '2026-02-01', url: 'javascript:alert(1)' };
    const entry = recordEntry('promise', document, context);
    expect(entry).to.include({
      published: '2026-02-01T00:00:00.000Z',
      updated: '2026-03-02T05:00:00.000Z',
      html: '<p>Un &lt;b&gt;</p><p>Deux</p>',
    });
    const unknown = { ...context, changedAt: () => null };
    expect(recordEntry('promise', { id: 'p-2', text: 'x' }, unknown)).to.include({
      published: null,
      updated: context.madeAt,
    });
  });

  it('tells the sources of a record, with who published them and when', () => {
    const sources: Document[] = [
      { title: 'Un <cahier>', publisher: 'La Marée', date: '2031-05-01', url: 'https://m.example/c' },
      { id: 'src-2' },
    ];
    expect(recordEntry('promise', { id: 'p-1', text: 'x', sources }, context).html).to.equal(
      '<p>x</p><p>Sources: <a href="https://m.example/c">Un &lt;cahier&gt;</a> (La Marée, 1 May 2031); src-2</p>',
    );
  });

  it('gives what was found the id of the record that it is', () => {
    const hit = { type: 'promise', id: 'p-1', title: 'Un', snippet: 'un <mot>' };
    expect(hitEntry(hit, context).id).to.equal(recordEntry('promise', { id: 'p-1', text: 'x' }, context).id);
    expect(hitEntry(hit, context).html).to.equal('<p>un &lt;mot&gt;</p>');
  });

  it('tells of a ballot what the house announced and what was counted, nothing else', () => {
    const ballot = {
      scrutin_id: 'V1',
      chamber: 'AN',
      title: 'Un <vote>',
      date: '2026-02-01',
      result: 'rejeté',
    };
    const { html, categories } = recordEntry('ballot', ballot, context);
    expect(html).to.equal('<p>Rejected: no counts published</p><p>Un &lt;vote&gt;</p><p>2026-02-01 · AN V1</p>');
    expect(categories).to.deep.equal(['ballot', 'rejeté']);
  });

  it('is Atom with whom to cite, and no other author', () => {
    const text = atomText(feed());
    expect(text).to.include('<author><name>Fictional Service</name><uri>https://service.example</uri></author>');
    expect([...text.matchAll(/<author>/g)]).to.have.length(1);
    expect(text).to.include('<rights>Source: Fictional Service; free for non-commercial use</rights>');
    expect(text).to.include('href="https://m.example/changes.atom?kind=promise&amp;limit=2"');
    expect(text).to.include('<updated>2026-03-01T06:00:00.123Z</updated>').and.not.include('rel="license"');
    expect(text).to.include('&lt;del&gt;Dix&lt;/del&gt;');
    expect(atomText(feed({ entries: [] }))).to.include(`<updated>${context.madeAt}</updated>`);
  });

  it('links a licence where the service states one', () => {
    const attribution = { ...feed().attribution, licence: odbl };
    expect(atomText(feed({ attribution }))).to.include(`<link rel="license" href="${odbl.url}"/>`);
  });

  it('takes days and moments only', () => {
    expect(
      ['2026-02-01', '2026-02-01T10:00:00+01:00', '2026-02', 'hier', '2026-13-45', null].map(feedMoment),
    ).to.deep.equal(['2026-02-01T00:00:00.000Z', '2026-02-01T09:00:00.000Z', null, null, null, null]);
  });
});
