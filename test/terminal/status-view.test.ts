import { expect } from 'chai';
import type { KindContents } from '../../src/store/records/contents.ts';
import { type MirrorStatus, statusPage } from '../../src/terminal/status-view.ts';
import { verbatim } from '../../src/words/speech.ts';
import { terminalOfWidth } from '../helpers/memory-sink.ts';

const nowMs = Date.parse('2031-05-06T12:00:00Z');

const contentsOf = (kind: string, change: Partial<KindContents> = {}): KindContents => ({
  ...{ kind, records: 3403, withdrawn: 0, unseen: 0, unseen_since: null, details: 12, composed: 0 },
  ...{ origin: 'https://vitrine.example/api/v1', retrieved_at: '2031-05-06T11:52:00Z' },
  ...{ enumerated_at: null, completeness: null },
  ...change,
});

const status: MirrorStatus = {
  mirror: '/data/mirror.db',
  bytes: 70_000_000,
  ageText: verbatim('filled 8 minutes ago'),
  last_sync: {
    origin: 'https://vitrine.example/api/v1',
    started_at: '2031-05-06T11:40:00Z',
    ended_at: '2031-05-06T11:52:00Z',
    exit: 0,
  },
  budget: { left: 41, limit: 60 },
  contentRows: [contentsOf('politician'), contentsOf('party', { records: 7, retrieved_at: null })],
  remarks: [verbatim('1 gap in the moderation log')],
};

describe('the state of a mirror at a terminal', () => {
  it('is a dashboard in units that people use, with what is to be known below', async () => {
    expect(statusPage(status, terminalOfWidth(100), nowMs)).to.equal(
      [
        'The mirror',
        '  file       /data/mirror.db',
        '  size       70 MB',
        '  age        filled 8 minutes ago',
        '  from       https://vitrine.example/api/v1',
        '  last sync  6 May 2031, 11:40 UTC, done in 12 minutes, https://vitrine.example/api/v1',
        '  budget     41 of 60 requests left this minute',
        '',
        'Contents',
        '  kind        records  details  withdrawn  completeness  seen',
        '  politician    3,403       12          0                8 minutes ago',
        '  party             7       12          0',
        '',
        'To know',
        '  - 1 gap in the moderation log',
        '',
      ].join('\n'),
    );
  });

  it('tells where each kind comes from where that is not one place, and a moment to come as it is', async () => {
    const other = contentsOf('party', { origin: 'parties.csv', retrieved_at: '2032-01-01T00:00:00Z' });
    const page = statusPage({ ...status, contentRows: [status.contentRows[0]!, other] }, terminalOfWidth(80), nowMs);
    expect(page).to.contain('Origin\n  politician  https://vitrine.example/api/v1\n  party       parties.csv\n');
    expect(page).to.contain('2032-01-01T00:00:00Z');
  });
});
