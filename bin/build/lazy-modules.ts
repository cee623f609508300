import { realpathSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, sep } from 'node:path';
import type { Plugin } from 'esbuild';

const require = createRequire(import.meta.url);

/** Modules of Node that cannot wait: what they export is a function, or has methods that ask for `this`. */
const eager = new Set(['assert', 'assert/strict', 'cluster', 'events', 'module', 'process', 'stream']);

/** Handlers of a proxy that loads the module when it is called, or the first of its exports asked for. */
const lazily = (load: string) =>
  `let all;const loaded=()=>all??=${load};const lazily={apply:(_,self,args)=>loaded()(...args),get:(_,name)=>name==='__esModule'||(name==='default'&&!loaded().__esModule?all:loaded()[name])};`;

/**
 * An esbuild plugin after which modules of Node, and the files of the package at `folder` among themselves, are evaluated
 * when they are first used. Throws where it has found none: a bundle without it would start twice as slowly, in silence.
 */
export function lazyModules(folder = dirname(require.resolve('@oclif/core/package.json'))): Plugin {
  const inside = realpathSync(folder) + sep;
  return {
    name: 'lazy-modules',
    setup(build) {
      const made = { builtins: new Set<string>(), files: new Set<string>() };
      build.onResolve({ filter: /^(node:)?[a-z_/]+$/ }, ({ path }) => {
        const name = path.replace('node:', '');
        if (!isBuiltin(path) || eager.has(name)) return null;
        made.builtins.add(name);
        return { path: name, namespace: 'lazy-builtin' };
      });
      build.onResolve(
        { filter: /./ },
        async ({ path, importer, namespace, resolveDir, kind, pluginData }) => {
          if (pluginData === 'found' || namespace !== 'file' || kind !== 'require-call') return null;
          if (!importer.startsWith(inside)) return null;
          const found = await build.resolve(path, { importer, resolveDir, kind, pluginData: 'found' });
          if (found.external || !found.path.endsWith('.js')) return found;
          made.files.add(found.path);
          return { path: found.path, namespace: 'lazy-file', pluginData: { resolveDir } };
        },
      );
      build.onLoad({ filter: /.*/, namespace: 'lazy-builtin' }, ({ path }) => ({
        // Without names of its own, because esbuild copies those for who imports it, and leaves what it inherits.
        contents: `${lazily(`process.getBuiltinModule('node:${path}')`)}module.exports=Object.create(new Proxy({},lazily))`,
      }));
      build.onLoad({ filter: /.*/, namespace: 'lazy-file' }, ({ path, pluginData }) => ({
        contents: `${lazily(`require(${JSON.stringify(path)})`)}module.exports=new Proxy(()=>{},lazily)`,
        resolveDir: pluginData.resolveDir,
      }));
      build.onEnd(() => {
        for (const [what, names] of Object.entries(made))
          if (names.size === 0)
            throw new Error(`lazy-modules found no ${what} to put off: is the filter still right?`);
      });
    },
  };
}
