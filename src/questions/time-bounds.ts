import { momentOf, parseDay } from '../model/moment.ts';
import { say } from '../words/speech.ts';
import { BadValueError, type Parameter } from './parameter.ts';
import { boundedText, type MoreOfParameter, optional } from './parameter-kinds.ts';

/** Accepted forms of a day or a range of days. */
export const daysWritten = say`2025, 2026-04, 31/12/2025, yesterday, monday or 7d`;

/** A bound of a time range as ISO 8601: an age, a moment, or the `edge` of a day, month or year. */
export const momentBound = timeBound(momentOf, 'datetime');

/** A bound of a range of days, read as `YYYY-MM-DD`. */
export const dayBound = timeBound(parseDay, 'date');

function timeBound(parse: typeof momentOf, echoFormat: 'date' | 'datetime') {
  const schema = { type: 'string', minLength: 1, maxLength: 100 };
  return (edge: 'start' | 'end', description: string, more: MoreOfParameter = {}): Parameter<string | undefined> => {
    const read = (written: string) => {
      // Full seconds, so that two requests within one are equal.
      const nowMs = Math.floor(Date.now() / 1000) * 1000;
      const at = parse(boundedText(written, { maxLength: 100 }), nowMs, edge);
      if (at === null) throw new BadValueError(say`must be a date: ${daysWritten}`);
      return at;
    };
    const asFlag = { example: '2026-11-01', flag: { helpValue: 'DATE' }, ...more };
    return { ...optional(description, schema, read, asFlag), echoFormat };
  };
}
