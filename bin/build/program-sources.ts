import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Loader, Plugin } from 'esbuild';

/**
 * An esbuild plugin that prepares sources as they are loaded, for a file that `bin/compiled-code.js` evaluates. These packages
 * and Node's own modules are imported by the function `importPackage`, because the file has no loader of modules. What is not ASCII is escaped: esbuild
 * does so in strings alone, and V8 reads a file of one byte a character in half the time. Throws where one of both found nothing.
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
