import { say } from '../../words/speech.ts';
import examination from './accessibility.json' with { type: 'json' };

/** Criteria of RGAA 4.1 (French accessibility rules) by theme, paraphrased: result, test methods, and what fails. */
export const { themes } = examination;

export type Criterion = (typeof themes)[number]['criteria'][number];

/** Returns the criteria with that result, such as `not-tested`. */
export const criteriaByResult = (wantedResult: string): Criterion[] =>
  themes.flatMap(({ criteria }) => criteria.filter(({ result }) => result === wantedResult));

const applicableCount = themes.flatMap(({ criteria }) => criteria).length - criteriaByResult('not-applicable').length;

/** Number of applicable criteria, and the share that is met; an untested criterion counts as not met. */
export const conformity = { applicable: applicableCount, share: criteriaByResult('conform').length / applicableCount };

/** Legal term in France for the share that is met (arrêté of 20 September 2019). */
export const conformityPhrase =
  conformity.share === 1 ? say`compliant` : conformity.share >= 0.5 ? say`partially compliant` : say`not compliant`;
