import type { Document } from '../../../model/document.ts';
import { readViewerTokens } from '../../../server/viewer-tokens.ts';
import { examples } from '../../oclif.ts';
import { TokenCommand } from '../../token-command.ts';

export default class TokenList extends TokenCommand {
  static override summary = 'list the viewer tokens by name';
  static override examples = examples(['Who is a viewer', 'token list']);

  async run(): Promise<void> {
    const { flags } = await this.parse(TokenList);
    const tokens = readViewerTokens(this.tokensPath(flags));
    const rows: Document[] = tokens.map(({ name, created_at }) => ({ name, created_at }));
    await this.printTable(rows, rows, ['name', 'created_at']);
  }
}
