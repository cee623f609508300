import { NotFoundError } from '../../../errors.ts';
import { say } from '../../../words/speech.ts';
import { TokenCommand, tokenNameArgument } from '../../token-command.ts';

export default class TokenRevoke extends TokenCommand {
  static override args = { name: tokenNameArgument };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TokenRevoke);
    const { names, file } = await this.lockTokens(this.tokensPath(flags));
    if (!names.includes(args.name))
      throw new NotFoundError(say`there is no token named "${args.name}"`, say`hemicycle token list shows them`);
    file.delete(args.name);
    this.note(say`the token of ${args.name} is revoked`);
  }
}
