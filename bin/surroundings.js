const fs = process.getBuiltinModule('node:fs');
const { isAbsolute } = process.getBuiltinModule('node:path');

/** Sets HOME to the account's home if missing or relative; to `/` without an account, as in containers. */
export function nameHome() {
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

/** Throws EMFILE if 8 files cannot be opened; otherwise parts of the program would fail one by one. */
export function refuseFewFiles(program) {
  const opened = [];
  try {
    while (opened.length < 8) opened.push(fs.openSync(program));
  } finally {
    for (const each of opened) fs.closeSync(each);
  }
}

/** Keeps SIGHUP ignored for a program started to outlive its terminal (`nohup`): Node resets it to fatal. */
export function keepIgnoringHangup() {
  if (!wasHangupIgnored()) return;
  process.on('SIGHUP', () => {});
  process.env.HEMICYCLE_HANGUP = 'ignored';
}

/** True if SIGHUP was ignored at start. Node resets signals, so infer it from environment, parent and stdin. */
function wasHangupIgnored() {
  const { _: command = '', HEMICYCLE_HANGUP: said } = process.env;
  // Shells set `_` to the command that they run; our own processes set HEMICYCLE_HANGUP for their children.
  if (said === 'ignored' || /(^|\/)nohup$/.test(command)) return true;
  if (process.platform !== 'linux') return false;
  try {
    // Children inherit ignored signals from their shell; the last bit of the mask is SIGHUP.
    const status = fs.readFileSync(`/proc/${process.ppid}/status`, 'utf8');
    const mask = /^SigIgn:\s*([0-9a-f]+)$/m.exec(status)?.[1];
    if (mask && Number.parseInt(mask.slice(-1), 16) % 2 === 1) return true;
    // GNU nohup replaces a terminal on stdin with a write-only /dev/null.
    if (fs.readlinkSync('/proc/self/fd/0') !== '/dev/null') return false;
    return /^flags:\s*\d*1$/m.test(fs.readFileSync('/proc/self/fdinfo/0', 'utf8'));
  } catch {
    return false;
  }
}
