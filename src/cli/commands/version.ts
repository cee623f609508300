import { HemicycleCommand } from '../base-command.ts';
import { examples } from '../oclif.ts';

export default class Version extends HemicycleCommand {
  static override summary = 'the version of the program, and of Node under it';
  static override examples = examples(
    ['The same as --version', 'version'],
    ['For a script', 'version --json'],
  );

  async run(): Promise<void> {
    await this.parse(Version);
    const { name, version, userAgent } = this.config;
    const stated = { name, version, platform: `${process.platform}-${process.arch}`, node: process.version };
    await this.print(stated, userAgent);
  }
}
