#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
// Runs the sources without a build: Node 24 strips the types itself.
import { fileURLToPath } from 'node:url';
import { execute } from '@oclif/core';
import pjson from '../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('..', import.meta.url));
void execute({
  loadOptions: {
    root,
    pjson: { ...pjson, oclif: { ...pjson.oclif, commands: './src/commands' } },
    ignoreManifest: true,
  },
});
