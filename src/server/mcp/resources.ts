import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { decodedPart } from '../../model/addresses.ts';
import { kindNames } from '../../questions/record.ts';
import { refusalOf } from '../problem.ts';
import { answerTool, type World } from './answer.ts';
import { beginning } from './fit.ts';
import { tools } from './tools.ts';

/** Every record is a resource: `hemicycle://ballot/AN:VTANR5L17V8434`. */
const template = {
  uriTemplate: 'hemicycle://{kind}/{key}',
  name: 'record',
  title: 'Any record',
  description: `kind: ${kindNames.join(', ')}; key: slug, id, or CHAMBER:ID of a ballot`,
  mimeType: 'application/json',
};

/** Answers for resources: records by their addresses, as the tool `record` tells them. */
export function addResources(server: Server, world: World): void {
  const record = tools.find(({ name }) => name === 'record')!;
  server.setRequestHandler('resources/list', () => ({ resources: [] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [template] }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const [, kind, part = ''] = /^hemicycle:\/\/([a-z]+)\/(.+)$/.exec(uri) ?? [];
    const key = decodedPart(part);
    try {
      const text = await answerTool(record, { kind: kind ?? '', key }, world);
      return { contents: [{ uri, mimeType: template.mimeType, text }] };
    } catch (error) {
      const { message } = refusalOf(error);
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `${beginning(uri, 200)}: ${beginning(message, 500)}`,
      );
    }
  });
}
