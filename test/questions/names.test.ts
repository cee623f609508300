import { expect } from 'chai';
import type { NotFoundError } from '../../src/errors.ts';
import { changes } from '../../src/questions/changes.ts';
import { feed } from '../../src/questions/feed.ts';
import { resolveNames, resolveValue, unknownNames, withParameterFault } from '../../src/questions/names.ts';
import { isRecordReference, readValues } from '../../src/questions/parameter.ts';
import { politician } from '../../src/questions/politicians.ts';
import { loadLanguage, type Phrase, speechOf } from '../../src/words/speech.ts';
import { createTemporaryMirror } from '../helpers/sync-run.ts';
import { saveAll } from '../server/demo-server.ts';
import { readTwoNights } from './question-results.ts';

describe('the names in a question', () => {
  const night = readTwoNights();
  const resolved = (parameters: Record<string, string>) =>
    resolveNames(night.past, feed.parameters, readValues(feed.parameters, parameters).values);
  const failure = (act: () => unknown) => {
    try {
      act();
    } catch (error) {
      return error as { exit: number; message: string; fault: { parameter: string; userText: Phrase } };
    }
    throw new Error('nothing was refused');
  };

  it('become slugs, and words of the service', () => {
    const values = resolved({ politician: 'Océane Bruyèvre', party: 'adr', topic: 'RETRAITES', limit: '3' });
    expect(values).to.include({
      ...{ politician: 'oceane-bruyevre', party: 'alliance-des-rivages', topic: 'retraites', limit: 3 },
    });
  });

  it('of a party may be several with commas, each once', () => {
    expect(resolved({ party: 'ADR,PDV,adr' }).party).to.equal('alliance-des-rivages,parti-du-verger');
  });

  it('that mean nothing blame their parameter', () => {
    for (const [parameters, parameter] of [
      [{ politician: 'Personne' }, 'politician'],
      [{ party: 'adrr' }, 'party'],
      [{ topic: 'retraite' }, 'topic'],
    ] as const) {
      const { exit, fault } = failure(() => resolved(parameters));
      expect([exit, fault.parameter]).to.deep.equal([3, parameter]);
      expect(`${fault.userText}`).to.equal('matches no record');
    }
  });

  it('are told to a drop-in answer with what is near, and none where each means something', () => {
    const unknown = (parameters: Record<string, string>) =>
      unknownNames(night.past, feed.parameters, readValues(feed.parameters, parameters).values);
    expect(unknown({ party: 'alliance-des-rivages', topic: 'retraites' })).to.deep.equal([]);
    const [slip] = unknown({ politician: 'oceane-bruyevr' });
    expect([slip!.parameter, slip!.near[0]!.key]).to.deep.equal(['politician', 'oceane-bruyevre']);
    expect(unknown({ topic: 'retraite' })[0]!.near.map(({ key }) => key)).to.include('retraites');
    expect(unknown({ party: 'alliance-des-rivages,nobody' }).map(({ parameter }) => parameter)).to.deep.equal([
      'party',
    ]);
  });

  it('of values are looked for among those that the mirror holds', () => {
    expect(resolveValue(night.past, 'topic', 'Démocratie')).to.equal('democratie');
    expect(resolveValue(night.past, 'entity type', 'Promises')).to.equal('promise');
    expect(failure(() => resolveValue(night.past, 'topic', 'xylophage')).exit).to.equal(3);
  });

  it('of values are listed in the language of the reader, with the number of those left out', async () => {
    await loadLanguage('fr');
    const own = createTemporaryMirror();
    const topics = Array.from({ length: 14 }, (_, at) => `thème-${at + 10}`);
    saveAll(
      own.mirror,
      'promise',
      topics.map((topic, at) => ({ id: `p${at}`, topic, text: 'Oui.' })),
    );
    const { values } = readValues(feed.parameters, { topic: 'zorglub' });
    const error = failure(() => resolveNames(own.mirror, feed.parameters, values)) as unknown as NotFoundError;
    own.remove();
    const shown = topics.slice(0, 12).join(', ');
    expect(error.hint).to.equal(`there are ${shown} and 2 more`);
    expect(error.describe(speechOf('fr')).hint).to.equal(`il y a ${shown} et 2 de plus`);
  });

  it('leave other values and other errors as they are', () => {
    const { values } = readValues(changes.parameters, { kind: 'promise' });
    expect(resolveNames(night.past, changes.parameters, values)).to.deep.equal(values);
    expect(failure(() => withParameterFault('party', () => JSON.parse('{'))).message).to.match(/JSON/);
    expect([isRecordReference('party'), isRecordReference('topic')]).to.deep.equal([true, false]);
  });

  it('of a profile that is not there are suggested in the fields of the API', () => {
    const { near, suggestion, detail } = politician.describeMissing(night.past, { slug: 'oceane-bruyevr' });
    expect(`${detail}`).to.equal('No politician has that slug.');
    expect(suggestion(near[0]!)).to.deep.equal({ slug: 'oceane-bruyevre', full_name: 'Océane Bruyèvre' });
  });
});
