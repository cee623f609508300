import { randomBytes } from 'node:crypto';
import { UsageError } from '../../../errors.ts';
import { tokenHash } from '../../../server/viewer-tokens.ts';
import { say } from '../../../words/speech.ts';
import { parseName } from '../../flag-values.ts';
import { TokenCommand, tokenNameArgument } from '../../token-command.ts';

export default class TokenCreate extends TokenCommand {
  static override args = { name: tokenNameArgument };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TokenCreate);
    const path = this.tokensPath(flags);
    const name = parseName(args.name, /^[a-z0-9][a-z0-9._-]{0,63}$/i, say`"${args.name}" is not a name for a token`);
    const { names, file } = await this.lockTokens(path);
    if (names.includes(name))
      throw new UsageError(
        say`a token named ${name} already exists`,
        say`choose another name, or hemicycle token revoke ${name}`,
      );
    const token = `hcv_${randomBytes(32).toString('base64url')}`;
    const created_at = new Date().toISOString();
    file.set(name, { sha256: tokenHash(token).toString('hex'), created_at });
    await this.print({ name, token, created_at }, token);
    this.note(say`the token of ${name} is only shown this time; its hash is stored in ${path}`);
  }
}
