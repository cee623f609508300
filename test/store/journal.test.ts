import { expect } from 'chai';
import { kindOf } from '../../src/model/kinds.ts';
import { currentPosition, wasAtPosition } from '../../src/store/journal.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';

const party = kindOf('party');
const early = '2026-03-01T06:00:00.000Z';
const late = '2026-03-02T06:00:00.000Z';

describe('a position in the journal', () => {
  const opened: ReturnType<typeof createTemporaryMirror>[] = [];
  afterEach(() => {
    for (const each of opened.splice(0)) each.remove();
  });
  const mirrorWith = (slug: string, at: string) => {
    const created = createTemporaryMirror();
    opened.push(created);
    const saver = createSaver(created.mirror, party, { at });
    saver.save({ slug, name: slug });
    saver.finish();
    return created.mirror;
  };

  it('names the last record by its key and since when it is there', () => {
    const mirror = mirrorWith('parti-des-phares', early);
    const position = currentPosition(mirror, party);
    expect(wasAtPosition(mirror, party, position)).to.equal(true);
    const [, , , , name] = position.split('.');
    const otherMirrors = [mirrorWith('parti-des-quais', early), mirrorWith('parti-des-phares', late)];
    for (const other of otherMirrors) expect(currentPosition(other, party).split('.')[4]).not.to.equal(name);
  });
});
