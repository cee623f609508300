import { resolve } from 'node:path';
import { UsageError } from '../../../errors.ts';
import { schedulers, scheduleText } from '../../../terminal/schedule-text.ts';
import { say } from '../../../words/speech.ts';
import { HemicycleCommand } from '../../base-command.ts';
import { jobFlags, jobsFor } from '../../jobs.ts';
import { Flags, switchFlag } from '../../oclif.ts';
import { printWorkflow } from '../../schedule-workflow.ts';
import { settingKeys } from '../../setting-table.ts';
import type { Settings } from '../../settings.ts';

export default class SchedulePrint extends HemicycleCommand {
  static override flags = {
    cron: switchFlag('lines for a crontab', { exclusive: ['systemd', 'github'] }),
    systemd: switchFlag('systemd services and timers', { exclusive: ['cron', 'github'] }),
    github: switchFlag('GitHub Actions workflow that syncs and deploys the pages to GitHub Pages', {
      exclusive: ['cron', 'systemd'],
    }),
    at: Flags.string({ description: 'time of day', helpValue: 'HH:MM', default: '03:17' }),
    ...jobFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(SchedulePrint);
    const scheduler = schedulers.find((each) => flags[each]);
    if (!scheduler && !flags.github)
      throw new UsageError(say`no scheduler was given`, say`choose --cron, --systemd or --github`);
    const time = parseTimeOfDay(flags.at);
    const settings = this.settingsWith();
    if (!scheduler) return printWorkflow(this, time);
    const jobs = jobsFor(flags, settings, schedulableProgram(this.config.bin));
    const { stdout, stderr } = this.sinks();
    await stdout.write(scheduleText(scheduler, { jobs, ...time }, this.speech));
    for (const warning of environmentWarnings(settings)) stderr(warning);
  }
}

function parseTimeOfDay(text: string): { hour: number; minute: number } {
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hour === undefined) throw new UsageError(say`--at "${text}" is not a time of day`, say`write 03:17`);
  return { hour: Number(hour), minute: Number(minute) };
}

const proxyVariables = 'HTTPS_PROXY https_proxy HTTP_PROXY http_proxy NO_PROXY no_proxy'.split(' ');

const environmentProxies = () => proxyVariables.filter((name) => process.env[name]);

/** True for a proxy with a password, which a crontab must not contain. */
const hasPassword = (name: string) => process.env[name]!.includes('@');

/** The words that run this program from a scheduler, which has another working directory, PATH and environment. */
function schedulableProgram(bin: string): string[] {
  const { NODE_EXTRA_CA_CERTS: certificates, HEMICYCLE_LAUNCHER: launcher } = process.env;
  const proxies = environmentProxies().filter((name) => !hasPassword(name));
  const environmentArguments = [
    ...proxies.map((name) => `${name}=${process.env[name]}`),
    ...(certificates ? [`NODE_EXTRA_CA_CERTS=${resolve(certificates)}`] : []),
  ];
  // The launcher of a package has the same path in every version; process.execPath may change.
  const program = launcher ? [launcher] : [process.execPath, process.argv[1] ?? bin];
  return environmentArguments.length > 0 ? ['/usr/bin/env', ...environmentArguments, ...program] : program;
}

/** Warnings about settings that the scheduler will lack. */
function environmentWarnings({ rawSettings, baseUrl }: Settings) {
  // The printed commands contain the mirror and the service, so the scheduler does not need their variables.
  const environmentOnlyKeys = settingKeys.filter(
    (key) => rawSettings[key].origin === 'environment' && !['db', 'base-url'].includes(key),
  );
  const secretProxies = environmentProxies().filter(hasPassword);
  return [
    environmentOnlyKeys.length > 0 &&
      say`set only in your environment, which the scheduler does not have: ${environmentOnlyKeys.join(', ')}; save them with \`hemicycle config set\``,
    secretProxies.length > 0 &&
      say`set only in your environment, with a password: ${secretProxies.join(', ')}; add it to the environment of the scheduler`,
    baseUrl === null &&
      say`the address of the service is not set, so the sync will end with exit 10: \`hemicycle config set base-url URL\``,
  ].filter((warning) => warning !== false);
}
