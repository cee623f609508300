import { HemicycleCommand } from '../base-command.ts';

export default class Version extends HemicycleCommand {
  async run(): Promise<void> {
    await this.parse(Version);
    const { name, version, userAgent } = this.config;
    const { platform, arch, version: node } = process;
    await this.print({ name, version, platform: `${platform}-${arch}`, node }, userAgent);
  }
}
