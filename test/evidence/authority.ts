import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

/** A time-stamping authority of this machine alone: openssl's own, with a certificate made for it. */
export function createAuthority() {
  const folder = mkdtempSync(join(tmpdir(), 'hemicycle-authority-'));
  const openssl = (...argv: string[]) =>
    execFileSync('openssl', argv, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  writeFileSync(join(folder, 'serial'), '01\n');
  writeFileSync(
    join(folder, 'tsa.cnf'),
    `[req]
distinguished_name = name
prompt = no
[name]
CN = Horloge de Valombre
[root]
basicConstraints = critical, CA:true
[stamper]
basicConstraints = CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[tsa]
default_tsa = ours
[ours]
serial = serial
signer_cert = tsa.pem
certs = root.pem
signer_key = tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
`,
  );
  const [key, config] = [
    ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
    ['-config', 'tsa.cnf'],
  ];
  openssl(
    'req',
    '-x509',
    ...key,
    ...config,
    '-extensions',
    'root',
    '-days',
    '2',
    '-keyout',
    'root.key',
    '-out',
    'root.pem',
  );
  openssl('req', ...key, ...config, '-keyout', 'tsa.key', '-out', 'tsa.csr');
  const signing = ['-CA', 'root.pem', '-CAkey', 'root.key', '-CAcreateserial', '-days', '2'];
  openssl(
    'x509',
    '-req',
    '-in',
    'tsa.csr',
    ...signing,
    '-extfile',
    'tsa.cnf',
    '-extensions',
    'stamper',
    '-out',
    'tsa.pem',
  );
  const answerTo = (query: Uint8Array) => {
    writeFileSync(join(folder, 'query.tsq'), query);
    openssl('ts', '-reply', ...['-config', 'tsa.cnf', '-queryfile', 'query.tsq', '-out', 'answer.tsr']);
    return readFileSync(join(folder, 'answer.tsr'));
  };
  return {
    folder,
    root: join(folder, 'root.pem'),
    openssl,
    answerTo,
    /** Answers as RFC 3161 has it over HTTP; `bend` may change what it is asked or what it answers. */
    listener:
      ({ query = (asked: Buffer) => asked, answer = (given: Buffer) => given } = {}) =>
      async (request: IncomingMessage, response: ServerResponse) => {
        const asked = await buffer(request);
        const isQuery = request.headers['content-type'] === 'application/timestamp-query';
        if (request.method !== 'POST' || !isQuery) return void response.writeHead(415).end();
        response
          .writeHead(200, { 'content-type': 'application/timestamp-reply' })
          .end(answer(answerTo(query(asked))));
      },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
