import { createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { ConfigurationError, DeliveryError } from '../../src/errors.ts';
import { sendMail, smtpAddress } from '../../src/service/mail.ts';
import { messageText } from '../../src/terminal/watch-text.ts';
import type { MessageBody } from '../../src/watches/message.ts';
import { loadLanguage, speechOf } from '../../src/words/speech.ts';
import { listeningServers } from '../helpers/loopback-servers.ts';

/** A server of mail that takes what it is given, or refuses its receivers; the mails as they came. */
function smtpServer(refusal: string | null = null) {
  const mails: string[] = [];
  const server = createServer((socket: Socket) => {
    let mail: string | null = null;
    let buffered = '';
    const say = (line: string) => socket.write(`${line}\r\n`);
    say('220 fictif ESMTP');
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      buffered += chunk;
      for (let end = buffered.indexOf('\r\n'); end >= 0; end = buffered.indexOf('\r\n')) {
        const line = buffered.slice(0, end);
        buffered = buffered.slice(end + 2);
        if (mail !== null) {
          if (line === '.') {
            mails.push(mail);
            mail = null;
            say('250 taken');
          } else mail += `${line}\n`;
        } else if (/^(EHLO|HELO)/.test(line)) say('250 fictif');
        else if (/^RCPT/.test(line) && refusal) say(refusal);
        else if (line === 'STARTTLS') say('454 no TLS here');
        else if (line === 'DATA') {
          mail = '';
          say('354 go on');
        } else if (line === 'QUIT') {
          say('221 bye');
          socket.end();
        } else say('250 ok');
      }
    });
    socket.on('error', () => {});
  });
  return { server, mails };
}

const body: MessageBody = {
  type: 'watch.changes',
  id: 'msg_1',
  timestamp: '2026-03-01T06:00:00.000Z',
  data: {
    watch: { name: 'logement', question: 'search logement' },
    changes: [
      {
        ...{ id: 'c1', seen_at: '2026-03-01T06:00:00.000Z', change: 'edited', kind: 'promise', key: 'p1' },
        politician: 'une-elue',
        title: 'Un logement\r\nBcc: x@y',
        record: { person: 'Une Élue', topic: 'logement', date: '2026-02-01' },
        page: 'https://veille.example/records/promise/p1',
        fields: [{ field: 'title', old: 'Un toit', new: 'Un logement' }],
        sources: [{ id: 's1', title: 'Programme', url: 'https://source.example/p' }],
        show: 'hemicycle history promise p1',
      },
    ],
    ...{ shown: 1, more: 312, show: 'hemicycle search logement' },
    attribution: {
      ...{
        text: '',
        name: 'Service fictif',
        url: 'https://fictif.example',
        licence: null,
        retrieved_at: null,
      },
    },
  },
};

describe('the mail of a watch', () => {
  const servers = listeningServers();
  afterEach(() => servers.closeAll());
  const mail = (text: string) => ({
    ...{
      id: 'msg_1',
      to: 'lectrice@fictif.example',
      subject: 'logement: 313 changes',
      text,
      html: '<p>Bonjour à tous</p>',
      at: body.timestamp,
      unsubscribe: { mailto: 'redaction@fictif.example', subject: 'unsubscribe logement' },
    },
  });

  it('is handed to a server over SMTP, its id made of that of the message', async () => {
    const { server, mails } = smtpServer();
    const url = `smtp://127.0.0.1:${await servers.listen(server)}`;
    await sendMail({ url, from: 'veille@fictif.example' }, mail('Bonjour'));
    expect(mails).to.have.length(1);
    expect(mails[0]!.replace(/\n (?=\S)/g, ' '))
      .to.include('Message-ID: <msg_1@fictif.example>')
      .and.include('To: lectrice@fictif.example')
      .and.include('Subject: logement: 313 changes')
      .and.include('Auto-Submitted: auto-generated')
      .and.include('List-Unsubscribe: <mailto:redaction@fictif.example?subject=unsubscribe%20logement>')
      .and.include('Content-Type: multipart/alternative')
      .and.include('Content-Type: text/html')
      .and.include('Bonjour');
  });

  it('that is refused, or that no server answers, is told without the password', async () => {
    const { server } = smtpServer('550 no such mailbox');
    const port = await servers.listen(server);
    const send = (address: string) =>
      sendMail({ url: address, from: 'veille@fictif.example' }, mail('x')).then(
        () => null,
        (error: unknown) => error as DeliveryError,
      );
    const refused = await send(`smtp://127.0.0.1:${port}`);
    expect(refused).to.be.instanceOf(DeliveryError);
    expect(refused).to.include({ isUnanswered: false });
    expect(refused!.message).to.match(/^127\.0\.0\.1: .*550 no such mailbox/s);
    const unsafe = await send(`smtp://moi:geheim@127.0.0.1:${port}`);
    expect(unsafe).to.be.instanceOf(DeliveryError);
    expect(unsafe!.message).to.not.include('geheim');
    servers.closeAll();
    const unanswered = await send(`smtp://127.0.0.1:${port}`);
    expect(unanswered).to.be.instanceOf(DeliveryError);
    expect(unanswered).to.include({ isUnanswered: true });
  });

  it('is refused before it is sent where the address of its server holds a bare %, without showing it', () => {
    for (const address of ['smtps://moi:100%geheim@fictif.example', 'smtps://%zz@fictif.example'])
      expect(() => smtpAddress(address))
        .to.throw(ConfigurationError, /smtp-url/)
        .with.property('message')
        .that.does.not.include('geheim');
    expect(smtpAddress('smtps://moi:100%25@fictif.example').hostname).to.equal('fictif.example');
  });

  it('says what happened to what, of whom, before and after, its page, how many more, and whom to cite', async () => {
    const english = messageText(body, speechOf('en'));
    expect(english.subject).to.equal('Edited: 1 promise of Une Élue; and 312 more · logement');
    expect(english.text)
      .to.include('Edited: promise of Une Élue (title), “Un logement Bcc: x@y”')
      .and.include('1 February 2026 · logement')
      .and.include('title, before: Un toit\n  title, after: Un logement')
      .and.include('source: Programme, https://source.example/p')
      .and.include('https://veille.example/records/promise/p1')
      .and.include('and 312 more')
      .and.include('$ hemicycle search logement')
      .and.include('Source: Service fictif (https://fictif.example)')
      .and.not.include('\nBcc');
    expect(english.html)
      .to.include('<del>toit</del><ins>logement</ins>')
      .and.include('<a href="https://veille.example/records/promise/p1">page of the record</a>');
    await loadLanguage('fr');
    const french = messageText(body, speechOf('fr'));
    expect(french.subject).to.equal('Modification\u00a0: 1\u00a0promesse d’Une Élue\u00a0; et 312 de plus · logement');
    for (const text of [french.text, french.html])
      expect(text)
        .to.include('Modification\u00a0: promesse d’Une Élue')
        .and.include('et 312 de plus')
        .and.not.match(/\b(before|after|edited|title|promise of|page of)\b/i);
  });
});
