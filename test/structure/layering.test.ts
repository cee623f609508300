import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const src = fileURLToPath(new URL('../../src', import.meta.url));

/** A lower rank knows nothing of a higher one; folders of one rank know nothing of each other. */
const ranks: string[][] = [
  ['exit-codes.ts'],
  ['model', 'language', 'errors.ts'],
  ['service', 'store', 'format'],
  ['questions', 'sync', 'export'],
  ['terminal', 'server'],
  ['cli', 'index.ts'],
];

/** Steps back up that stand from before the rooms were named; each is to be mended. */
const known = new Set([
  'export/interruptible.ts imports terminal/export-progress.ts',
  'export/sqlite.ts imports terminal/export-progress.ts',
  'export/table.ts imports terminal/export-progress.ts',
  'questions/service-source.ts imports sync/ballots.ts',
  'questions/service-source.ts imports sync/details.ts',
  'questions/service-source.ts imports sync/updated.ts',
  'server/run/parts.ts imports cli/base-command.ts',
  'server/run/parts.ts imports cli/serve-flags.ts',
  'server/run/parts.ts imports cli/settings.ts',
  'server/run/parts.ts imports terminal/answer.ts',
  'server/run/settings.ts imports cli/base-command.ts',
  'server/run/settings.ts imports cli/settings.ts',
  'server/run/settings.ts imports cli/token-command.ts',
  'sync/import.ts imports export/former.ts',
]);

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: readFileSync(join(src, path), 'utf8') }));

const placeOf = (path: string) => path.split('/')[0]!;
const rankOf = (path: string) => ranks.findIndex((places) => places.includes(placeOf(path)));

/** Places where a thing may be named, and the pattern that names it. */
const confined: { what: string; pattern: RegExp; allowed: RegExp }[] = [
  { what: 'undici', pattern: /['"]undici['"]/, allowed: /^service\// },
  { what: 'new Database', pattern: /new Database\(/, allowed: /^store\/open\.ts$/ },
  {
    what: 'SQL',
    pattern: /\b(SELECT [\s\S]{1,80}? FROM|INSERT (OR \w+ )?INTO|DELETE FROM|UPDATE \w+ SET)\b/,
    allowed: /^(store|export)\//,
  },
  {
    what: 'process',
    pattern: /\bprocess\.[a-z]/,
    allowed: /^(cli\/.*|server\/run\/.*|terminal\/terminal\.ts)$/,
  },
];

describe('the layers of src/', () => {
  it('give every file a rank', () => {
    expect(files.filter(({ path }) => rankOf(path) < 0).map(({ path }) => path)).to.deep.equal([]);
  });

  it('import only from a lower rank or from their own folder', () => {
    const wrong = files.flatMap(({ path, text }) =>
      [...text.matchAll(/from '(\.[^']*)'|import\('(\.[^']*)'\)/g)]
        .map((found) => normalize(join(dirname(path), found[1] ?? found[2]!)))
        .filter(
          (target) =>
            placeOf(target) !== placeOf(path) &&
            rankOf(target) >= rankOf(path) &&
            rankOf(path) < ranks.length - 1,
        )
        .map((target) => `${path} imports ${target}`)
        .filter((step) => !known.has(step)),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('let no command import another', () => {
    const wrong = files.filter(
      ({ path, text }) => path.startsWith('cli/commands/') && /from '\.\/[a-z-]+\.ts'/.test(text),
    );
    expect(wrong.map(({ path }) => path)).to.deep.equal([]);
  });

  for (const { what, pattern, allowed } of confined) {
    it(`name ${what} only where it belongs`, () => {
      expect(
        files.filter(({ path, text }) => pattern.test(text) && !allowed.test(path)).map(({ path }) => path),
      ).to.deep.equal([]);
    });
  }

  it('hold no file whose name says nothing', () => {
    expect(
      files.filter(({ path }) => /(utils?|helpers?|common|misc|manager|shared|types)\.ts$/.test(path)),
    ).to.deep.equal([]);
  });

  it('hold no file of more than 300 lines', () => {
    const long = files.filter(({ text }) => text.split('\n').length > 300).map(({ path }) => path);
    expect(long).to.deep.equal([]);
  });
});
