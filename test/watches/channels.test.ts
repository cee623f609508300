import { expect } from 'chai';
import { DeliveryError } from '../../src/errors.ts';
import type { MessageChannel } from '../../src/watches/channel.ts';
import { channelKindOf, channelText } from '../../src/watches/channels.ts';
import { verbatim } from '../../src/words/speech.ts';
import { openDesk, promise, type WatchDesk, webhook } from './watch-desk.ts';

describe('the table of channels', () => {
  let desk: WatchDesk;
  let flown: string[];
  let refusal: Error | null;
  const pigeon: MessageChannel = {
    name: 'pigeon',
    description: 'let a pigeon fly',
    helpValue: 'LOFT',
    flags: {},
    parse: (lofts) => lofts.map((loft) => ({ ...webhook, kind: 'pigeon', target: [loft] })),
    formatTarget: ([loft = '']) => loft,
    delivers: 'messages',
    isUntestable: true,
    receiverOf: ({ target }) => target[0]!,
    async send({ target: [loft] }, { body }) {
      if (refusal) throw refusal;
      flown.push(`${loft}: ${body.data.shown}`);
    },
  };
  const typed = { folder: '/', flags: {}, readText: () => '' };

  async function watchWithPigeon(): Promise<void> {
    desk.fill('promise', [promise('p1', 'Un pont')]);
    await desk.add('ponts', 'feed --types promise', { channels: pigeon.parse(['tour'], typed) });
    desk.clock.nowMs += 60_000;
    desk.fill('promise', [promise('p1', 'Un pont'), promise('p2', 'Un quai')]);
  }

  beforeEach(() => {
    flown = [];
    refusal = null;
  });
  afterEach(() => desk.remove());

  it('delivers and retries through a channel that is only a row of it', async () => {
    desk = openDesk(pigeon);
    await watchWithPigeon();
    refusal = new DeliveryError('tour', verbatim('closed'));
    expect(await desk.run()).to.include({ told: 0, failed: 1, waiting: 1 });
    desk.clock.nowMs += 30_000;
    expect(await desk.run()).to.include({ told: 0, failed: 0 });
    refusal = null;
    desk.clock.nowMs += 30_000;
    expect(await desk.run()).to.include({ told: 1, waiting: 0 });
    expect(flown).to.deep.equal(['tour: 1']);
  });

  it('refuses by name a channel that it does not know, and keeps its changes for a program that does', async () => {
    desk = openDesk();
    await watchWithPigeon();
    expect(await desk.run()).to.include({ changes: 1, told: 0, failed: 1, waiting: 0 });
    expect(desk.notes.join()).to.include('the channel "pigeon"');
    expect(desk.delivered).to.deep.equal([]);
    expect(() => channelKindOf({ kind: 'pigeon' })).to.throw('the channel "pigeon"');
    expect(channelText({ kind: 'pigeon', target: ['a secret'] })).to.equal('pigeon');
  });
});
