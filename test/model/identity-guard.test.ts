import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { anonymise } from '../../src/model/identity-guard.ts';
import { demoRecords } from '../helpers/fake-service.ts';

const entry = { id: 'a1', role: 'moderator', entity_type: 'quote', action: 'update', date: '2026-11-01' };

describe('the guard of the moderation log', () => {
  const telling: [name: string, fields: Document, leftOut: string[]][] = [
    ['a name', { moderator: 'Jean Ondoyer' }, ['moderator']],
    ['a name in another spelling', { moderatorName: 'Jean Ondoyer' }, ['moderatorName']],
    ['a login', { performed_by: 'jondoyer' }, ['performed_by']],
    ['a person as an object', { moderator: { email: 'j@valombre.example' } }, ['moderator']],
    ['what lies deeper', { meta: { request: [{ ip: '192.0.2.7' }] } }, ['meta']],
    ['a number that stands for a person', { moderator_id: 7 }, ['moderator_id']],
    ['an address in free text', { comment: 'ask j@valombre.example' }, ['comment']],
    ['a sentence', { reason: 'Jean Ondoyer asked for it.' }, ['reason']],
    ['an address in a field that the interface names', { role: 'j@valombre.example' }, ['role']],
    ['an IP address as an id', { id: '2001:db8::7' }, ['id']],
    ['a name behind an action', { action: 'edit by Jean Ondoyer' }, ['action']],
    ['a name behind a role', { role: 'moderator Jean Ondoyer' }, ['role']],
    ['an address that is spelt out', { action: 'ask jean at valombre.example' }, ['action']],
    ['a number to call', { role: '06 12 34 56 78' }, ['role']],
    ['a person beside what was acted on', { entity: { type: 'quote', email: 'j@x' } }, ['entity']],
    [
      'a name and an address beside what was acted on',
      { target: { type: 'quote', id: 7, name: 'Jean Ondoyer', mail: 'j@valombre.example' } },
      ['target'],
    ],
    ['a name as the type of what was acted on', { record: { type: 'quote by Jean Ondoyer' } }, ['record']],
    ['an address as its slug', { entity: { slug: 'j@valombre.example' } }, ['entity']],
    ['a name as its id', { entity: { id: 'Jean Ondoyer' } }, ['entity']],
    [
      'a person inside what was acted on',
      { target: { id: { name: 'Jean Ondoyer', email: 'j@valombre.example' } } },
      ['target'],
    ],
    ['a person a level deeper', { record: { record: { name: 'Jean Ondoyer' } } }, ['record']],
    ['several records with their persons', { entity: [{ type: 'quote', author: 'Jean Ondoyer' }] }, ['entity']],
    ...['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf'].map(
      (field): [string, Document, string[]] => [
        `a name in the field ${field} of what was acted on`,
        { entity: { type: 'quote', [field]: 'Jean Ondoyer <j@valombre.example>' } },
        ['entity'],
      ],
    ),
    ['a name in the place of a role', { role: 'GIVEN SURNAME' }, ['role']],
    ['a name written as a word', { reason: 'given_surname' }, ['reason']],
    ['a name written as an id', { id: 'given.surname' }, ['id']],
    ['a name behind a word of the log', { id: 'audit-surname' }, ['id']],
    ['a slug, which is a name', { entity_slug: 'given-surname' }, ['entity_slug']],
    ['a telephone number as a version', { version: '0612345678' }, ['version']],
    ['a telephone number as a number', { count: 612345678 }, ['count']],
    ['a telephone number as an id', { entity_id: '06.12.34.56.78' }, ['entity_id']],
    ['a telephone number among hexadecimal digits', { id: 'abcdef0612345678' }, ['id']],
    ['a telephone number in a UUID', { id: '3f2b8c1e-9d4a-4e8b-8a56-ab0612345678' }, ['id']],
    ['a mail address as the name of an empty field', { entity: { type: 'quote', 'j@x.example': null } }, ['entity']],
    ['marks behind a letter, which say anything', { role: 'adm\u{e014a}in' }, ['role']],
    ['a telephone number as a moment', { timestamp: 33612345678 }, ['timestamp']],
    ['a name among fields', { fields: ['title', 'surname'] }, ['fields']],
    ['a name in the place of a word field', { given_surname: 1 }, ['(a field whose name is no word)']],
    ['a field that nobody knows', { who: 'x' }, ['who']],
    ['a name in the place of a field', { 'Jean Ondoyer': 1 }, ['(a field whose name is no word)']],
  ];
  for (const [name, fields, leftOut] of telling) {
    it(`leaves out ${name}, and says in which field it stood`, () => {
      const result = anonymise({ ...entry, ...fields });
      expect(result.omittedNames).to.deep.equal(leftOut);
      const expected: Document = { ...entry };
      for (const field of Object.keys(fields)) delete expected[field];
      expect(result.entry).to.deep.equal(expected);
    });
  }

  const harmless: [name: string, fields: Document][] = [
    ['what the interface names', {}],
    ['roles of two words, in any language', { role: 'modératrice principale', action: "retrait d'office" }],
    ['numbers and truth values of known fields', { version: 3, automatic: true }],
    ['the same as CSV writes it out', { version: '3', automatic: 'false' }],
    ['what was acted on, as an id or an object', { entity_id: 'quote-7', target: { type: 'quote', id: 7 } }],
    ['what was acted on, in which nothing is said', { entity: { type: 'quote', id: null, key: '' } }],
    ['moments and the fields that changed', { created_at: '2026-11-01T08:00:00Z', fields: ['title', 'date'] }],
    ['an id of any service', { id: '3f2b8c1e-9d4a-4e8b-8a56-1c0d2e3f4a5b' }],
    ['an id of words and a number', { id: 'moderation:2026-000123', entity_id: 'promise_42', target_id: 7 }],
    [
      'an id of 26 or of hexadecimal digits',
      { id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', record_id: '507f1f77bcf86cd799439011' },
    ],
    ['words however they are joined', { action: 'contentUpdate', event: 'POLITICIAN.UPDATED', status: 'in-review' }],
    ['moments in seconds and milliseconds', { timestamp: 1_790_000_000, created_at: 1_790_000_000_000 }],
  ];
  for (const [name, fields] of harmless) {
    it(`keeps ${name}, as it came`, () => {
      const whole = { ...entry, ...fields };
      expect(anonymise(whole).entry).to.equal(whole);
    });
  }

  it('keeps a word that the operator accepted, in whatever way it is written', () => {
    const { entry: retainedEntry, omittedNames: leftOut } = anonymise(
      { role: 'Ranger', reason: 'ranger_surname' },
      new Set(['ranger']),
    );
    expect([retainedEntry, leftOut]).to.deep.equal([{ role: 'Ranger' }, ['reason']]);
  });

  it('takes no name of the demo for a word of the log, whole or in parts', () => {
    const names = demoRecords('politicians').map(({ full_name }) => String(full_name));
    for (const name of names.flatMap((each) => [each, each.toUpperCase(), ...each.split(' ').slice(-1)]))
      for (const field of ['role', 'reason', 'id', 'entity_slug'])
        expect(anonymise({ [field]: name.replaceAll(' ', '_') }).omittedNames, name).to.deep.equal([field]);
  });

  it('says nothing of a field that says nothing', () => {
    expect(anonymise({ ...entry, moderator: null })).to.deep.equal({ entry, omittedNames: [] });
  });
});
