import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

/** oclif writes commands in load order; sorted, the file changes only when they do. */
const file = 'oclif.manifest.json';
execFileSync('node_modules/.bin/oclif', ['manifest'], { stdio: ['ignore', 'ignore', 'inherit'] });
const { commands, ...rest } = JSON.parse(readFileSync(file, 'utf8'));
const sorted = Object.fromEntries(Object.entries(commands).sort(([one], [other]) => (one < other ? -1 : 1)));
writeFileSync(file, JSON.stringify({ commands: sorted, ...rest }, null, 2));
