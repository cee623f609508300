const fs = process.getBuiltinModule('node:fs');
const { dirname, isAbsolute, join } = process.getBuiltinModule('node:path');
const { createRequire } = process.getBuiltinModule('node:module');
const { Script } = process.getBuiltinModule('node:vm');
const { crc32 } = process.getBuiltinModule('node:zlib');

/** Runs an ASCII file that is one function (as CommonJS), with the V8 code cache `name`; returns its exports. */
export function loadCompiled(file, name) {
  const { size, mtimeMs, ino } = fs.statSync(file);
  const identity = `${file} ${size} ${mtimeMs} ${ino} ${process.version} ${process.arch}`;
  const sum = (data) => crc32(data, crc32(identity)).toString(16).padStart(8, '0');
  const path = optional(() => cachePath(`${name}.code`));
  const stored = optional(() => fs.readFileSync(checkPrivate(path))) ?? Buffer.alloc(0);
  const cachedData = stored.toString('latin1', 0, 8) === sum(stored.subarray(8)) ? stored.subarray(8) : undefined;
  const script = new Script(fs.readFileSync(file, 'latin1'), { filename: file, cachedData });
  if (path && (!cachedData || script.cachedDataRejected))
    process.once('exit', (exit) => exit === 0 && optional(() => keep(path, script.createCachedData(), sum)));
  const module = { exports: {} };
  const run = script.runInThisContext();
  if (run === undefined) throw new SyntaxError(`${file} is empty`);
  run(module.exports, createRequire(file), module, file, dirname(file), (name) => import(name));
  return module.exports;
}

function cachePath(name) {
  const { HOME, XDG_CACHE_HOME = '' } = process.env;
  const cache = isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(HOME, '.cache');
  const folder = join(cache, 'hemicycle', 'compiled');
  // One by one: `recursive` never returns below /proc.
  for (const each of fs.existsSync(folder) ? [] : [cache, dirname(folder), folder])
    if (!fs.existsSync(each)) fs.mkdirSync(each, 0o700);
  return join(checkPrivate(folder), name);
}

/** Returns the path; throws on Windows, for a link, or if others can access it: cached code is executed. */
function checkPrivate(path) {
  const { uid, mode } = fs.lstatSync(path);
  if (uid === process.getuid() && (mode & 0o077) === 0) return path;
  throw new Error(`${path} is not private`);
}

function keep(path, data, sum) {
  const temporaryPath = `${path}.${process.pid}`;
  try {
    fs.writeFileSync(temporaryPath, Buffer.concat([Buffer.from(sum(data)), data]), { mode: 0o600, flag: 'wx' });
    fs.renameSync(temporaryPath, path);
  } finally {
    fs.rmSync(temporaryPath, { force: true });
  }
}

/** The result; undefined if it throws, because the cache is optional. */
function optional(get) {
  try {
    return get();
  } catch {
    return undefined;
  }
}
