import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import help from '../../src/cli/help.json' with { type: 'json' };
import { examples } from '../../src/cli/oclif.ts';

type HelpRow = { summary?: string; description?: string; examples?: string[][] };

// This script writes oclif.manifest.json with the help texts of help.json, sorted by name to be reproducible.
const file = 'oclif.manifest.json';
const oclifArguments = ['--disable-warning=ExperimentalWarning', 'node_modules/oclif/bin/run.js', 'manifest'];
execFileSync(process.execPath, oclifArguments, { stdio: ['ignore', 'ignore', 'inherit'] });
const { commands, ...otherFields } = JSON.parse(readFileSync(file, 'utf8'));
for (const [id, { examples: rows, ...texts }] of Object.entries<HelpRow>(help))
  Object.assign(commands[id], texts, rows && { examples: examples(...(rows as [string, string][])) });
const sorted = Object.fromEntries(Object.entries(commands).sort(([one], [other]) => (one < other ? -1 : 1)));
writeFileSync(file, JSON.stringify({ commands: sorted, ...otherFields }, null, 2));
