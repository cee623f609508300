import { expect } from 'chai';
import { createDemoMirror } from '../helpers/demo-mirror.ts';
import { openWire, type Wire } from './mcp-client.ts';

/** A question that people ask, the one call that answers it, and what the answer holds, as JSON. */
type Asked = [question: string, tool: string, given: object, ...holds: string[]];

const questions: Asked[] = [
  [
    'who is the deputy of Côtes-Cendrées 1',
    'politicians',
    { department: 'Côtes-Cendrées', constituency: 1 },
    '"slug":"oceane-bruyevre"',
    '"total":1',
  ],
  [
    'who sits for Bocage-Doré',
    'politicians',
    { department: 'bocage dore', limit: 20 },
    '"slug":"ursule-brindosier"',
    '"slug":"perrine-gelinotte"',
  ],
  [
    'which members of the ADR are senators',
    'politicians',
    { party: 'ADR', chamber: 'Senat' },
    '"slug":"mael-kerombrune"',
    '"slug":"gaspard-noctivel"',
  ],
  ['who is Océane Bruyèvre', 'record', { key: 'Océane Bruyèvre' }, 'Députée (Côtes-Cendrées, 1re circonscription)'],
  ['what is the ADR', 'record', { key: 'party:alliance-des-rivages' }, '"name":"Alliance des Rivages"'],
  [
    'how did ballot AN:11 end',
    'record',
    { key: 'AN:11' },
    '"scrutin_id":"VAL1V11"',
    '"result":"rejeté"',
    '"for":32,"against":32',
  ],
  ['ballot 12 of the Senate', 'record', { key: 'Senat:12' }, '"scrutin_id":"2026-12"', '"result":"adopté"'],
  [
    'the ballot of this address',
    'record',
    { key: 'https://valombre.example/an/scrutins/VAL1V11' },
    '"scrutin_id":"VAL1V11"',
  ],
  ['where does this come from', 'record', { key: 'src-an-scrutins' }, '"publisher":"AN de Valombre"'],
  [
    'how did the ADR vote on the pensions of lighthouse keepers',
    'ballots',
    { q: 'retraites gardiens', group: 'ADR' },
    '"scrutin_id":"VAL1V4"',
    '"party":"alliance-des-rivages"',
    '"position":"pour"',
  ],
  [
    'how did ADR and PDV vote on orchards',
    'ballots',
    { q: 'vergers', group: ['ADR', 'PDV'] },
    '"position":"contre"',
    '"for":17,"against":0',
  ],
  [
    'which ballots were decided by one vote',
    'ballots',
    { margin: 2, sort: 'margin', limit: 20 },
    '"scrutin_id":"VAL1V11"',
    '"margin":0',
  ],
  [
    'what was rejected in the Senate',
    'ballots',
    { chamber: 'Senat', result: 'rejeté', limit: 20 },
    '"scrutin_id":"2026-11"',
  ],
  [
    'when were ADR and PDV against each other',
    'ballots',
    { voted: ['ADR:against', 'PDV:for'] },
    '"scrutin_id":"VAL1V11"',
  ],
  ['which motions of censure were there', 'ballots', { q: 'censure' }, '"scrutin_id":"VAL1V7"', '"result":"rejeté"'],
  ['what was voted in May 2026', 'ballots', { since: '2026-05', until: '2026-05' }, '"total":4'],
  ['what was voted first', 'ballots', { sort: 'oldest', limit: 1 }, '"scrutin_id":"VAL1V1"'],
  [
    'how did this unpublished ballot end',
    'record',
    { key: 'Senat:1' },
    '"result":null',
    'report null as \\"not stated\\"',
  ],
  [
    'how often do ADR and PDV agree',
    'compare',
    { group: ['ADR', 'PDV'] },
    '"same":12',
    '"n":17',
    'the tool ballots lists',
  ],
  ['how often is the ADR on the winning side', 'compare', { group: ['ADR', 'majority'] }, '"other":"majority"'],
  ['how united is the ADR', 'cohesion', { group: 'ADR' }, '"agreement_index":0.83', 'the tool ballots lists'],
  ['which topics are there', 'topics', {}, '"topic":"logement","records":11'],
  [
    'what did Océane Bruyèvre promise on pensions',
    'feed',
    { politician: 'Océane Bruyèvre', types: 'promise', topic: 'retraites' },
    '"type":"promise"',
    '"topic":"retraites"',
  ],
  [
    'what did Océane Bruyèvre promise on lighthouses',
    'feed',
    { politician: 'Océane Bruyèvre', types: 'promise', q: 'phare' },
    '"type":"promise"',
  ],
  [
    'what are the positions of Jean-Loup Morvandieu on health',
    'feed',
    { politician: 'Morvandieu', types: 'position', topic: 'sante' },
    '"id":"position-jean-loup-morvandieu-02"',
  ],
  [
    'what did Hippolyte Carrelune say',
    'feed',
    { politician: 'Carrelune', types: 'quote' },
    '"id":"quote-hippolyte-carrelune-01"',
  ],
  [
    'who spoke of tide mills',
    'search',
    { q: 'moulins à marée', type: ['ballot', 'promise', 'speech'] },
    '"type":"',
    '"sources":[{',
  ],
  [
    'when did Océane Bruyèvre stop presiding over her group',
    'affiliations',
    { politician: 'Océane Bruyèvre', event: 'ended' },
    '"date":"2026-01-11"',
  ],
  [
    'who joined or left a party or group in 2023',
    'affiliations',
    { since: '2023', until: '2023' },
    '"politician":"amaury-d-estrelle"',
    '"politician":"nour-bellecume"',
  ],
  ['what versions of her profile are known', 'history', { key: 'oceane-bruyevre' }, '"seen_from"'],
  ['what is new since October', 'changes', { since: '2026-10-01', kind: 'promise', limit: 2 }, '"change":"added"'],
];

describe('questions that assistants are asked', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let wire: Wire;
  before(async () => {
    demo = await createDemoMirror();
    wire = await openWire(demo.db);
  });
  after(async () => {
    await wire.end();
    demo.remove();
  });

  it('are thirty at least', () => expect(questions).to.have.lengthOf.at.least(30));

  for (const [question, tool, toolArguments, ...holds] of questions)
    it(`are answered by one call, with whom to cite: ${question}`, async () => {
      const { length, ...answer } = await wire.call(tool, toolArguments);
      const text = JSON.stringify(answer);
      expect(answer, text).to.include({ isError: false });
      for (const each of holds) expect(text).to.include(each);
      expect(answer).to.have.nested.property('attribution.text');
      // Topics, groups of a day, versions and figures have no document of their own.
      if (
        !['topics', 'affiliations', 'history', 'changes', 'compare', 'cohesion'].includes(tool) &&
        !holds.includes('"result":null')
      )
        expect(text).to.match(/"url":"|"publisher":"/);
    });
});
