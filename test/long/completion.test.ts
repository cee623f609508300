import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createDemoMirror } from '../helpers/demo-mirror.ts';

const program = fileURLToPath(new URL('../../bin/run.js', import.meta.url));

describe('completion in the shells themselves', () => {
  let demo: Awaited<ReturnType<typeof createDemoMirror>>;
  let bin: string;
  before(async () => {
    demo = await createDemoMirror();
    bin = mkdtempSync(join(tmpdir(), 'hemicycle-test-'));
    const file = join(bin, 'hemicycle');
    writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
    chmodSync(file, 0o755);
  });
  after(async () => {
    rmSync(bin, { recursive: true });
    await demo.remove();
  });

  function shell(name: string, argv: string[], script: string): string {
    const { PATH, LANG = 'C.UTF-8' } = process.env;
    const env = { PATH: `${bin}:${PATH}`, HOME: demo.folder, HEMICYCLE_DB: demo.db, LANG, TERM: 'xterm' };
    const { stdout, stderr, status } = spawnSync(name, [...argv, script], {
      env,
      encoding: 'utf8',
      cwd: demo.folder,
    });
    expect(status, stderr).to.equal(0);
    return stdout;
  }

  it('works in bash, where an equals sign ends a word', () => {
    const script = `source <(hemicycle completion bash)
      complete -p hemicycle
      for line in 'hemicycle pol' 'hemicycle politicians oceane' 'hemicycle ballots --group AD' 'hemicycle parties --format=c'; do
        COMP_LINE=$line COMP_POINT=\${#line}
        _hemicycle
        echo "\${COMPREPLY[@]}"
      done`;
    expect(shell('bash', ['--norc', '-c'], script).trim().split('\n')).to.deep.equal([
      'complete -F _hemicycle hemicycle',
      'politicians',
      'oceane-bruyevre',
      'ADR',
      'csv',
    ]);
  });

  it('works in fish, with what each word means', () => {
    const script = `hemicycle completion fish | source
      complete -C 'hemicycle politicians oceane'
      complete -C 'hemicycle ballots --group AD'
      complete -C 'hemicycle feed --topic log'`;
    expect(shell('fish', ['--no-config', '-c'], script).trim().split('\n')).to.deep.equal([
      'oceane-bruyevre\tOcéane Bruyèvre',
      'ADR\tAlliance des Rivages',
      'logement',
    ]);
  });

  it('works in zsh, at the prompt', () => {
    const script = `zmodload zsh/zpty
      zpty shell zsh -f -i
      zpty -w shell "PS1='> '; autoload -U compinit; compinit -D; source <(hemicycle completion zsh); print READ\\\\Y"
      zpty -r -m shell output '*READY*'
      for line in 'hemicycle politicians oceane' 'hemicycle ballots --group AD' 'hemicycle feed --topic=log'; do
        zpty -w -n shell $line$'\\t'
        zpty -r -m shell output "*(bruyevre|ADR|logement)*"
        print -r -- $output
        zpty -w -n shell $'\\x15'
      done
      zpty -d shell`;
    const output = shell('zsh', ['-f', '-c'], script);
    for (const word of ['oceane-bruyevre', '--group ADR', '--topic=logement']) expect(output).to.include(word);
  });
});
