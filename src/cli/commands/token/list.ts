import type { Document } from '../../../model/document.ts';
import { readViewerTokens } from '../../../server/viewer-tokens.ts';
import { renderTable } from '../../../terminal/table.ts';
import { TokenCommand } from '../../token-command.ts';

export default class TokenList extends TokenCommand {
  static override summary = 'list the viewer tokens by name';
  static override examples = [{ description: 'Who is a viewer', command: '<%= config.bin %> token list' }];

  async run(): Promise<void> {
    const { flags } = await this.parse(TokenList);
    const rows: Document[] = readViewerTokens(this.tokensPath(flags)).map(({ name, created_at }) => ({
      name,
      created_at,
    }));
    const text = flags.json
      ? `${JSON.stringify(rows)}\n`
      : renderTable(rows, {
          columns: ['name', 'created_at'],
          header: true,
          terminal: this.terminal(flags),
        });
    await this.sinks().stdout.write(text);
  }
}
