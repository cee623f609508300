import { momentOf, parseDay } from '../model/moment.ts';
import { say } from '../words/speech.ts';
import { BadValueError, type Parameter } from './parameter.ts';
import { checkText, optionalParameter, type ParameterOptions } from './parameter-kinds.ts';

/** The phrase that lists accepted forms of a day or period. */
export const dayForms = say`2025, 2026-04, 31/12/2025, yesterday, last month or 7d`;

/** Creates a parameter for a bound of a period, ISO 8601: an age, a moment, or the `edge` of a day, month or year. */
export const momentBound = createTimeBound(momentOf, 'datetime');

/** Creates a parameter for a bound of a range of days, `YYYY-MM-DD`. */
export const dayBound = createTimeBound(parseDay, 'date');

function createTimeBound(parse: typeof momentOf, echoFormat: 'date' | 'datetime') {
  const schema = { type: 'string', minLength: 1, maxLength: 100 };
  return (edge: 'start' | 'end', description: string, more: ParameterOptions = {}): Parameter<string | undefined> => {
    const read = (input: string) => {
      // Whole seconds, so that two requests within one second have equal values.
      const at = parse(checkText(input, { maxLength: 100 }), Math.floor(Date.now() / 1000) * 1000, edge);
      if (at === null) throw new BadValueError(say`must be a date: ${dayForms}`);
      return at;
    };
    const flagOptions = { example: '2026-11-01', flag: { helpValue: 'DATE' }, ...more };
    return { ...optionalParameter(description, schema, read, flagOptions), echoFormat };
  };
}
