import { ConfigurationError, DeliveryError } from '../errors.ts';
import { decodeSegment } from '../model/kinds.ts';
import { say, verbatim } from '../words/speech.ts';

/** An SMTP server and the sender address. */
export type MailServer = { url: string; from: string };

/** A mail; its id is the same on every retry, so that mail programs recognise duplicates. */
export type Mail = {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  at: string; // date of the mail, ISO 8601
  /** Recipient and subject of an unsubscribe mail (RFC 2369). */
  unsubscribe: { mailto: string; subject: string };
};

const timeoutMs = 15_000;

/** An error of nodemailer; `responseCode` is the server's reply, if any. */
type SmtpFailure = Error & { responseCode?: number; code?: string };

const unreachableCodes = ['ECONNECTION', 'ESOCKET', 'ETIMEDOUT', 'EDNS'];

/** Sends a mail over SMTP; throws a DeliveryError that names only the host, `isUnanswered` if no server replied. */
export async function sendMail({ url, from }: MailServer, { id, at, unsubscribe, ...content }: Mail): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const server = smtpAddress(url);
  const host = server.hostname;
  const auth = { user: decodeURIComponent(server.username), pass: decodeURIComponent(server.password) };
  const transport = createTransport({
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port: Number(server.port || (server.protocol === 'smtps:' ? 465 : 587)),
    secure: server.protocol === 'smtps:',
    ...(server.username === '' ? {} : { auth }),
    // Never send a password in clear text.
    requireTLS: server.username !== '' && server.protocol === 'smtp:',
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const [, domain = 'localhost'] = /@([\w.-]+)>?$/.exec(from) ?? [];
  const send = async () =>
    transport.sendMail({
      from,
      ...content,
      date: new Date(at),
      messageId: `<${id}@${domain}>`,
      // Asks auto-responders not to reply (RFC 3834).
      headers: {
        'Auto-Submitted': 'auto-generated',
        'X-Hemicycle-Message': id,
        'List-Unsubscribe': `<mailto:${unsubscribe.mailto}?subject=${encodeURIComponent(unsubscribe.subject)}>`,
      },
    });
  await send()
    .catch(({ message, responseCode, code = '' }: SmtpFailure) => {
      const isUnanswered = responseCode === undefined && unreachableCodes.includes(code);
      throw Object.assign(new DeliveryError(host, verbatim(message)), { isUnanswered });
    })
    .finally(() => transport.close());
}

/** Matches a mail address without a name. */
export const mailAddress = /^[^\s@<>,;:"()\\[\]]{1,64}@[\p{L}\p{N}.-]{1,255}$/u;

/** The address in a text of the form `address` or `Name <address>`. */
export function bareAddress(text: string): string {
  return /^[^<>\r\n]{0,200}<([^<>\r\n]+)>\s*$/.exec(text)?.[1] ?? text.trim();
}

/** Returns a text of the form `address` or `Name <address>`; throws a ConfigurationError for any other. */
export function senderAddress(text: string): string {
  if (mailAddress.test(bareAddress(text))) return text;
  const hint = say`it should look like watches@house.example, or "Hemicycle <watches@house.example>"`;
  throw new ConfigurationError(say`mail-from: "${text.slice(0, 100)}" is not a mail address`, hint);
}

/** Parses an SMTP URL; throws a ConfigurationError if it is invalid. */
export function smtpAddress(text: string): URL {
  const url = URL.parse(text);
  if (url && [url.username, url.password].some((part) => decodeSegment(part) === null))
    throw new ConfigurationError(
      say`the user or the password in smtp-url contains a % that encodes no character`,
      say`write % as %25`,
    );
  if (url && /^smtps?:$/.test(url.protocol) && url.hostname !== '') return url;
  const hint = say`it should look like smtps://user:password@mail.example:465`;
  throw new ConfigurationError(say`smtp-url is not the address of a mail server`, hint);
}
