import process from 'node:process';

/** The words of a program that starts another one as a user who owns nothing and is in no group. */
export const asOtherUser = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];

/** Says why and skips the tests of a block where a program cannot be started as another user. */
export function skipUnlessRoot(this: Mocha.Context): void {
  if (process.getuid?.() === 0) return;
  console.log('    skipped: only root can start a program as another user');
  this.skip();
}
