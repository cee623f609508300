import { expect } from 'chai';
import { DeliveryError } from '../../src/errors.ts';
import { verbatim } from '../../src/words/speech.ts';
import { askProgram } from '../helpers/program.ts';
import { openDesk, promise, type WatchDesk, webhook } from './watch-desk.ts';

describe('the list of watches', () => {
  let desk: WatchDesk;
  beforeEach(() => {
    desk = openDesk();
  });
  afterEach(() => desk.remove());

  it('shows of the address of a webhook its host and how its path ends, a short path whole, and no query', async () => {
    const secretly = 'https://hooks.example/services/T00/B00/geheim-wxyz?token=geheim';
    const channels = [secretly, 'https://receiver.example/hook'].map((url) => ({
      ...webhook,
      target: [url],
    }));
    await desk.add('tout', 'changes', { channels });
    const finalError = new DeliveryError('https://hooks.example', verbatim('answered 410'));
    finalError.isFinal = true;
    desk.refuses.error = finalError;
    desk.clock.nowMs += 1000;
    desk.fill('promise', [promise('p9', 'Neuf')]);
    await desk.run();
    for (const words of [['list'], ['list', '--json'], ['log'], ['log', '--json']]) {
      const env = { HOME: desk.folder, HEMICYCLE_DB: desk.db };
      const { stdout, exit } = await askProgram(['watch', ...words], { env });
      expect(exit).to.equal(0);
      expect(stdout, words.join(' '))
        .to.include('webhook:https://hooks.example/…wxyz')
        .and.include('webhook:https://receiver.example/hook')
        .and.not.include('geheim');
    }
  });
});
