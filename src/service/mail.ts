import { ConfigurationError, DeliveryError } from '../errors.ts';
import { say } from '../words/speech.ts';

/** The server that takes mail, and in whose name it is sent. */
export type MailServer = { url: string; from: string };

/** A mail; its id is the same however often it is sent, so that programs that read mail can tell. */
export type Mail = { id: string; to: string; subject: string; text: string; at: string };

const timeoutMs = 15_000;

/** What nodemailer throws: the number that the server answered, if it did. */
type SmtpFailure = Error & { responseCode?: number; code?: string };

/** What nodemailer calls a server that was not reached. */
const unreachableCodes = ['ECONNECTION', 'ESOCKET', 'ETIMEDOUT', 'EDNS'];

/** Hands a mail to a server over SMTP. Throws a DeliveryError, which names only the host, where it is not taken. */
export async function sendMail(
  { url, from }: MailServer,
  { id, to, subject, text, at }: Mail,
): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const server = smtpAddress(url);
  const host = server.hostname;
  const transport = createTransport({
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port: Number(server.port || (server.protocol === 'smtps:' ? 465 : 587)),
    secure: server.protocol === 'smtps:',
    ...(server.username === ''
      ? {}
      : { auth: { user: decodeURIComponent(server.username), pass: decodeURIComponent(server.password) } }),
    // A password goes over no line that others can read.
    requireTLS: server.username !== '' && server.protocol === 'smtp:',
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const [, domain = 'localhost'] = /@([\w.-]+)>?$/.exec(from) ?? [];
  try {
    await transport.sendMail({
      from,
      to,
      subject,
      text,
      date: new Date(at),
      messageId: `<${id}@${domain}>`,
      // What answers mail by itself is asked not to (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Hemicycle-Message': id },
    });
  } catch (error) {
    const { message, responseCode, code = '' } = error as SmtpFailure;
    const refused = new DeliveryError(host, message);
    refused.isUnanswered = responseCode === undefined && unreachableCodes.includes(code);
    throw refused;
  } finally {
    transport.close();
  }
}

/** One address of mail, with nothing else on its line. */
export const mailAddress = /^[^\s@<>,;:"()\\[\]]{1,64}@[\p{L}\p{N}.-]{1,255}$/u;

/** An address of mail, or a name with one in angle brackets; throws a ConfigurationError for what is neither. */
export function senderAddress(text: string): string {
  const [, address = text.trim()] = /^[^<>\r\n]{0,200}<([^<>\r\n]+)>\s*$/.exec(text) ?? [];
  if (mailAddress.test(address)) return text;
  throw new ConfigurationError(
    say`mail-from: "${text.slice(0, 100)}" is no address of mail`,
    say`it should look like watches@house.example, or "Hemicycle <watches@house.example>"`,
  );
}

/** The address of a server of mail; throws a ConfigurationError for what is none. */
export function smtpAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && [url.username, url.password].some(isBadlyEncoded))
    throw new ConfigurationError(
      say`the user or the password in smtp-url holds a % that stands for no character`,
      say`write % as %25`,
    );
  if (url && /^smtps?:$/.test(url.protocol) && url.hostname !== '') return url;
  throw new ConfigurationError(
    say`smtp-url is not the address of a server of mail`,
    say`it should look like smtps://user:password@mail.example:465`,
  );
}

function isBadlyEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return false;
  } catch {
    return true;
  }
}
