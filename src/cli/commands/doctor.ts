import { existsSync } from 'node:fs';
import { NoMirrorError, VerificationError } from '../../errors.ts';
import { readRecords } from '../../format/formats.ts';
import type { Document } from '../../model/document.ts';
import type { ShapeChange } from '../../model/drift.ts';
import { anonymised } from '../../model/identity-guard.ts';
import { type KindName, kindOf } from '../../model/kinds.ts';
import { getPage } from '../../service/pages.ts';
import { acceptedWords, withheldFields } from '../../store/anonymous-log.ts';
import { kindState } from '../../store/kind-state.ts';
import { takeLock } from '../../store/lock.ts';
import { asMirrorError, type Mirror } from '../../store/mirror.ts';
import { openMirror, openWritableMirror } from '../../store/open.ts';
import { acceptDrift, type Drift, driftOf, drifts } from '../../store/syncs/shapes.ts';
import { atOnce } from '../../store/transaction.ts';
import { findImportFiles } from '../../sync/import.ts';
import { readSyncedKinds } from '../../sync/stages.ts';
import { type Check, checksText } from '../../terminal/checks-view.ts';
import { say, saying } from '../../words/speech.ts';
import { knownService } from '../answerer.ts';
import { HemicycleCommand } from '../base-command.ts';
import { type BudgetLeft, budgetLeft } from '../budget-left.ts';
import { failed, guarded, mirrorChecks } from '../mirror-checks.ts';
import { Flags } from '../oclif.ts';
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

export default class Doctor extends HemicycleCommand {
  static override flags = {
    offline: Flags.boolean({ description: 'ask the service nothing' }),
    accept: Flags.string({
      description: 'take what answers about these kinds look like now for usual',
      helpValue: 'KIND,…',
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Doctor);
    if (flags.accept !== undefined) return this.accept(readSyncedKinds(flags.accept));
    const { checks, drift } = await this.examine(flags.offline);
    const problems = checks.filter(({ level }) => level === 'problem');
    const exit = problems.length > 0 ? 12 : 0;
    await this.print(
      { checks: checks.map(checkJson), drift, exit },
      flags.json ? '' : checksText(checks, this.terminal()),
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

  private async examine(isOffline: boolean) {
    const read = this.readable();
    const settings = read instanceof Error ? null : read;
    const db = settings?.db ?? this.common.db ?? process.env.HEMICYCLE_DB;
    const mirror = db === undefined ? null : this.opened(db);
    const open = mirror instanceof Error ? null : mirror;
    const known = settings && open ? knownService(settings, open) : settings;
    const budget = await budgetLeft(known);
    const asked = await this.asked(known, budget, isOffline);
    const baseUrl = known?.baseUrl ?? null;
    const answered = typeof asked === 'string' ? null : asked;
    const values = open ? await this.withheldValues(open, answered && known) : [];
    const withValues = (check: Check) => (check.name === 'log' ? { ...check, lines: values } : check);
    const drift = settings && open ? await driftIn(open, answered) : [];
    const checks = [
      guarded('settings', () => (read instanceof Error ? failed(read) : settingsCheck(read))),
      ...(mirror instanceof Error ? [{ name: 'mirror', ...failed(mirror) }] : []),
      ...(open ? mirrorChecks(open, Date.now(), drift).map(withValues) : []),
      settings && guarded('disk', () => diskCheck(settings.db)),
      settings && guarded('clock', () => clockCheck(answered?.dateMs ?? null, Date.now())),
      guarded('proxy', () => proxyCheck(process.env, baseUrl)),
      guarded('TLS', () => tlsCheck(process.env, Date.now())),
      settings && guarded('address', () => addressCheck(baseUrl, asked)),
      budget?.left === null ? guarded('budget', uncountedRequests) : null,
    ];
    return { checks: checks.filter((check) => check !== null), drift };
  }

  private readable(): Settings | Error {
    try {
      return this.settingsWith();
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

  /** Probes the service with one request, for the list that every service of the interface has. */
  private async asked(
    settings: Settings | null,
    budget: BudgetLeft | null,
    isOffline: boolean,
  ): Promise<ProbeResult | 'offline' | 'no budget'> {
    if (isOffline || !settings?.baseUrl) return 'offline';
    if (budget === null || !budget.left || budget.blocked_until !== null) return 'no budget';
    const asked: ProbeResult = { answer: null, error: null, dateMs: null };
    try {
      const onDate = (dateMs: number) => {
        asked.dateMs = dateMs;
      };
      const client = await this.client(settings, { attempts: 1, isUrgent: true, onDate });
      asked.answer = await client.getJson('/politicians', { limit: 20 });
    } catch (error) {
      asked.error = error as Error;
    }
    return asked;
  }

  /**
   * Values that were withheld from the moderation log, read again where it came from, for a person at this terminal alone:
   * the mirror keeps none, so that none leaves with it.
   */
  private async withheldValues(mirror: Mirror, settings: Settings | null): Promise<string[]> {
    if (!this.terminal().isTTY || this.common.json) return [];
    const values = new Set<string>();
    try {
      if (withheldFields(mirror).length === 0) return [];
      for await (const document of this.entriesAgain(mirror, settings)) {
        const { entry } = anonymised(document, acceptedWords(mirror));
        for (const [field, value] of Object.entries(document))
          if (value && !Object.hasOwn(entry, field))
            values.add(`${field}: ${JSON.stringify(value).slice(0, 100)}`);
      }
    } catch {
      // Other checks say why mirror, service or file cannot be read.
    }
    return [...values].slice(0, 50);
  }

  /** The newest entries of the log as the service states them, or those of the file that was imported. */
  private async *entriesAgain(mirror: Mirror, settings: Settings | null): AsyncGenerator<Document> {
    const origin = kindState(mirror, kindOf('audit')).origin ?? '';
    if (existsSync(origin)) {
      for (const file of findImportFiles(origin).filter(({ kind }) => kind.name === 'audit'))
        for await (const batch of readRecords(file, file.kind)) yield* batch.map(({ document }) => document);
    } else if (settings) {
      const client = await this.client(settings, { attempts: 1, isUrgent: true });
      yield* (await getPage(client, { path: '/audit', query: { limit: 200 }, names: ['audit'] })).items;
    }
  }

  private async accept(kinds: KindName[]): Promise<void> {
    const { db } = this.settingsWith();
    const mirror = this.opened(db);
    if (mirror instanceof NoMirrorError) throw mirror;
    this.closing(await takeLock(db, { sleep: async () => {} }));
    const writable = this.closing(openWritableMirror(db));
    const accepted = atOnce(writable, () => acceptDrift(writable, kinds));
    await this.print({ accepted }, say`accepted changes: ${accepted}`);
  }
}

type Drifts = (ShapeChange & Partial<Drift>)[];

/** Drift noted by syncs, and that of the answer just received. */
async function driftIn(mirror: Mirror, asked: ProbeResult | null): Promise<Drifts> {
  try {
    const noted = drifts(mirror);
    if (!asked?.answer) return noted;
    const { shapeOfAnswer } = await import('../../sync/shape-log.ts');
    const met = shapeOfAnswer(asked.answer, '/politicians', {});
    if (met === null) return noted;
    const { subject } = met;
    const isNoted = ({ change, field }: ShapeChange) =>
      noted.some((each) => each.subject === subject && each.change === change && each.field === field);
    const now = (driftOf(mirror, met) ?? []).filter((change) => !isNoted(change));
    return [...noted, ...now.map((each) => ({ ...each, subject }))];
  } catch {
    // An unreadable mirror is reported by its own checks.
    return [];
  }
}

/** A check for JSON output, in English. */
function checkJson({ name, level, says, todo, lines = [] }: Check) {
  return {
    name,
    level,
    says: String(says),
    todo: todo === null ? null : String(todo),
    found: lines.map(String),
  };
}
