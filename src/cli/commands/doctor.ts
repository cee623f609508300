import { exitCodes, orNull, VerificationError } from '../../errors.ts';
import type { Mirror } from '../../store/mirror.ts';
import { openMirror } from '../../store/open.ts';
import { listDrifts } from '../../store/syncs/shapes.ts';
import { checksText } from '../../terminal/doctor-view.ts';
import { figure, say, saying, verbatim } from '../../words/speech.ts';
import { serviceSettingsOf } from '../answerer.ts';
import { HemicycleCommand } from '../base-command.ts';
import { type BudgetLeft, readBudgetLeft } from '../budget-left.ts';
import {
  addressCheck,
  clockCheck,
  diskCheck,
  type ProbeResult,
  proxyCheck,
  settingsCheck,
  tlsCheck,
  uncountedRequestsFinding,
} from '../connection-checks.ts';
import { checkCopies, copyAdvice, copyPhrase, mayContainWithheld } from '../copy-list.ts';
import { type Finding, mirrorChecks, okFinding, problemFinding, runChecks } from '../mirror-checks.ts';
import { switchFlag } from '../oclif.ts';
import type { Settings } from '../settings.ts';

export default class Doctor extends HemicycleCommand {
  static override flags = { offline: switchFlag('send no request to the service') };

  async run(): Promise<void> {
    const { flags } = await this.parse(Doctor);
    const { checks, drift } = await this.runAllChecks(flags.offline);
    const problems = checks.filter(({ level }) => level === 'problem');
    const exit = problems.length > 0 ? exitCodes.verification : exitCodes.ok;
    const checkReports = checks.map(({ name, level, says, todo, lines = [] }) => ({
      name,
      level,
      says: String(says),
      todo: todo === null ? null : String(todo),
      found: lines.map(String),
    }));
    await this.print({ checks: checkReports, drift, exit }, flags.json ? '' : checksText(checks, this.terminal()));
    if (exit === exitCodes.ok) return;
    throw new VerificationError(
      saying(
        (speech) => speech.say`problems were found: ${speech.list(problems.map(({ name }) => speech.word(name)))}`,
      ),
      say`see the advice of each check`,
    );
  }

  private async runAllChecks(isOffline: boolean) {
    const settings = orNull(() => this.settingsWith());
    const path = settings?.db ?? this.common.db ?? process.env.HEMICYCLE_DB ?? '';
    const open = (): Mirror => this.closeAtEnd(openMirror(path));
    const mirror = orNull(open);
    const serviceSettings = settings && mirror ? serviceSettingsOf(settings, mirror) : settings;
    const budget = await readBudgetLeft(serviceSettings);
    const probeResult = await this.probeService(serviceSettings, budget, isOffline);
    const nowMs = Date.now();
    const baseUrl = serviceSettings?.baseUrl ?? null;
    const dateMs = typeof probeResult === 'string' ? null : probeResult.dateMs;
    const checks = {
      settings: () => settingsCheck(this.settingsWith()),
      ...(mirror && mirrorChecks(mirror, nowMs)),
      // Reopen a mirror that could not be opened, so that `runChecks` reports the error.
      mirror: mirror === null && path !== '' ? () => okFinding(verbatim(open().path)) : null,
      disk: settings && (() => diskCheck(settings.db)),
      clock: settings && (() => clockCheck(dateMs, nowMs)),
      proxy: () => proxyCheck(process.env, baseUrl),
      TLS: () => tlsCheck(process.env),
      address: settings && (() => addressCheck(baseUrl, probeResult)),
      budget: budget?.left === null ? uncountedRequestsFinding : null,
      copies: mirror && (() => this.exportedCopiesCheck(mirror, isOffline)),
    };
    return { checks: await runChecks(checks, path), drift: (mirror && orNull(() => listDrifts(mirror))) ?? [] };
  }

  private async exportedCopiesCheck(mirror: Mirror, isOffline: boolean): Promise<Finding> {
    const copies = await checkCopies(this, mirror, isOffline);
    const lines = copies.filter(mayContainWithheld).map((report) => say`${report.copy}: ${copyPhrase(report)}`);
    if (lines.length > 0) return problemFinding(say`copies may still contain withheld records`, copyAdvice, lines);
    return okFinding(say`copies checked: ${figure(copies.length)}; none contains a withheld record`);
  }

  /** Sends one request to the service; returns the date or error of the answer, or the reason for sending none. */
  private async probeService(settings: Settings | null, budget: BudgetLeft | null, isOffline: boolean) {
    if (isOffline || !settings?.baseUrl) return 'offline';
    if (budget === null || !budget.left || budget.blocked_until !== null) return 'no budget';
    const result: ProbeResult = { error: null, dateMs: null };
    try {
      const onDate = (dateMs: number) => {
        result.dateMs = dateMs;
      };
      const client = await this.client(settings, { limits: { attempts: 1 }, isUrgent: true, onDate });
      await client.getJson('/politicians', { limit: 20 });
    } catch (error) {
      result.error = error as Error;
    }
    return result;
  }
}
