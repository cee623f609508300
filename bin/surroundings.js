const fs = process.getBuiltinModule('node:fs');
const { isAbsolute } = process.getBuiltinModule('node:path');

/** States the home of the account where none is stated that can be used; the root for none, as containers have it. */
export function nameHome() {
  // oclif would ask for the shell of the account, and not every user has one.
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

/** Throws EMFILE where a start could not open the files that it takes, whose parts would fail one after the other. */
export function refuseFewFiles(program) {
  const opened = [];
  try {
    while (opened.length < 8) opened.push(fs.openSync(program));
  } finally {
    for (const each of opened) fs.closeSync(each);
  }
}

/** What was started to outlive its terminal (`nohup`) does: Node makes the signal deadly again that was ignored. */
export function keepIgnoringHangup() {
  if (!wasHangupIgnored()) return;
  process.on('SIGHUP', () => {});
  process.env.HEMICYCLE_HANGUP = 'ignored';
}

/** Node resets every signal before it runs a script: told by who started the program, and how. */
function wasHangupIgnored() {
  const { _: command = '', HEMICYCLE_HANGUP: said } = process.env;
  // Shells name the command that they run; a program of ours tells those that it starts.
  if (said === 'ignored' || /(^|\/)nohup$/.test(command)) return true;
  if (process.platform !== 'linux') return false;
  try {
    // A shell that ignores it hands that down: the last bit of the mask is SIGHUP.
    const status = fs.readFileSync(`/proc/${process.ppid}/status`, 'utf8');
    const mask = /^SigIgn:\s*([0-9a-f]+)$/m.exec(status)?.[1];
    if (mask && Number.parseInt(mask.slice(-1), 16) % 2 === 1) return true;
    // GNU nohup gives in the place of a terminal a /dev/null that cannot be read.
    if (fs.readlinkSync('/proc/self/fd/0') !== '/dev/null') return false;
    return /^flags:\s*\d*1$/m.test(fs.readFileSync('/proc/self/fdinfo/0', 'utf8'));
  } catch {
    return false;
  }
}
