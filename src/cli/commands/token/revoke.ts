import { NotFoundError } from '../../../errors.ts';
import { say } from '../../../words/speech.ts';
import { TokenCommand, tokenNameArgument } from '../../token-command.ts';

export default class TokenRevoke extends TokenCommand {
  static override args = { name: tokenNameArgument };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TokenRevoke);
    const { names, file } = await this.lockTokens(this.tokensPath(flags));
    const name = args.name;
    if (!names.includes(name))
      throw new NotFoundError(say`there is no token named "${name}"`, say`hemicycle token list shows them`);
    file.delete(name);
    this.note(say`the token of ${name} is revoked`);
  }
}
