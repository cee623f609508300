import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import process from 'node:process';
import { program } from './program.ts';

/** The words of a program that starts another one as a user who owns nothing and is in no group. */
export const asOtherUser = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];

/** Says why and skips the tests of a block where a program cannot be started as another user, or that user reaches no file. */
export function skipUnlessRoot(this: Mocha.Context): void {
  const [file = '', ...words] = asOtherUser;
  const reaches = `for (const path of process.argv.slice(1)) require('node:fs').accessSync(path, 4)`;
  const argv = [...words, process.execPath, '-e', reaches, program, `${tmpdir()}/.`];
  if (process.getuid?.() === 0 && spawnSync(file, argv).status === 0) return;
  console.log('    skipped: only root can start a program as another user, where that one reaches its files');
  this.skip();
}
