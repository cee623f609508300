import { expect } from 'chai';
import { views } from '../helpers/views.ts';
import { type DemoServer, startDemoServer } from './demo-server.ts';

const literalViews = views.filter(({ question, parameters }) => question?.parameters.literal && 'q' in parameters);

/** The groups without which a page of figures has only its form. */
const requiredGroups = new Map([['/compare', '&group=ADR&group=majority']]);

describe('a page', () => {
  let server: DemoServer;
  before(async () => {
    server = await startDemoServer();
  });
  after(() => server.close());

  it('is searched by words on eight paths', () => {
    const paths = [
      '/search',
      '/feed',
      '/topics/{topic}',
      '/records/{kind}',
      '/votes',
      '/compare',
      '/cohesion',
      '/changes',
    ];
    expect(literalViews.map(({ path }) => path)).to.have.members(paths);
  });

  for (const { path, example } of literalViews)
    it(`${path} states what words mean beyond themselves, and nothing with \`literal\``, async () => {
      const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => example[name]!);
      const noteOf = async (more: string) => {
        const groups = requiredGroups.get(path) ?? '';
        const { statusCode, body } = await server.app.inject(`${address}?q=budget+2031${groups}${more}`);
        expect(statusCode).to.equal(200);
        return /<p class="note">[^<]*&quot;budget 2031&quot; is also searched as[^<]*<\/p>/.exec(body)?.[0] ?? '';
      };
      expect(await noteOf('')).to.include('quotation marks around a word prevent this');
      expect(await noteOf('&literal=true')).to.equal('');
    });
});
