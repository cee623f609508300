import { HemicycleCommand } from '../base-command.ts';

export default class Version extends HemicycleCommand {
  async run(): Promise<void> {
    await this.parse(Version);
    const { name, version, userAgent } = this.config;
    const versionInfo = {
      name,
      version,
      platform: `${process.platform}-${process.arch}`,
      node: process.version,
    };
    await this.print(versionInfo, userAgent);
  }
}
