import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { orNull } from '../../errors.ts';
import { sanitiseLine } from '../../format/sanitise.ts';
import { HemicycleCommand } from '../base-command.ts';
import { completionsFor, type ReadMirror } from '../completion.ts';
import { readManifest } from '../manifest.ts';
import { argument, switchFlag } from '../oclif.ts';

/** Script per shell, which the build copies from `cli/completions`; it calls the program for flags and records. */
const scripts = { bash: 'hemicycle.bash', zsh: '_hemicycle', fish: 'hemicycle.fish' };

export default class Completion extends HemicycleCommand {
  static override strict = false;
  static override args = { shell: argument('bash, zsh or fish', Object.keys(scripts)) };
  static override flags = { words: switchFlag('complete the last word after --; used by the script') };

  async run(): Promise<void> {
    const { argv, args, flags } = await this.parse(Completion);
    const { stdout } = this.sinks();
    if (!flags.words) {
      const file = scripts[args.shell as keyof typeof scripts];
      return stdout.write(readFileSync(join(this.config.root, 'dist/completions', file), 'utf8'));
    }
    const settings = this.settingsWith();
    // Completion prints no errors.
    const readMirror: ReadMirror = (read) => orNull(() => read(this.mirror(settings))) ?? [];
    const completions = completionsFor((argv as string[]).slice(1), readManifest(this.config.root), readMirror);
    // Words with spaces need quoting, which differs from shell to shell.
    const words = completions.filter(({ word }) => !/\s/.test(word));
    await stdout.write(words.map(({ word, meaning }) => `${word}\t${sanitiseLine(meaning)}\n`).join(''));
  }
}
