import { expect } from 'chai';
import type { Document } from '../../src/model/document.ts';
import { type DemoServer, startDemoServer } from '../server/demo-server.ts';
import { figureSample, figuresApart } from './figures.ts';

describe('the figures on pages', () => {
  let server: DemoServer;
  before(async () => {
    server = await startDemoServer();
  });
  after(() => server?.close());

  it('are those of the data beside them, and of SQL over the mirror, at 200 addresses', async () => {
    const sample = figureSample((sql) => server.mirror.sql<Document>(sql).all());
    expect(sample.length).to.be.at.least(200);
    const read = async (url: string) => (await server.app.inject({ url, headers: { accept: 'text/html' } })).body;
    expect(await figuresApart(sample, read)).to.deep.equal([]);
  });
});
