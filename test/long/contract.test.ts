import { utimesSync } from 'node:fs';
import { expect } from 'chai';
import { subjectsPath } from '../../src/store/subjects.ts';
import { saveDemoSubject } from '../helpers/demo-subject.ts';
import { createRandom, isLong, type Random, seedOf } from '../helpers/random.ts';
import { type Asker, checkAgain, checkAnswer, createAsker } from '../server/contract-answer.ts';
import { type ApiDocument, type Operation, type Promises, readPromises } from '../server/contract-document.ts';
import { isList, readFacts, walk } from '../server/contract-facts.ts';
import {
  addressOf,
  countOf,
  everyQuestion,
  expected,
  type Facts,
  isBeyond,
  plainQuestion,
  type Question,
  questionByChance,
} from '../server/contract-question.ts';
import { type DemoServer, startDemoServer } from '../server/demo-server.ts';

const seed = seedOf('CONTRACT_SEED');
const byChance = isLong ? 6000 : 600;

/** Of the values of a parameter one in so many is asked. */
const sparseness = isLong ? 1 : 8;
const codings = ['identity', 'gzip', 'br', 'zstd'];

describe(`the interface against its own document (CONTRACT_SEED=${seed})`, () => {
  let server: DemoServer;
  let asker: Asker;
  let promises: Promises;
  let facts: Facts;
  before(async () => {
    // All questions come from one caller, several at a time.
    server = await startDemoServer({ bounds: { exports: 100, exportsPerCaller: 100 } });
    await saveDemoSubject(server.mirror.path);
    // A subject saved a moment ago would date answers by their own second.
    utimesSync(subjectsPath(server.mirror.path), 0, 0);
    asker = createAsker(server.url);
    const { bytes } = await asker.ask('/openapi.json');
    promises = readPromises(JSON.parse(bytes.toString()) as ApiDocument);
    const keys = server.mirror.sql('SELECT key FROM record WHERE kind = ? ORDER BY key').pluck();
    facts = await readFacts(asker, promises, (kind) => keys.all(kind) as string[]);
  });
  after(async () => {
    await asker.close();
    await server.close();
  });

  /** Asks many questions, some at a time; the first answer that breaks a promise ends it. */
  async function askAll(questions: Iterable<Question>): Promise<void> {
    const random = createRandom(seed);
    const waiting = questions[Symbol.iterator]();
    const next = async () => {
      for (let each = waiting.next(); !each.done; each = waiting.next())
        await askOne(each.value, random.pick(codings), random.isOneIn(5));
    };
    await Promise.all(Array.from({ length: 8 }, next));
    expect(server.failures).to.deep.equal([]);
  }

  async function askOne(question: Question, coding: string, isAskedAgain: boolean): Promise<void> {
    const address = addressOf(question);
    const headers = { 'accept-encoding': coding };
    try {
      const answer = await asker.ask(address, { headers });
      checkAnswer(promises, question, { answer, wanted: expected(question, promises, facts) });
      // What is a moment ago was another one a moment ago.
      if (isAskedAgain && !question.parameters.as_of) await checkAgain(asker, address, { answer, headers });
    } catch (error) {
      (error as Error).message = `${address.slice(0, 300)} (${coding}): ${(error as Error).message}`;
      throw error;
    }
  }

  it('is described with examples that its own schemas take', () => {
    const { exampleCount, wrong } = promises.wrongExamples();
    expect(wrong).to.deep.equal([]);
    expect(exampleCount).to.be.greaterThan(10);
  });

  it('describes every answer that a cache or a caller without rights may get', () => {
    for (const { path, responses } of promises.operations.filter(({ path }) => path.startsWith('/api/')))
      expect(Object.keys(responses), path).to.include.members(['200', '304', '401', '414', '429', '431', '503']);
  });

  it('is kept for every parameter: good, at its limits, beyond, missing, twice, of other types', async () => {
    const questions = promises.operations.flatMap((operation) =>
      [...everyQuestion(operation, facts)].filter((_, at) => at % sparseness === seed % sparseness),
    );
    await askAll(questions);
  });

  it(`is kept for ${byChance} questions put together by chance`, async () => {
    const random = createRandom(seed);
    const operations = promises.operations.filter(({ parameters }) => parameters.length > 0);
    await askAll(Array.from({ length: byChance }, () => questionByChance(operations, facts, random)));
  });

  it('gives lists that can be walked to their end, in pages of any length, each item once', async () => {
    const random = createRandom(seed);
    for (const operation of promises.operations.filter(isList)) {
      for (let n = 0; n < 12; n += 1) {
        const { parameters } = goodQuestion(operation, random);
        const walks = [];
        for (const limit of [1 + random.integer(9), 10 + random.integer(41)]) {
          const walked = await walk(asker, operation, {
            ...parameters,
            [countOf(operation)!.name]: [String(limit)],
          });
          expect(walked.longest).to.be.at.most(limit);
          // Nobody counts what changed before it is told.
          const total = walked.total ?? walked.items.length;
          expect(walked.items, JSON.stringify(parameters)).to.have.length(total);
          expect(new Set(walked.items).size).to.equal(total);
          walks.push(walked.items);
        }
        expect(walks[0], JSON.stringify(parameters)).to.deep.equal(walks[1]);
      }
    }
  });

  function goodQuestion(operation: Operation, random: Random): Question {
    if (isBeyond(operation)) return plainQuestion(operation, facts);
    for (;;) {
      const question = questionByChance([operation], facts, random);
      // What they mean, the document does not say.
      for (const open of ['cursor', 'as_of', 'since', 'until', 'group', 'subject', 'place'])
        delete question.parameters[open];
      if (expected(question, promises, facts).statuses[0] === 200) return question;
    }
  }

  it('describes what a caller without rights, or over the limit, or of an empty mirror is told', async () => {
    const limited = await startDemoServer({ empty: true, settings: { rateLimit: true } });
    const limitedAsker = createAsker(limited.url);
    for (const operation of promises.operations) {
      const question = plainQuestion(operation, facts);
      const address = addressOf(question);
      const isCounted = operation.path.startsWith('/api/') || operation.path === '/reconcile';
      const headers: Record<string, string> = isCounted ? { authorization: 'Bearer wrong' } : {};
      const statuses = isCounted ? [401] : [200, 503];
      const wanted = { statuses, faults: [] };
      checkAnswer(promises, question, { answer: await limitedAsker.ask(address, { headers }), wanted });
    }
    for (let n = 0; n < 60; n += 1) await limitedAsker.ask('/api/v1/parties');
    for (const operation of promises.operations.filter(({ path }) => path.startsWith('/api/'))) {
      const question = plainQuestion(operation, facts);
      const answer = await limitedAsker.ask(addressOf(question));
      checkAnswer(promises, question, { answer, wanted: { statuses: [429], faults: [] } });
      const headerNames = Object.keys(operation.responses[429]!.headers!);
      expect(headerNames).to.have.members(['Link', 'RateLimit', 'RateLimit-Policy', 'Retry-After']);
      for (const name of headerNames) expect(answer.headers[name.toLowerCase()], name).to.be.a('string');
      expect(answer.headers['retry-after']).to.match(/^\d+$/);
    }
    await limitedAsker.close();
    await limited.close();
  });

  it('was asked more than a thousand times, in a long run more than nine thousand', () => {
    expect(asker.requestCount()).to.be.greaterThan(isLong ? 9000 : 1000);
  });
});
