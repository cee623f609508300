import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packagingFolder, run } from './staging.ts';

/** Packs the built client, staged in the folder `stage`, as an npm package in `outputFolder`; returns its file name. */
export function packClient(stage: string, outputFolder: string): string {
  for (const from of ['dist/client', join(packagingFolder, 'client')]) cpSync(from, stage, { recursive: true });
  cpSync('LICENSE', join(stage, 'LICENSE'));
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const manifestPath = join(stage, 'package.json');
  writeFileSync(manifestPath, JSON.stringify({ ...JSON.parse(readFileSync(manifestPath, 'utf8')), version }, null, 2));
  return run('npm', ['pack', resolve(stage), '--silent', '--pack-destination', outputFolder]).trim();
}
