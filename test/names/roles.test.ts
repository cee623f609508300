import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { kindOf } from '../../src/model/kinds.ts';
import { searchNames } from '../../src/names/search.ts';
import type { Mirror } from '../../src/store/mirror.ts';
import { openWritableMirror } from '../../src/store/open.ts';
import { createSaver } from '../../src/store/saving/save.ts';
import { transaction } from '../../src/store/transaction.ts';

const leads = (role: string, start: string, end: string | null) => ({ party: 'embruns-an17', role, start, end });

const people = [
  { slug: 'ida-vatel', full_name: 'Ida Vatel', current_role: "Ministre · Ministère de l'intérieur" },
  {
    slug: 'luc-ormesan',
    full_name: 'Luc Ormesan',
    current_role: "Ministre délégué · Ministère délégué auprès du ministre de l'intérieur, chargé des ports",
  },
  {
    slug: 'zoe-brac',
    full_name: 'Zoé Brac',
    current_role: 'Garde des sceaux, ministre de la justice · Ministère de la justice',
  },
  { slug: 'noe-merlan', full_name: 'Noé Merlan', current_role: 'Président de la République' },
  { slug: 'eve-duvallon', full_name: 'Ève Duvallon', current_role: 'Députée (Creuse, 1re circonscription)' },
  {
    slug: 'tom-leroc',
    full_name: 'Tom Leroc',
    affiliations: [leads('Président du', '2024-07-18', null)],
    party_name: 'Parti de la République',
  },
  { slug: 'aya-sorel', full_name: 'Aya Sorel', affiliations: [leads('Présidente du', '2022-06-28', '2024-06-09')] },
  { slug: 'guy-sceaux', full_name: 'Guy Sceaux', affiliations: [leads('Membre du', '2024-07-18', null)] },
];

/** What is typed, and who is named, in order. */
const queries: [query: string, keys: string[]][] = [
  ["ministre de l'intérieur", ['ida-vatel', 'luc-ormesan']],
  ['la ministre de l’intérieur', ['ida-vatel', 'luc-ormesan']],
  ['garde des sceaux', ['zoe-brac']],
  ['président de la République', ['noe-merlan']],
  ['députée de la Creuse', ['eve-duvallon']],
  ['député Creuse', ['eve-duvallon']],
  ['président du groupe EMB', ['tom-leroc', 'aya-sorel']],
  ['présidente du groupe Embruns', ['tom-leroc', 'aya-sorel']],
  ['chef des députés EMB', ['tom-leroc', 'aya-sorel']],
  ['ministre de la mer', []],
  ['intérieur justice', []],
  ['ministre', []],
];

describe('roles', () => {
  let folder: string;
  let mirror: Mirror;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'hemicycle-roles-'));
    mirror = openWritableMirror(join(folder, 'mirror.db'));
    const save = (kind: 'politician' | 'party', documents: readonly object[]) => {
      const saver = createSaver(mirror, kindOf(kind), { at: '2026-11-02T00:00:00.000Z' });
      for (const document of documents) saver.save({ ...document } as Parameters<typeof saver.save>[0]);
      saver.finish();
    };
    transaction(mirror, () => {
      save('party', [{ slug: 'embruns-an17', name: 'Embruns et rivages', short_name: 'EMB', chamber: 'AN' }]);
      save('politician', people);
    });
  });
  after(() => {
    mirror.close();
    rmSync(folder, { recursive: true });
  });

  for (const [query, keys] of queries) {
    it(`name [${keys}] for ${JSON.stringify(query)}: who holds it, then who held it`, () => {
      const { names } = searchNames(mirror, query, { limit: 5, allowsGuesses: false });
      expect(names.map(({ key }) => key)).to.deep.equal(keys);
    });
  }
});
