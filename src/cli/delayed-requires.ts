import { readFileSync, writeFileSync } from 'node:fs';

/** How a module of ours names one of Node's, in the program's one file. */
const ofNode =
  /(?<![\w$.])(import_\w+)\s*=\s*(__toESM\()?(require\("node:[\w/]+"\))(?:,\s*1\)|\))?(?=[\s;,}])/g;

/** How a module of oclif names another, as it is or made an ES module by a helper. */
const ofOclif =
  /(?<![\w$.])(?:const|var)\s+([\w$]+)\s*=\s*(?:(__import(?:Default|Star)\d*\()\s*)?(require\w*\((?:"[^"]+")?\))\)?\s*;/g;

/** How the one file names modules of packages that are no ES modules. */
const commonJs = '__commonJS({"node_modules/';

/** Where SQLite's package has its `lib`: beside the file's folder, or wherever Node looks, which takes longer than to open it. */
const placeOfSqlite = `((near)=>require("node:fs").existsSync(near)?near:require("node:path").dirname(require.resolve("better-sqlite3")))(require("node:path").join(__dirname,"../node_modules/better-sqlite3/lib"))`;

/** An import that stays one: what is imported from our own files is part of the one file. */
const ofPackages = /(?<![\w$.])import\((?=")/g;

/**
 * Rewrites the program's one file so that it evaluates modules of Node and of oclif when they are first used, not when they
 * are named: a command uses a few, and all of them would take longer than most commands do. Packages that are imported are
 * asked for from `importPackage`, which who evaluates the file gives it. What is not ASCII is escaped, because V8 reads a
 * file of one byte a character in half the time.
 */
export function delayRequires(file: string): void {
  const modules = readFileSync(file, 'utf8').split(/(?=\b(?:__commonJS|__esm)\(\{)/);
  const delayed = modules.map((module) => {
    if (module.startsWith(`${commonJs}@oclif/core/`)) return delayedIn(module, ofOclif);
    // SQLite itself stays in its package: its JavaScript, of many small files, looks for it where it no longer stands.
    if (module.startsWith(`${commonJs}better-sqlite3/`)) return module.replaceAll('__dirname', placeOfSqlite);
    return module;
  });
  writeFileSync(file, escaped(delayedNode(delayed.join('')).replace(ofPackages, 'importPackage(')));
}

function delayedIn(module: string, pattern: RegExp): string {
  const calls = new Map<string, string>();
  const rest = module.replace(pattern, (_, name: string, helper: string | undefined, call: string) => {
    calls.set(name, helper === undefined ? `(${call})` : `(${helper}${call}))`);
    return '';
  });
  return replacedNames(rest, calls);
}

/** A function that is called for each record asks for its module once. */
function delayedNode(code: string): string {
  const calls = new Map<string, string>();
  const rest = code.replace(ofNode, (_, name: string, isDefault: string | undefined, call: string) => {
    // A copy of the module, as esbuild would make one, evaluates what its getters put off.
    calls.set(name, `(${name}??=${isDefault ? `{__proto__:${call},default:${call}}` : call})`);
    return `${name}=void 0`;
  });
  return replacedNames(rest, calls, '(?=\\.)');
}

function replacedNames(code: string, calls: Map<string, string>, behind = '(?![\\w$])'): string {
  if (calls.size === 0) return code;
  const names = [...calls.keys()].map((name) => name.replaceAll('$', '\\$')).join('|');
  return code.replace(new RegExp(`(?<![\\w$.])(?:${names})${behind}`, 'g'), (name) => calls.get(name)!);
}

function escaped(code: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all that is ASCII is kept.
  return code.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
