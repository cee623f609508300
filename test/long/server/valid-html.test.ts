import { expect } from 'chai';
import { HtmlValidate } from 'html-validate';
import { views } from '../../helpers/views.ts';
import { type DemoServer, startDemoServer } from '../../server/demo-server.ts';

describe('the HTML of pages', () => {
  const validator = new HtmlValidate({ extends: ['html-validate:standard'] });
  let server: DemoServer;
  before(async () => {
    server = await startDemoServer();
  });
  after(() => server.close());

  const faultsAt = async (url: string) => {
    const { body } = await server.app.inject({ url, headers: { accept: 'text/html' } });
    const { results } = await validator.validateString(body);
    return results.flatMap(({ messages }) => messages.map(({ message, line }) => `${url}:${line} ${message}`));
  };

  // Free SQL has a page only where the operator gives it a file.
  for (const { path, example } of views.filter(({ path }) => path !== '/sql'))
    it(`is valid at ${path}, in both languages`, async () => {
      const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(example[name]!));
      for (const lang of ['en', 'fr']) expect(await faultsAt(`${address}?lang=${lang}`)).to.deep.equal([]);
    });

  it('is valid where something is refused, filtered, empty or withdrawn', async () => {
    const addresses = ['/nowhere', '/politicians?limit=x', '/votes?q=retraites&voted=ADR:for', '/search?q=Bruyevra'];
    for (const address of [...addresses, '/compare?group=ADR&group=PDV&by=month', '/politicians?place=75001'])
      expect(await faultsAt(address), address).to.deep.equal([]);
  });
});
