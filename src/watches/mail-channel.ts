import { ConfigurationError, UsageError } from '../errors.ts';
import { mailAddress } from '../service/mail.ts';
import { say, speechOf } from '../words/speech.ts';
import { type MessageChannel, standardBackoffMs } from './channel.ts';

/** Mail to one address, through the SMTP server of the settings. */
export const mailChannel: MessageChannel = {
  name: 'mail',
  description: 'send a mail, by the server that `smtp-url` and `mail-from` set',
  helpValue: 'ADDRESS',
  parse: (addresses) => addresses.map(parsedMail),
  async check(_channel, { mailServer }) {
    if (mailServer === null) throw new UsageError(...noServer);
  },
  shownTarget: (target) => target.join(' '),
  delivers: 'messages',
  isTested: true,
  mostChanges: Number.MAX_SAFE_INTEGER,
  backoffMs: standardBackoffMs,
  receiverOf: () => 'mail',
  async send({ target: [to = ''] }, { watch, body }, { mailServer, textOf, operator }) {
    if (mailServer === null) throw new ConfigurationError(...noServer);
    const { bareAddress, senderAddress, sendMail } = await import('../service/mail.ts');
    const from = senderAddress(mailServer.from);
    const written = textOf(body, speechOf(watch.language));
    const { id, timestamp: at } = body;
    const asked = mailAddress.test(operator ?? '') ? operator! : bareAddress(from);
    const unsubscribe = { mailto: asked, subject: `unsubscribe ${watch.name}` };
    await sendMail({ url: mailServer.url, from }, { id, to, at, unsubscribe, ...written });
  },
};

const noServer = [
  say`no server of mail is set`,
  say`set HEMICYCLE_SMTP_URL and HEMICYCLE_MAIL_FROM, or \`hemicycle config set smtp-url < FILE\` and \`hemicycle config set mail-from ADDRESS\``,
] as const;

function parsedMail(text: string) {
  if (!mailAddress.test(text))
    throw new UsageError(say`--mail ${text}: no address of mail`, say`one address for each --mail`);
  return { kind: 'mail', target: [text], secret: null, isPrivate: false };
}
