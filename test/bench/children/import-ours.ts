import { performance } from 'node:perf_hooks';
import { openWritableMirror } from '../../../src/store/open.ts';
import { findImportFiles, importFiles } from '../../../src/sync/import.ts';
import { report } from '../child.ts';

const [folder, path] = process.argv.slice(2) as [string, string];
const begin = performance.now();
const mirror = openWritableMirror(path);
const results = await importFiles(mirror, findImportFiles(folder), { at: '2026-11-01T00:00:00.000Z' });
mirror.close();
const records = results.reduce((sum, { outcomes }) => sum + (outcomes?.added ?? 0), 0);
report({ seconds: (performance.now() - begin) / 1000, records });
