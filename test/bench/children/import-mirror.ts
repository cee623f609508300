import { performance } from 'node:perf_hooks';
import { openWritableMirror } from '../../../src/store/open.ts';
import { findImportFiles, importFiles } from '../../../src/sync/import.ts';
import { report } from '../child.ts';

// Imports a folder of files into a mirror; prints wall time and the number of added records.
const [folder, path] = process.argv.slice(2) as [string, string];
const startedAt = performance.now();
const mirror = openWritableMirror(path);
const results = await importFiles(mirror, findImportFiles(folder), { at: '2026-11-01T00:00:00.000Z' });
mirror.close();
const records = results.reduce((sum, { outcomes }) => sum + (outcomes?.added ?? 0), 0);
report({ seconds: (performance.now() - startedAt) / 1000, records });
