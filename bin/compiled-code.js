const fs = process.getBuiltinModule('node:fs');
const { dirname, isAbsolute, join } = process.getBuiltinModule('node:path');
const { createRequire } = process.getBuiltinModule('node:module');
const { Script } = process.getBuiltinModule('node:vm');
const { crc32 } = process.getBuiltinModule('node:zlib');

/**
 * Returns the exports of an ASCII CommonJS file, with the V8 code cache that an earlier run kept under
 * `name`. Node's own compile cache omits functions compiled on their first call, which are most of a start.
 */
export function loadCompiled(file, name) {
  const { size, mtimeMs, ino } = fs.statSync(file);
  const made = `${file} ${size} ${mtimeMs} ${ino} ${process.version} ${process.arch}`;
  const sum = (data) => crc32(data, crc32(made)).toString(16).padStart(8, '0');
  const path = privatePath(`${name}.code`);
  const cachedData = path && readKept(path, sum);
  const names = 'exports, require, module, __filename, __dirname, importPackage';
  const code = `(function (${names}) {${fs.readFileSync(file, 'latin1')}\n})`;
  const script = new Script(code, { filename: file, cachedData });
  if (path && (!cachedData || script.cachedDataRejected))
    process.once('exit', (exit) => exit === 0 && keep(path, script.createCachedData(), sum));
  const module = { exports: {} };
  const run = script.runInThisContext();
  run(module.exports, createRequire(file), module, file, dirname(file), (name) => import(name));
  if (Object.keys(module.exports).length === 0) throw new SyntaxError(`${file} is empty`);
  return module.exports;
}

/** A path in our cache; undefined on Windows, or if others can access it, because cached code is executed. */
function privatePath(name) {
  const { HOME, XDG_CACHE_HOME = '' } = process.env;
  const cache = isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(HOME, '.cache');
  const folder = join(cache, 'hemicycle', 'compiled');
  try {
    for (const each of fs.existsSync(folder) ? [] : [cache, dirname(folder), folder])
      if (!fs.existsSync(each)) fs.mkdirSync(each, 0o700);
    const stat = fs.lstatSync(folder);
    return stat.isDirectory() && isOursAlone(stat) ? join(folder, name) : undefined;
  } catch {
    return undefined;
  }
}

function isOursAlone({ uid, mode }) {
  return uid === process.getuid?.() && (mode & 0o077) === 0;
}

function readKept(path, sum) {
  try {
    const opened = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
    const bytes = isOursAlone(fs.fstatSync(opened)) ? fs.readFileSync(opened) : Buffer.alloc(0);
    fs.closeSync(opened);
    return bytes.toString('latin1', 0, 8) === sum(bytes.subarray(8)) ? bytes.subarray(8) : undefined;
  } catch {
    return undefined;
  }
}

function keep(path, data, sum) {
  const begun = `${path}.${process.pid}`;
  try {
    fs.writeFileSync(begun, Buffer.concat([Buffer.from(sum(data)), data]), { mode: 0o600, flag: 'wx' });
    fs.renameSync(begun, path);
  } catch {
    fs.rmSync(begun, { force: true });
  }
}
