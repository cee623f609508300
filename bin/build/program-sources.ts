import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Loader, Plugin } from 'esbuild';

/**
 * An esbuild plugin that prepares sources for a file that `bin/compiled-code.js` evaluates. Dynamic imports
 * of these packages and of Node's modules call `importPackage`, because that file has no module loader. All
 * non-ASCII is escaped, as V8 reads a one-byte file in half the time; esbuild escapes only strings. Throws if
 * either rewrite changes nothing.
 */
export function programSources(packages: readonly string[]): Plugin {
  const imported = new RegExp(`(?<!typeof )\\bimport\\((?='(?:node:|(?:${packages.join('|')})['/]))`, 'g');
  return {
    name: 'program-sources',
    setup(build) {
      const made = { imports: 0, characters: 0 };
      const importPackage = () => {
        made.imports += 1;
        return 'importPackage(';
      };
      const escaped = (unit: string) => {
        made.characters += 1;
        return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
      };
      build.onLoad({ filter: /\.[cm]?[jt]s$/, namespace: 'file' }, ({ path }) => ({
        contents: readFileSync(path, 'utf8')
          .replace(imported, importPackage)
          .replaceAll(path.endsWith('better-sqlite3/lib/binding.js') ? '__dirname' : '\0', 'sqliteFolder()')
          .replace(/[^\0-\x7f]/g, escaped),
        loader: extname(path).slice(-2) as Loader,
      }));
      build.initialOptions.metafile = true;
      build.onEnd(({ metafile }) => {
        for (const [path, { imports }] of Object.entries(metafile?.inputs ?? {}))
          for (const { kind, external, path: name } of imports)
            if (kind === 'dynamic-import' && external)
              throw new Error(`program-sources left import('${name}') in ${path}, which has no loader`);
        for (const [what, count] of Object.entries(made))
          if (count === 0)
            throw new Error(`program-sources found no ${what} to change: is the pattern still right?`);
      });
    },
  };
}
