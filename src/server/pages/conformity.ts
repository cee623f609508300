import { say } from '../../words/speech.ts';
import examined from './accessibility.json' with { type: 'json' };

type Bilingual = { en: string; fr: string };
type ExaminationMethod = keyof typeof examined.methods;

/** Result of examining a criterion. */
export type CriterionResult = 'conform' | 'not-conform' | 'not-tested' | 'not-applicable';

/** A criterion of RGAA 4.1 in our words, its result, the methods of examination, and what fails. */
export type Criterion = Bilingual & {
  id: string;
  result: CriterionResult;
  how?: ExaminationMethod[];
  fails?: Bilingual;
};

/** The criteria by theme. */
export const themes = examined.themes as (Bilingual & { criteria: Criterion[] })[];

/** Returns the criteria with that result. */
export const criteriaByResult = (finding: CriterionResult): Criterion[] =>
  themes.flatMap(({ criteria }) => criteria.filter(({ result }) => result === finding));

const applicable = themes.flatMap(({ criteria }) => criteria).length - criteriaByResult('not-applicable').length;

/** Number of applicable criteria, and the share that is met; an untested criterion counts as not met. */
export const conformity = { applicable, share: criteriaByResult('conform').length / applicable };

/** Legal term for that share in France (arrêté of 20 September 2019). */
export const conformityPhrase =
  conformity.share === 1 ? say`compliant` : conformity.share >= 0.5 ? say`partially compliant` : say`not compliant`;
