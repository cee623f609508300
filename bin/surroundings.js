const fs = process.getBuiltinModule('node:fs');
const { isAbsolute } = process.getBuiltinModule('node:path');

/** Sets HOME to the account's home if missing or relative; to `/` without an account, as in containers. */
export function setHome() {
  // Without SHELL, oclif would look up the account's shell, and not every user has an account.
  process.env.SHELL ??= '';
  if (isAbsolute(process.env.HOME ?? '')) return;
  process.env.HOME = '/';
  try {
    const { homedir } = process.getBuiltinModule('node:os').userInfo();
    if (isAbsolute(homedir)) process.env.HOME = homedir;
  } catch {
    // The user has no account.
  }
}

/** Throws EMFILE if 8 files cannot be opened: at the start, rather than in some part of the program. */
export function refuseLowFileLimit(program) {
  const opened = [];
  try {
    while (opened.length < 8) opened.push(fs.openSync(program));
  } finally {
    for (const each of opened) fs.closeSync(each);
  }
}

/** Ignores SIGHUP if the program was started with `nohup`, according to the shell's variable `_`; Node would exit. */
export function keepIgnoringHangup() {
  if (/(^|\/)nohup$/.test(process.env._ ?? '')) process.on('SIGHUP', () => {});
}
