import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { kindOf } from '../../src/model/kinds.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { transaction } from '../../src/store/transaction.ts';
import { deleteTerms, saveTerms, termsOf } from '../../src/store/word-index/terms.ts';

describe('the words of the index', () => {
  let folder: string;
  let mirror: Mirror;

  const save = (...texts: string[]) =>
    transaction(mirror, () => {
      const saver = createSaver(mirror, kindOf('content'), { at: '2026-01-01T00:00:00.000Z' });
      for (const text of texts) saver.save({ id: text, text });
      saver.finish();
    });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-terms-'));
    mirror = openWritableMirror(join(folder, 'mirror.db'));
  });

  afterEach(() => {
    mirror.close();
    rmSync(folder, { recursive: true });
  });

  it('are read with the number of records that have them, and by their beginnings, in order', () => {
    save('Le port et le phare.', 'Un port, deux pontons, 49.3 ports.');
    for (const keep of [() => {}, () => saveTerms(mirror)]) {
      keep();
      const terms = termsOf(mirror);
      expect(['port', 'phar', 'digue', '49_3'].map(terms.countRecords)).to.deep.equal([2, 1, 0, 0]);
      expect(terms.tokensWithPrefix('po')).to.deep.equal(['ponton', 'port']);
      expect(terms.tokensWithPrefix('u')).to.deep.equal(['un']);
      expect(terms.tokensWithPrefix('zz')).to.deep.equal([]);
    }
  });

  it('are listed anew once the index has grown, and not for each record that comes', () => {
    save(...Array.from({ length: 200 }, (_, at) => `Le phare ${at}.`));
    saveTerms(mirror);
    save('Une digue.');
    saveTerms(mirror);
    expect(termsOf(mirror).countRecords('digu')).to.equal(0);
    save('Un port.', 'Un ponton.', 'Un quai.');
    saveTerms(mirror);
    expect(['digu', 'port'].map(termsOf(mirror).countRecords)).to.deep.equal([1, 1]);
  });

  it('are read from an empty index, and from one whose list was deleted', () => {
    expect(termsOf(mirror).tokensWithPrefix('a')).to.deep.equal([]);
    saveTerms(mirror);
    save('Un port.');
    deleteTerms(mirror);
    expect(termsOf(mirror).countRecords('port')).to.equal(1);
  });
});
