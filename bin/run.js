#!/usr/bin/env node
// Node's own modules are asked for one by one: an import would evaluate all that each of them offers.
const builtin = process.getBuiltinModule ?? (await import('node:module')).createRequire(import.meta.url);
const fs = builtin('node:fs');
const { dirname, isAbsolute, join } = builtin('node:path');

const program = builtin('node:url').fileURLToPath(import.meta.url);
const root = dirname(dirname(program));
const [major, minor] = process.versions.node.split('.').map(Number);

/** As `src/cli/reading-commands.ts` has them. */
const reading =
  'affiliations audit ballots changes cite cohesion compare feed help history open parties politicians search show topics vote'.split(
    ' ',
  );

keepIgnoringHangup();
nameHome();
try {
  if (process.argv[2] === '--version' || process.argv[2] === '-v') showVersion();
  else if (major > 22 || (major === 22 && minor >= 19)) start();
  else runOnPinnedNode();
} catch (error) {
  tellStart(error);
}

function showVersion() {
  const { name, version } = JSON.parse(fs.readFileSync(join(root, 'package.json'), 'utf8'));
  console.log(`${name}/${version} ${process.platform}-${process.arch} node-${process.version}`);
}

function start() {
  refuseFewFiles();
  // oclif would ask for the shell of the account, and not every user has one.
  process.env.SHELL ??= '';
  const pjson = JSON.parse(fs.readFileSync(join(root, 'package.json'), 'utf8'));
  const file = programFile();
  const { execute } = loadProgram(join(root, file), cacheFolder());
  if (!execute) throw new SyntaxError(`${file} is empty`);
  // Awaiting here would end `hemicycle … | head` with exit 13, because the pipe closes first.
  execute(process.argv.slice(2), { root, pjson }).catch(tellStart);
}

/** The smaller of two files that has the command: what only reads and prints, and help, or all there is. */
function programFile() {
  const [word = 'help'] = process.argv.slice(2);
  return reading.includes(word) || asksHelp() ? 'dist/reading.cjs' : 'dist/hemicycle.cjs';
}

function asksHelp() {
  const end = process.argv.indexOf('--');
  const words = end < 0 ? process.argv : process.argv.slice(0, end);
  return words.includes('--help') || words.includes('-h');
}

/**
 * What the one file of commands exports. It is compiled as an earlier run of the same command left it in the folder:
 * Node's own cache keeps no function that was compiled when it was first called, and those are most of a start.
 */
function loadProgram(file, folder) {
  const { createRequire, enableCompileCache } = builtin('node:module');
  const { Script } = builtin('node:vm');
  const code = fs.readFileSync(file, 'latin1');
  const kept = folder && keptCode(join(folder, `${commandName()}.code`), file);
  const names = 'exports, require, module, __filename, __dirname, importPackage';
  const script = new Script(`(function (${names}) {${code}\n})`, { filename: file, cachedData: kept?.data });
  if (kept && (!kept.data || script.cachedDataRejected))
    process.once('exit', (exit) => kept.keep(exit, script));
  if (folder) enableCompileCache(folder);
  const load = createRequire(file);
  const loadQuickly = (name) => (name.startsWith('node:') ? builtin(name) : load(name));
  const module = { exports: {} };
  const run = script.runInThisContext();
  run(module.exports, Object.assign(loadQuickly, load), module, file, dirname(file), (name) => import(name));
  return module.exports;
}

/** The first word, which other functions serve where more than flags follow it; help needs those of no command. */
function commandName() {
  const [word = '', next = '-'] = process.argv.slice(2);
  if (asksHelp() || !/^[a-z]{1,20}$/.test(word)) return 'help';
  return next.startsWith('-') ? word : `${word}-one`;
}

/** Compiled code, if it is whole and of this very file, and how to keep it when a run ends well. */
function keptCode(path, file) {
  const { crc32 } = builtin('node:zlib');
  const { size, ctimeMs, ino } = fs.statSync(file);
  const sum = (data) => crc32(data, crc32(`${size} ${ctimeMs} ${ino} ${process.version} ${process.arch}`));
  const keep = (exit, script) => {
    if (exit !== 0) return;
    const made = `${path}.${process.pid}`;
    try {
      const data = script.createCachedData();
      const head = Buffer.alloc(8);
      head.writeUInt32LE(sum(data));
      fs.writeFileSync(made, Buffer.concat([head, data]), { mode: 0o600 });
      fs.renameSync(made, path);
    } catch {
      // A disk that is full, or not ours: the next start compiles again.
      try {
        fs.unlinkSync(made);
      } catch {
        // Nothing was begun.
      }
    }
  };
  try {
    const bytes = fs.readFileSync(path);
    const data = bytes.subarray(8);
    return { data: bytes.readUInt32LE() === sum(data) ? data : undefined, keep };
  } catch {
    return { data: undefined, keep };
  }
}

/** States the home of the account where none is stated that can be used; the root for none, as containers have it. */
function nameHome() {
  if (isAbsolute(process.env.HOME ?? '')) return;
  process.env.HOME = '/';
  try {
    const { homedir } = builtin('node:os').userInfo();
    if (isAbsolute(homedir)) process.env.HOME = homedir;
  } catch {
    // The user has no account.
  }
}

/** The folder of compiled code, made if it is missing; null where there can be none. */
function cacheFolder() {
  try {
    const { HOME, XDG_CACHE_HOME = '' } = process.env;
    const cache = isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(HOME, '.cache');
    const folder = join(cache, 'hemicycle', 'code');
    // One by one: Node never comes back from /proc, where it takes a folder for missing that cannot be made.
    const missing = [];
    for (let at = folder; !fs.existsSync(at); at = dirname(at)) missing.unshift(at);
    for (const each of missing) fs.mkdirSync(each);
    return folder;
  } catch {
    return null;
  }
}

/** What a start takes beyond Node's own: where that is not to be had, its parts would fail one after the other. */
function refuseFewFiles() {
  const opened = [];
  try {
    while (opened.length < 8) opened.push(fs.openSync(program));
  } finally {
    for (const each of opened) fs.closeSync(each);
  }
}

/** Tells why the program could not start: of its own parts there may be none to tell it. */
function tellStart(error) {
  const isLack = /\bE[MN]FILE\b/.test(error.message);
  const isLoss =
    ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ENOENT', 'EACCES'].includes(error.code) ||
    error instanceof SyntaxError;
  if (!isLack && !isLoss) throw error;
  const lost = /Cannot find (?:module|package) '([^']+)'/.exec(error.message)?.[1] ?? error.path;
  const message = isLack
    ? 'the limit of open files is reached'
    : `Hemicycle is not whole: ${lost ? `${lost} is missing` : error.message}`;
  const hint = isLack
    ? 'raise it, for example with `ulimit -n 1024`'
    : 'install it again, with its packages (`npm ci` in a clone)';
  const told = { error: { code: 'CONFIGURATION', message, hint, exit: 10 } };
  console.error(process.argv.includes('--json') ? JSON.stringify(told) : `Error: ${message}; ${hint}`);
  process.exitCode = 10;
}

/** What was started to outlive its terminal (`nohup`) does: Node makes the signal deadly again that was ignored. */
function keepIgnoringHangup() {
  if (!wasHangupIgnored()) return;
  process.on('SIGHUP', () => {});
  process.env.HEMICYCLE_HANGUP = 'ignored';
}

/** Node keeps nothing of it (it resets every signal before it runs a script): told by who started the program, and how. */
function wasHangupIgnored() {
  const { _: command = '', HEMICYCLE_HANGUP: said } = process.env;
  // Shells name the command that they run; a program of ours tells those that it starts.
  if (said === 'ignored' || /(^|\/)nohup$/.test(command)) return true;
  if (process.platform !== 'linux') return false;
  try {
    // A shell that ignores it hands that down: the last bit of the mask is SIGHUP.
    const mask = /^SigIgn:\s*([0-9a-f]+)$/m.exec(
      fs.readFileSync(`/proc/${process.ppid}/status`, 'utf8'),
    )?.[1];
    if (mask && Number.parseInt(mask.slice(-1), 16) % 2 === 1) return true;
    // GNU nohup gives in the place of a terminal a /dev/null that cannot be read.
    if (fs.readlinkSync('/proc/self/fd/0') !== '/dev/null') return false;
    return /^flags:\s*\d*1$/m.test(fs.readFileSync('/proc/self/fdinfo/0', 'utf8'));
  } catch {
    return false;
  }
}

/** An older Node dies in SQLite's binding with a segmentation fault, so that nothing may be imported on it. */
function runOnPinnedNode() {
  refuseFewFiles();
  const binary = join('node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const places = [join(root, 'node_modules', binary), join(root, '..', binary)];
  const node = places.find((place) => fs.existsSync(place));
  if (!node) {
    console.error(`hemicycle needs Node 22.19 or newer; this is Node ${process.versions.node}.`);
    console.error('Install a newer Node, or put one beside hemicycle: npm install -g node@24');
    process.exit(10);
  }
  const argv = [...process.execArgv, program, ...process.argv.slice(2)];
  const { spawn } = builtin('node:child_process');
  const { constants } = builtin('node:os');
  const child = spawn(node, argv, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}
