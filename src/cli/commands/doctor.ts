import { NoMirrorError, VerificationError } from '../../errors.ts';
import type { ShapeChange } from '../../model/drift.ts';
import { takeLock } from '../../store/lock.ts';
import { asMirrorError, type Mirror } from '../../store/mirror.ts';
import { openMirror, openWritableMirror } from '../../store/open.ts';
import { acceptDrift, type Drift, driftOf, drifts } from '../../store/syncs/shapes.ts';
import { atOnce } from '../../store/transaction.ts';
import { type Check, checksText } from '../../terminal/checks-view.ts';
import { say, saying } from '../../words/speech.ts';
import { knownService } from '../answerer.ts';
import { type CommonFlags, HemicycleCommand } from '../base-command.ts';
import { type BudgetLeft, budgetLeft } from '../budget-left.ts';
import { driftFound, failed, guarded, mirrorChecks } from '../mirror-checks.ts';
import { Flags, type Interfaces } from '../oclif.ts';
import type { Settings } from '../settings.ts';
import {
  addressCheck,
  clockCheck,
  diskCheck,
  type ProbeResult,
  proxyCheck,
  settingsCheck,
  tlsCheck,
  uncountedRequests,
} from '../way-checks.ts';

type DoctorFlags = CommonFlags & { offline: boolean; accept: boolean };

export default class Doctor extends HemicycleCommand {
  static override summary = 'whether everything is as it should be, and what to do where it is not';
  static override description =
    'Looks at the settings, the file of the mirror, the disk, the clock, the way to the service, and whether its answers still look as they did. One request is made, within the budget. Exits 12 where there is a problem; a warning alone is exit 0. What the mirror holds and how syncs ended is told by `status`, where settings came from by `config list --origin`.';
  static override examples = [
    { description: 'A look', command: '<%= config.bin %> doctor --offline' },
    { description: 'For a monitor', command: '<%= config.bin %> doctor --json --offline' },
  ];
  static override flags: Interfaces.FlagInput = {
    offline: Flags.boolean({ description: 'ask the service nothing' }),
    accept: Flags.boolean({
      description: 'take what answers look like now for usual, and tell no more how they looked before',
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Doctor);
    if (flags.accept) return this.accept(flags as DoctorFlags);
    const { checks, drift } = await this.examine(flags as DoctorFlags);
    const problems = checks.filter(({ level }) => level === 'problem');
    const exit = problems.length > 0 ? 12 : 0;
    await this.sinks().stdout.write(
      flags.json
        ? `${JSON.stringify({ checks: checks.map(plain), drift, exit })}\n`
        : checksText(checks, this.terminal(flags)),
    );
    if (exit === 0) return;
    throw new VerificationError(
      saying(
        (speech) =>
          speech.say`problems were found: ${speech.list(problems.map(({ name }) => speech.word(name)))}`,
      ),
      say`each check says what to do`,
    );
  }

  private async examine(flags: DoctorFlags) {
    const settings = this.readable(flags);
    if (settings instanceof Error) {
      const db = flags.db ?? process.env.HEMICYCLE_DB;
      const held = db === undefined ? [] : this.held(this.opened(db));
      const checks = [failed('settings', settings), ...held, ...this.wayChecks(null)];
      return { checks, drift: [] };
    }
    const mirror = this.opened(settings.db);
    const known = mirror instanceof Error ? settings : knownService(settings, mirror);
    const budget = await budgetLeft(known);
    const asked = await this.asked(known, budget, flags);
    const { baseUrl = null } = known ?? {};
    const answered = typeof asked === 'string' ? null : asked;
    const drift = mirror instanceof Error ? [] : await this.drift(mirror, answered);
    const checks = [
      guarded('settings', () => settingsCheck(settings, settings.configPath)),
      ...this.held(mirror).map((check) =>
        check.name === 'drift' && drift.length > 0 ? driftFound(drift) : check,
      ),
      guarded('disk', () => diskCheck(settings.db)),
      clockCheck(answered?.dateMs ?? null, Date.now()),
      ...this.wayChecks(baseUrl),
      addressCheck(baseUrl, asked),
      ...(budget?.left === null ? [uncountedRequests()] : []),
    ];
    return { checks, drift };
  }

  private readable(flags: DoctorFlags): Settings | Error {
    try {
      return this.settingsWith(flags);
    } catch (error) {
      return error as Error;
    }
  }

  private opened(path: string): Mirror | Error {
    try {
      return this.closing(openMirror(path));
    } catch (error) {
      return asMirrorError(path, error) as Error;
    }
  }

  private held(mirror: Mirror | Error): Check[] {
    return mirror instanceof Error ? [failed('mirror', mirror)] : mirrorChecks(mirror, Date.now());
  }

  private wayChecks(baseUrl: string | null): Check[] {
    return [
      guarded('proxy', () => proxyCheck(process.env, baseUrl)),
      guarded('TLS', () => tlsCheck(process.env, Date.now())),
    ];
  }

  /** Probes the service with one request, for the list that every service of the interface has. */
  private async asked(
    settings: Settings | null,
    budget: BudgetLeft | null,
    flags: DoctorFlags,
  ): Promise<ProbeResult | 'offline' | 'no budget'> {
    if (flags.offline || !settings?.baseUrl) return 'offline';
    if (budget === null || !budget.left || budget.blocked_until !== null) return 'no budget';
    const asked: ProbeResult = { answer: null, error: null, dateMs: null };
    try {
      const onDate = (dateMs: number) => {
        asked.dateMs = dateMs;
      };
      const client = await this.client(settings, flags, { attempts: 1, isUrgent: true, onDate });
      asked.answer = await client.getJson('/politicians', { limit: 20 });
    } catch (error) {
      asked.error = error as Error;
    }
    return asked;
  }

  /** Drift noted by syncs, and that of the answer just received. */
  private async drift(mirror: Mirror, asked: ProbeResult | null): Promise<(ShapeChange & Partial<Drift>)[]> {
    try {
      const noted = drifts(mirror);
      if (!asked?.answer) return noted;
      const { shapeOfAnswer: metIn } = await import('../../sync/shape-log.ts');
      const met = metIn(asked.answer, '/politicians', {});
      const isNoted = ({ change, field }: ShapeChange) =>
        noted.some((each) => each.subject === met!.subject && each.change === change && each.field === field);
      const now = (met && driftOf(mirror, met)) ?? [];
      return [
        ...noted,
        ...now.filter((change) => !isNoted(change)).map((each) => ({ ...each, subject: met!.subject })),
      ];
    } catch {
      // An unreadable mirror is reported by its own checks.
      return [];
    }
  }

  private async accept(flags: DoctorFlags): Promise<void> {
    const { db } = this.settingsWith(flags);
    const mirror = this.opened(db);
    if (mirror instanceof NoMirrorError) throw mirror;
    const lock = await takeLock(db, { sleep: async () => {} });
    this.closing({ close: () => lock.release() });
    const writable = this.closing(openWritableMirror(db));
    const accepted = atOnce(writable, () => acceptDrift(writable));
    const text = flags.json
      ? JSON.stringify({ accepted })
      : this.speech.tell(say`differences that are usual from now on: ${accepted}`);
    await this.sinks().stdout.write(`${text}\n`);
  }
}

/** A check for JSON output, in English. */
function plain({ name, level, says, todo, lines = [] }: Check) {
  return {
    name,
    level,
    says: String(says),
    todo: todo === null ? null : String(todo),
    found: lines.map(String),
  };
}
