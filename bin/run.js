#!/usr/bin/env node
// Node before 20.16 lacks getBuiltinModule, which, unlike an import, does not evaluate a module's lazy exports.
process.getBuiltinModule ??= (await import('node:module')).createRequire(import.meta.url);
const { readFileSync } = process.getBuiltinModule('node:fs');
const { dirname, join } = process.getBuiltinModule('node:path');
const { fileURLToPath } = process.getBuiltinModule('node:url');

const program = fileURLToPath(import.meta.url);
const root = dirname(dirname(program));
const argv = process.argv.slice(2);
const missingFileCodes = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ENOENT', 'EACCES'];
const [major, minor] = process.versions.node.split('.').map(Number);

try {
  if (argv[0] === '--version' || argv[0] === '-v') {
    const { name, version } = packageJson();
    console.log(`${name}/${version} ${process.platform}-${process.arch} node-${process.version}`);
  } else await start();
} catch (error) {
  reportStartError(error);
}

async function start() {
  const { keepIgnoringHangup, refuseLowFileLimit, setHome } = await import('./surroundings.js');
  keepIgnoringHangup();
  setHome();
  refuseLowFileLimit(program);
  // SQLite's native binding crashes older Node versions with a segmentation fault, so load nothing there.
  if (major < 22 || (major === 22 && minor < 19)) return (await import('./pinned-node.js')).runOnPinnedNode(program);
  const { loadCompiled } = await import('./compiled-code.js');
  const { execute } = loadCompiled(join(root, 'dist/hemicycle.cjs'), codeCacheName());
  // Awaiting a command would end `hemicycle … | head` with exit 13, because the pipe closes first.
  execute(argv, { root, pjson: packageJson() }).catch(reportStartError);
}

function packageJson() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
}

/** Name of the code cache, one per set of functions used: `help`, COMMAND, or COMMAND-one if an argument follows. */
function codeCacheName() {
  const [word = '', next = '-'] = argv;
  if (argv.includes('--help') || argv.includes('-h') || !/^[a-z]{1,20}$/.test(word)) return 'help';
  return next.startsWith('-') ? word : `${word}-one`;
}

/** Prints why the program cannot start (a file is missing or damaged) and sets exit code 10; rethrows other errors. */
function reportStartError(error) {
  const { message, hint } = reasonOf(error);
  const report = { error: { code: 'CONFIGURATION', message, hint, exit: 10 } };
  console.error(process.argv.includes('--json') ? JSON.stringify(report) : `Error: ${message}; ${hint}`);
  process.exitCode = 10;
}

function reasonOf(error) {
  if (/\bE[MN]FILE\b/.test(error.message))
    return { message: 'the limit on open files is reached', hint: 'raise it, for example with `ulimit -n 1024`' };
  if (!missingFileCodes.includes(error.code) && !(error instanceof SyntaxError)) throw error;
  const missingPath = /Cannot find (?:module|package) '([^']+)'/.exec(error.message)?.[1] ?? error.path;
  return {
    message: `the installation of Hemicycle is incomplete: ${missingPath ? `${missingPath} is missing` : error.message}`,
    hint: 'install it again, with its packages (`npm ci` in a clone)',
  };
}
