import { readViewerTokens } from '../../../server/viewer-tokens.ts';
import { TokenCommand } from '../../token-command.ts';

export default class TokenList extends TokenCommand {
  async run(): Promise<void> {
    const { flags } = await this.parse(TokenList);
    const rows = readViewerTokens(this.tokensPath(flags)).map(({ name, created_at }) => ({ name, created_at }));
    await this.printTable(rows, rows, ['name', 'created_at']);
  }
}
