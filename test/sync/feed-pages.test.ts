import { expect } from 'chai';
import { kindOf } from '../../src/model/kinds.ts';
import { contentHash } from '../../src/model/normal-form.ts';
import type { ServicePage } from '../../src/service/pages.ts';
import { openScratchMirror } from '../../src/store/open.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { saveFeedPage } from '../../src/store/saving/save-feed-page.ts';
import { indexEntryOf } from '../../src/store/word-index/index-entry.ts';
import { createFeedIntake, feedPage } from '../../src/sync/feed-pages.ts';
import { createPreparer } from '../../src/sync/prepared-batches.ts';

const at = '2026-11-01T00:00:00.000Z';
const content = kindOf('content');

describe('pages of the feed on their way into the mirror', () => {
  const page = (from: number) =>
    feedPage({
      items: Array.from({ length: 20 }, (_, n) => ({
        type: 'content',
        id: `c${from + n}`,
        title: `L’énergie du phare n° ${from + n}`,
        text: 'Le Haut Conseil du Phare (HCP) se réunit à côté.',
      })),
    } as unknown as ServicePage);

  it('carry what a thread worked out, which is what saving them alone would', async () => {
    const mirror = openScratchMirror('nowhere.db');
    const intake = createFeedIntake({ mirror, progress: silent }, createPreparer({ after: 20 }));
    const [first, second] = [page(0), page(20)];
    try {
      await intake.prepare(first);
      await intake.prepare(second);
    } finally {
      await intake.end();
      mirror.close();
    }
    const [alone, ahead] = [first, second].map(({ records }) => records.get(content)!);
    expect(alone!.every(({ prepared }) => prepared === undefined)).to.equal(true);
    const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
    for (const { document, prepared } of ahead!) {
      const { hash, row, entry } = prepared!;
      expect(hash).to.equal(contentHash(content, document));
      expect(JSON.parse(text(row))).to.deep.equal(document);
      const { acronyms, ...words } = entry;
      const read = Object.entries(words).map(([column, bytes]) => [column, text(bytes)]);
      expect({ ...Object.fromEntries(read), acronyms }).to.deep.equal(indexEntryOf(content, document));
    }
  });

  it('are left alone where the mirror holds what they bring', async () => {
    const mirror = openScratchMirror('nowhere.db');
    const start = () => {
      throw new Error('started');
    };
    const notes: unknown[] = [];
    const progress = { ...silent, note: (line: unknown) => notes.push(line) };
    const first = page(0);
    try {
      const intake = createFeedIntake(
        { mirror, progress },
        createPreparer({ after: 0, start, note: progress.note }),
      );
      intake.brought(saveFeedPage(mirror, first.records, { at }));
      intake.brought(saveFeedPage(mirror, first.records, { at }));
      await intake.prepare(page(0));
      expect(notes).to.deep.equal([]);
      intake.brought(saveFeedPage(mirror, page(40).records, { at }));
      await intake.prepare(page(60));
      expect(notes).to.have.length(1);
      await intake.end();
    } finally {
      mirror.close();
    }
  });

  it('are listed by indexes made at the end, where most of the records came with them', async () => {
    const listed = async (heldBefore: number) => {
      const mirror = openScratchMirror('nowhere.db');
      const has = () =>
        mirror.column("SELECT 1 FROM sqlite_schema WHERE name = 'record_date'").get() !== undefined;
      try {
        const saver = createSaver(mirror, kindOf('source'), { at });
        for (let n = 0; n < heldBefore; n += 1) saver.save({ id: `s${n}`, title: 'Annuaire des phares' });
        const intake = createFeedIntake({ mirror, progress: silent }, createPreparer({ after: 10_000 }));
        const met: boolean[] = [];
        for (const from of [0, 20, 40]) {
          await intake.prepare(page(from));
          intake.brought(saveFeedPage(mirror, page(from).records, { at }));
          met.push(has());
        }
        await intake.end();
        return [...met, has()];
      } finally {
        mirror.close();
      }
    };
    expect(await listed(0)).to.deep.equal([false, false, false, true]);
    expect(await listed(40)).to.deep.equal([true, false, false, true]);
    expect(await listed(100)).to.deep.equal([true, true, true, true]);
  });
});

const silent = { stage: () => {}, advance: () => {}, note: () => {} };
