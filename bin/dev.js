#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
// Runs the sources without a build: Node 24 strips the types itself.
import { fileURLToPath } from 'node:url';
import pjson from '../package.json' with { type: 'json' };
import { execute } from '../src/cli/execute.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
void execute(process.argv.slice(2), {
  root,
  pjson: {
    ...pjson,
    oclif: {
      ...pjson.oclif,
      commands: './src/cli/commands',
      helpClass: './src/cli/help.ts',
      hooks: { command_not_found: './src/cli/unknown-command.ts' },
    },
  },
  ignoreManifest: true,
});
