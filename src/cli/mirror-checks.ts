import { statSync } from 'node:fs';
import { HemicycleError, NoMirrorError } from '../errors.ts';
import { isGrave, type ShapeChange } from '../model/drift.ts';
import { ageMs } from '../model/moment.ts';
import { withheldFields } from '../store/anonymous-log.ts';
import type { Mirror } from '../store/mirror.ts';
import { asMirrorError } from '../store/mirror-errors.ts';
import { needsMigration } from '../store/mirror-file.ts';
import { compareIndex, findFaults, versionsOf } from '../store/saving/integrity.ts';
import { listQuarantines, pluralKindIn } from '../store/syncs/failures.ts';
import { newestTime } from '../store/syncs/runs.ts';
import { type Drift, listDrifts, listShapeSubjects } from '../store/syncs/shapes.ts';
import type { InstallationCheck } from '../terminal/doctor-view.ts';
import { withheldText } from '../terminal/status-view.ts';
import { dataSize, type Phrase, type ShownText, say, saying, verbatim } from '../words/speech.ts';

const momentPhrase = (iso: string) => saying((speech) => speech.moment(iso));
const groupedNumber = (value: number) => saying((speech) => speech.number(value));

/** The result of a check, which the caller names. */
export type Finding = Omit<InstallationCheck, 'name'>;

/** A finding without a problem. */
export const okFinding = (says: Phrase): Finding => ({ level: 'ok', says, todo: null });

/** A finding that users should know about, with advice if anything can be done. */
export const warningFinding = (says: Phrase, todo: Phrase | null): Finding => ({ level: 'warning', says, todo });

/** The finding of a problem, which makes `doctor` exit with 12; `todo` is advice, `lines` are details. */
export function problemFinding(says: Phrase, todo: Phrase | null, lines?: ShownText[]): Finding {
  return { level: 'problem', says, todo, ...(lines ? { lines } : {}) };
}

/** The finding for an error: a warning if the mirror is missing, else a problem. */
export function findingOfError(error: Error): Finding {
  const createFinding = error instanceof NoMirrorError ? warningFinding : problemFinding;
  if (!(error instanceof HemicycleError)) return createFinding(verbatim(error.message), null);
  return createFinding(error.phrase, error.advice);
}

/** Checks by name; null for one that does not apply. */
export type Checks = Record<string, (() => Finding | Promise<Finding>) | null>;

/** Runs the checks in their order; an error that one throws becomes its finding. `path` is that of the mirror. */
export function runChecks(checks: Checks, path: string): Promise<InstallationCheck[]> {
  const applicableChecks = Object.entries(checks).flatMap(([name, check]) => (check ? { name, check } : []));
  return Array.fromAsync(applicableChecks, async ({ name, check }) => {
    try {
      return { name, ...(await check()) };
    } catch (error) {
      return { name, ...findingOfError(asMirrorError(path, error) as Error) };
    }
  });
}

/** The checks of an open mirror, by the name that `doctor` prints. */
export function mirrorChecks(mirror: Mirror, nowMs: number): Checks {
  return {
    integrity() {
      const faults = findFaults(mirror);
      if (faults.length === 0) return okFinding(say`${mirror.path} is intact: ${dataSize(statSync(mirror.path).size)}`);
      return problemFinding(
        say`${mirror.path} is damaged`,
        say`move it aside and sync or import into a new file; to recover data from it: sqlite3 FILE .recover`,
        faults,
      );
    },
    'search index': () => indexCheck(mirror),
    versions() {
      const { schema, newest, sqlite } = versionsOf(mirror);
      if (!needsMigration(mirror.path))
        return okFinding(say`schema ${schema} of ${newest}, SQLite ${sqlite}, Node ${process.version}`);
      return warningFinding(
        say`the mirror was written by an older Hemicycle`,
        say`the next sync or import upgrades it; until then it is read from a copy`,
      );
    },
    moments() {
      const time = newestTime(mirror);
      if (time === null) return okFinding(say`the mirror contains no records yet`);
      if (ageMs(time, nowMs) !== null) return okFinding(say`the latest time in the mirror is ${momentPhrase(time)}`);
      return problemFinding(
        say`the latest time in the mirror, ${momentPhrase(time)}, is in the future: a clock was wrong`,
        say`set the clock of this machine; if it is right, run \`hemicycle sync --accept-clock\``,
      );
    },
    log() {
      const withheld = withheldFields(mirror);
      if (withheld.length === 0) return okFinding(say`anonymous; no value was withheld`);
      const todo = say`if a value identifies nobody, accept it with \`hemicycle config set audit-words WORDS\``;
      return { ...okFinding(withheldText(withheld)), todo };
    },
    quarantine() {
      const quarantinedResponses = listQuarantines(mirror);
      if (quarantinedResponses.length === 0) return okFinding(say`no response is in quarantine`);
      return problemFinding(
        say`responses are in quarantine; the mirror keeps older data instead`,
        say`if the change is intended by the service: ${quarantinedResponses.map(({ plural }) => `\`hemicycle sync --accept ${plural}\``).join(', ')}`,
        quarantinedResponses.map(({ message }) => message),
      );
    },
    drift: () => driftCheck(mirror),
  };
}

function indexCheck(mirror: Mirror): Finding {
  const { indexed, expected, isCurrent } = compareIndex(mirror);
  if (!isCurrent)
    return warningFinding(
      say`the search index was built by another version of Hemicycle`,
      say`the next sync or import rebuilds it`,
    );
  if (indexed === expected) return okFinding(say`all texts are indexed: ${groupedNumber(indexed)}`);
  return problemFinding(
    say`it contains ${groupedNumber(indexed)} texts, the mirror ${groupedNumber(expected)}: search results may be incomplete or outdated`,
    say`run \`hemicycle sync --full\` into a new file (--db FILE)`,
  );
}

function driftCheck(mirror: Mirror): Finding {
  const detectedDrifts = listDrifts(mirror);
  if (detectedDrifts.length > 0) {
    const plurals = [...new Set(detectedDrifts.map(({ subject }) => pluralKindIn(subject)))];
    return {
      level: detectedDrifts.some(isGrave) ? 'problem' : 'warning',
      says: say`response formats of the service have changed`,
      lines: detectedDrifts.map(driftText),
      todo: say`check that the records still contain what you rely on; then accept the change with \`hemicycle sync --accept ${plurals.join(',')}\``,
    };
  }
  const knownShapeCount = listShapeSubjects(mirror).length;
  return okFinding(
    knownShapeCount === 0
      ? say`no response format has been recorded yet; the next sync records it`
      : say`response formats are unchanged: ${groupedNumber(knownShapeCount)} known`,
  );
}

function driftText({ change, field, before, now, subject, since }: Drift): Phrase {
  const oldText = valueText(before);
  const newText = valueText(now);
  const messages: Record<ShapeChange['change'], Phrase> = {
    gone: say`${field} is missing (it was in ${oldText} of the records)`,
    new: say`${field} is new (in ${newText} of the records)`,
    renamed: say`${field} is now named ${newText}`,
    type: say`${field} now has type ${newText}, before ${oldText}`,
    nulls: say`${field} is empty in ${newText} of the records, before in ${oldText}`,
    form: say`${field} now has the format ${newText}, before ${oldText}`,
    value: say`${field} has a new value: ${newText}`,
    envelope:
      now === null
        ? say`the records were under ${field}, and are now missing`
        : say`the records are now under ${newText}, before under ${field}`,
    total:
      now === null
        ? say`the total was under ${field}, and is now missing`
        : say`the total was under ${field}, and is now under ${newText}`,
    delimiter: say`its delimiter is now a ${newText}, before a ${oldText}`,
    cursor: say`the next page was under ${field}, and is now under ${newText}`,
  };
  return saying((speech) => speech.say`${subject}: ${say`${messages[change]}, since ${speech.moment(since)}`}`);
}

function valueText(text: string | null): Phrase {
  const [, percent] = /^(\d+)%$/.exec(text ?? '') ?? [];
  return saying((speech) => (percent === undefined ? speech.word(text ?? '') : speech.share(Number(percent) / 100)));
}
