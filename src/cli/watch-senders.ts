import { ConfigurationError } from '../errors.ts';
import { mailSubject, mailText } from '../terminal/watch-text.ts';
import type { Senders } from '../watches/deliver.ts';
import { say, speechOf } from '../words/speech.ts';
import type { Settings } from './settings.ts';

/** How messages leave this machine; what they are sent with is loaded where it is needed. */
export function sendersOf({ stated }: Settings, userAgent: string): Senders {
  return {
    async webhook({ target: [url = ''], secret, isPrivate }, body) {
      const { postWebhook } = await import('../service/webhook.ts');
      const nowMs = Date.now();
      await postWebhook({
        url,
        secret,
        isPrivate,
        id: body.id,
        body: JSON.stringify(body),
        nowMs,
        userAgent,
      });
    },
    async mail({ target: [to = ''] }, watch, body) {
      const [url, from] = [stated['smtp-url'].value, stated['mail-from'].value];
      if (url === null || from === null)
        throw new ConfigurationError(
          say`no server of mail is set`,
          say`set HEMICYCLE_SMTP_URL and HEMICYCLE_MAIL_FROM, or \`hemicycle config set smtp-url < FILE\` and \`hemicycle config set mail-from ADDRESS\``,
        );
      const { senderAddress, sendMail } = await import('../service/mail.ts');
      const speech = speechOf(watch.language);
      const [subject, text] = [mailSubject(body, speech), mailText(body, speech)];
      await sendMail(
        { url, from: senderAddress(from) },
        { id: body.id, to, subject, text, at: body.timestamp },
      );
    },
  };
}
