import { statSync } from 'node:fs';
import { HemicycleError, NoMirrorError } from '../errors.ts';
import { isGrave, type ShapeChange } from '../model/drift.ts';
import { ageMs } from '../model/moment.ts';
import { withheldFields } from '../store/anonymous-log.ts';
import { asMirrorError, type Mirror } from '../store/mirror.ts';
import { isOlder } from '../store/mirror-file.ts';
import { faultsIn, indexState, versionsOf } from '../store/saving/integrity.ts';
import { pluralAbout, quarantines } from '../store/syncs/failures.ts';
import { newestMoment } from '../store/syncs/runs.ts';
import { type Drift, drifts, shapeRows } from '../store/syncs/shapes.ts';
import type { Check } from '../terminal/checks-view.ts';
import { withheldText } from '../terminal/status-view.ts';
import { dataSize, type Phrase, say, saying, type UserText } from '../words/speech.ts';

const moment = (iso: string) => saying((speech) => speech.moment(iso));
const figure = (value: number) => saying((speech) => speech.number(value));

/** The result of a check, which the caller names. */
export type Finding = Omit<Check, 'name'>;

/** A finding without a problem. */
export const sound = (message: UserText): Finding => ({ level: 'ok', says: message, todo: null });

/** A finding that users should know, with advice. */
export const warning = (message: UserText, todo: UserText | null): Finding => ({
  level: 'warning',
  says: message,
  todo,
});

/** A problem, which makes `doctor` exit with 12, with advice; `lines` are its details. */
export function problem(message: UserText, todo: UserText | null, lines?: UserText[]): Finding {
  return { level: 'problem', says: message, todo, ...(lines ? { lines } : {}) };
}

/** The finding for an error: a warning if the mirror is missing, else a problem. */
export function failed(error: Error): Finding {
  const createFinding = error instanceof NoMirrorError ? warning : problem;
  if (!(error instanceof HemicycleError)) return createFinding(error.message, null);
  return createFinding(
    saying((speech) => error.describe(speech).message),
    error.advice,
  );
}

/** Runs a check; converts an error that it throws into a finding. */
export function guarded(name: string, check: () => Finding, path = ''): Check {
  try {
    return { name, ...check() };
  } catch (error) {
    return { name, ...failed(asMirrorError(path, error) as Error) };
  }
}

/** Checks an open mirror for problems; `withheld` are values that its moderation log lacks. */
export function mirrorChecks(mirror: Mirror, nowMs: number, withheld: string[]): Check[] {
  const checks: Record<string, () => Finding> = {
    integrity: () => integrityCheck(mirror),
    'search index': () => indexCheck(mirror),
    versions: () => versionsCheck(mirror),
    moments: () => momentsCheck(mirror, nowMs),
    log: () => ({ ...logCheck(mirror), lines: withheld }),
    quarantine: () => quarantineCheck(mirror),
    drift: () => driftCheck(mirror),
  };
  return Object.entries(checks).map(([name, check]) => guarded(name, check, mirror.path));
}

function integrityCheck(mirror: Mirror): Finding {
  const faults = faultsIn(mirror);
  if (faults.length === 0) return sound(say`${mirror.path} is whole: ${dataSize(statSync(mirror.path).size)}`);
  return problem(
    say`${mirror.path} is damaged`,
    say`move it away and sync or import into a new file; what can be saved of it: sqlite3 FILE .recover`,
    faults,
  );
}

function indexCheck(mirror: Mirror): Finding {
  const { indexed, expected, isCurrent } = indexState(mirror);
  if (!isCurrent)
    return warning(
      say`the index was built by another version of the word analysis`,
      say`the next sync or import rebuilds it`,
    );
  if (indexed === expected) return sound(say`every text is in it: ${figure(indexed)}`);
  return problem(
    say`it holds ${figure(indexed)} texts, and there are ${figure(expected)}: searches miss some, or find some that are gone`,
    say`\`hemicycle sync --full\` into a new file (--db FILE) has all of them`,
  );
}

function versionsCheck(mirror: Mirror): Finding {
  const { schema, newest, sqlite } = versionsOf(mirror);
  if (!isOlder(mirror.path))
    return sound(say`schema ${schema} of ${newest}, SQLite ${sqlite}, Node ${process.version}`);
  return warning(
    say`the mirror was written by an older Hemicycle`,
    say`the next sync or import brings it up to date; until then it is read from a copy`,
  );
}

function momentsCheck(mirror: Mirror, nowMs: number): Finding {
  const newest = newestMoment(mirror);
  if (newest === null) return sound(say`the mirror holds no moment yet`);
  if (ageMs(newest, nowMs) !== null) return sound(say`the newest moment is ${moment(newest)}`);
  return problem(
    say`the newest moment is ${moment(newest)}, which is still to come: a clock was wrong`,
    say`set the clock of this machine; if it is right, \`hemicycle sync --accept-clock\` goes on from that moment`,
  );
}

function logCheck(mirror: Mirror): Finding {
  const withheld = withheldFields(mirror);
  if (withheld.length === 0) return sound(say`it is anonymous, and nothing was withheld from it`);
  const todo = say`words of the service that name nobody are kept once \`hemicycle config set audit-words WORDS\` accepts them`;
  return { ...sound(withheldText(withheld)), todo };
}

function quarantineCheck(mirror: Mirror): Finding {
  const quarantinedAnswers = quarantines(mirror);
  if (quarantinedAnswers.length === 0) return sound(say`no answer is held back`);
  return problem(
    say`answers are held back; what the mirror holds of them is older`,
    say`if the service intends the change: ${quarantinedAnswers.map(({ plural }) => `\`hemicycle sync --accept ${plural}\``).join(', ')}`,
    quarantinedAnswers.map(({ message }) => message),
  );
}

function driftCheck(mirror: Mirror): Finding {
  const detectedDrifts = drifts(mirror);
  if (detectedDrifts.length > 0) {
    const plurals = [...new Set(detectedDrifts.map(({ subject }) => pluralAbout(subject)))];
    return {
      level: detectedDrifts.some(isGrave) ? 'problem' : 'warning',
      says: say`answers of the service have changed their shape`,
      lines: detectedDrifts.map(driftText),
      todo: say`check that the records still hold what you rely on; then \`hemicycle sync --accept ${plurals.join(',')}\` takes them for usual`,
    };
  }
  const knownShapeCount = shapeRows(mirror).length;
  return sound(
    knownShapeCount === 0
      ? say`no answer of the service was recorded yet; the next sync records their shape`
      : say`answers have kept their shape: ${figure(knownShapeCount)} sorts are known`,
  );
}

function driftText({ change, field, before, now, subject, since }: Drift): UserText {
  const was = inWords(before);
  const is = inWords(now);
  const messages: Record<ShapeChange['change'], Phrase> = {
    gone: say`${field} is gone (it was in ${was} of the records)`,
    new: say`${field} is new (in ${is} of the records)`,
    renamed: say`${field} is called ${is} now`,
    type: say`${field} is of the type ${is} now, and was ${was}`,
    nulls: say`${field} is empty in ${is} of the records, and was in ${was}`,
    form: say`${field} is written in the form ${is} now, and was ${was}`,
    value: say`${field} has a value that is new: ${is}`,
    envelope:
      now === null
        ? say`the records stood under ${field}, and are nowhere to be found now`
        : say`the records stand under ${is} now, and stood under ${field}`,
    total:
      now === null
        ? say`how many there are stood under ${field}, and is not stated now`
        : say`how many there are stood under ${field}, and stands under ${is} now`,
    delimiter: say`its cells are parted by a ${is} now, and were by a ${was}`,
    cursor: say`the next page stood under ${field}, and stands under ${is} now`,
  };
  return saying(
    (speech) => `${subject}: ${speech.render(messages[change])}, ${speech.say`since ${speech.moment(since)}`}`,
  );
}

function inWords(text: string | null): UserText {
  const [, percent] = /^(\d+)%$/.exec(text ?? '') ?? [];
  return saying((speech) => (percent === undefined ? speech.word(text ?? '') : speech.share(Number(percent) / 100)));
}
