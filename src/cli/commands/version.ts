import { HemicycleCommand } from '../base-command.ts';

export default class Version extends HemicycleCommand {
  static override summary = 'the version of the program, and of Node under it';
  static override examples = [
    { description: 'The same as --version', command: '<%= config.bin %> version' },
    { description: 'For a script', command: '<%= config.bin %> version --json' },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(Version);
    const { name, version, userAgent } = this.config;
    const stated = { name, version, platform: `${process.platform}-${process.arch}`, node: process.version };
    await this.sinks().stdout.write(`${flags.json ? JSON.stringify(stated) : userAgent}\n`);
  }
}
