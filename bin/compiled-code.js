const fs = process.getBuiltinModule('node:fs');
const { dirname, isAbsolute, join } = process.getBuiltinModule('node:path');
const { createRequire } = process.getBuiltinModule('node:module');
const { Script } = process.getBuiltinModule('node:vm');
const { crc32 } = process.getBuiltinModule('node:zlib');

/** Runs an ASCII file that is one CommonJS function, with V8's code cache in the file `name`; returns its exports. */
export function loadCompiled(file, name) {
  const { size, mtimeMs, ino } = fs.statSync(file);
  const identity = `${file} ${size} ${mtimeMs} ${ino} ${process.version} ${process.arch}`;
  const checksum = (data) => crc32(data, crc32(identity)).toString(16).padStart(8, '0');
  const path = optional(() => cachePath(`${name}.code`));
  const stored = optional(() => fs.readFileSync(checkPrivate(path))) ?? Buffer.alloc(0);
  const cachedData = stored.toString('latin1', 0, 8) === checksum(stored.subarray(8)) ? stored.subarray(8) : undefined;
  const script = new Script(fs.readFileSync(file, 'latin1'), { filename: file, cachedData });
  if (path && (!cachedData || script.cachedDataRejected))
    process.once('exit', (exit) => exit === 0 && optional(() => storeCache(path, script.createCachedData(), checksum)));
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
  // Not `recursive`: for a path below /proc, Node's mkdir would never return.
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

/** Writes the checksum (8 characters) and the data atomically to a file that only this user can read. */
function storeCache(path, data, checksum) {
  const temporaryPath = `${path}.${process.pid}`;
  try {
    fs.writeFileSync(temporaryPath, Buffer.concat([Buffer.from(checksum(data)), data]), { mode: 0o600, flag: 'wx' });
    fs.renameSync(temporaryPath, path);
  } finally {
    fs.rmSync(temporaryPath, { force: true });
  }
}

/** The result of `get`; undefined if it throws, since the program also works without a cache. */
function optional(get) {
  try {
    return get();
  } catch {
    return undefined;
  }
}
