import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { ConfigurationError, UsageError } from '../../errors.ts';
import { shellLine } from '../../format/sanitise.ts';
import { isUnfilled } from '../../store/records/contents.ts';
import type { SyncScope } from '../../sync/context.ts';
import { planSync } from '../../sync/stages.ts';
import { planText } from '../../terminal/sync-text.ts';
import { say } from '../../words/speech.ts';
import { HemicycleCommand } from '../base-command.ts';
import { diskSpaceFor } from '../disk-space.ts';
import { optionalArgument, switchFlag, valueFlag } from '../oclif.ts';
import { isYes, openQuestioner, type Questioner } from '../questioner.ts';
import { settingTable } from '../setting-table.ts';
import { openPrivateFile } from '../settings.ts';

const prompts = {
  'base-url': say`Address of the service (https://service.example/api/v1): `,
  'site-url': say`Its public address, linked in every citation (Enter: the same host): `,
  'token-file': say`File with your token, which allows more requests (Enter: none): `,
};

type PromptedSetting = keyof typeof prompts;

export default class Init extends HemicycleCommand {
  static override args = { url: optionalArgument('address of the service') };
  static override flags = {
    'site-url': valueFlag(settingTable['site-url'].description, 'URL'),
    'token-file': valueFlag('file that holds the token', 'FILE'),
    yes: switchFlag('ask no question, and start'),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Init);
    const { db } = this.settingsWith();
    if (existsSync(db) && !isUnfilled(this.mirror()))
      throw new UsageError(
        say`a mirror already exists at ${db}`,
        say`\`hemicycle sync\` updates it; use --db FILE for another mirror`,
      );
    const ask = flags.yes || flags['site-url'] || flags['token-file'] ? null : openQuestioner(this);
    const { newSettings, settings } = await this.completeSettings({ ...flags, 'base-url': args.url }, ask);
    const { rate } = settings;
    const scope: SyncScope = { only: null, full: false, details: 'changed', ballots: [] };
    const plan = planSync(null, settings.baseUrl!, { scope, rate });
    this.note(planText({ ...plan, room: diskSpaceFor(db) }, rate, this.speech).trimEnd());
    if (ask && !isYes(await ask(say`Start? You can interrupt it and continue later. [Y/n] `), true)) return;
    await this.sync(newSettings, db);
    // The sync printed its own error.
    if (process.exitCode) return;
    await this.offerNightlyJob(ask, db);
  }

  /** The settings to sync with and the new ones to save; prompts for values that are neither typed nor set. */
  private async completeSettings(typed: Partial<Record<PromptedSetting, string | undefined>>, ask: Questioner | null) {
    const rawSettings = this.settingsWith().rawSettings;
    const newSettings: Partial<Record<PromptedSetting, string>> = {};
    for (const key of Object.keys(prompts) as PromptedSetting[]) {
      const input = typed[key] ?? (ask && rawSettings[key].value === null ? await ask(prompts[key]) : '');
      const value = await this.readValidValue(key, input, ask);
      if (value !== '') newSettings[key] = value;
    }
    const settings = this.settingsWith(newSettings);
    if (settings.baseUrl === null)
      throw new UsageError(
        say`the address of the service is not set`,
        say`as in \`hemicycle init https://service.example/api/v1\``,
      );
    if (settings.tokenError) throw settings.tokenError;
    return { newSettings, settings };
  }

  /** The valid value, '' for none; explains an invalid one and asks again, or throws if it may not ask. */
  private async readValidValue(key: PromptedSetting, input: string, ask: Questioner | null): Promise<string> {
    if (input === '') return '';
    const value = key === 'token-file' ? resolve(input.replace(/^~(?=\/)/, homedir())) : input;
    try {
      settingTable[key].parse(value, key);
      const { tokenError } = this.settingsWith({ [key]: value });
      if (key === 'token-file' && tokenError) throw tokenError;
      return value;
    } catch (error) {
      if (ask === null || !(error instanceof ConfigurationError)) throw error;
      this.sinks().stderr(error.phrase);
      return this.readValidValue(key, await ask(prompts[key]), ask);
    }
  }

  /** Runs `sync`, then saves the new settings if there is a mirror. */
  private async sync(newSettings: Partial<Record<PromptedSetting, string>>, db: string): Promise<void> {
    const { json, quiet, debug, lang } = this.common;
    const sharedFlags = Object.entries({ json, quiet, debug }).flatMap(([name, isSet]) => (isSet ? [`--${name}`] : []));
    await this.runCommand('sync', ['--db', db, ...(lang ? ['--lang', lang] : []), ...sharedFlags], newSettings);
    if (!existsSync(db) || Object.keys(newSettings).length === 0) return;
    (await openPrivateFile<string>(this.settingsWith().configPath)).set(newSettings);
  }

  /** Prints a scheduler job if the user wants it; else names the command that prints it. */
  private async offerNightlyJob(ask: Questioner | null, db: string): Promise<void> {
    const scheduler = existsSync('/run/systemd/system') ? 'systemd' : 'cron';
    const argv = [`--${scheduler}`, '-o', join(dirname(db), 'export'), '--db', db];
    if (ask !== null && isYes(await ask(say`Show a job that syncs and exports every night? [y/N] `), false))
      await this.config.runCommand('schedule:print', argv);
    else this.note(say`a job for every night: ${shellLine(['hemicycle', 'schedule', 'print', ...argv])}`);
  }
}
