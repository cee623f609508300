#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
// Runs the sources without a bundle: Node 24 strips types. Manifest and page assets come from the last build.
import { fileURLToPath } from 'node:url';
import pjson from '../package.json' with { type: 'json' };
import { execute } from '../src/cli/execute.ts';

const [first, ...remainingWords] = process.argv.slice(2);
const argv = first === '--version' || first === '-v' ? ['version', ...remainingWords] : process.argv.slice(2);
void execute(argv, { root: fileURLToPath(new URL('..', import.meta.url)), pjson });
