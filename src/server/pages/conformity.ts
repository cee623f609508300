import { say } from '../../words/speech.ts';
import examined from './accessibility.json' with { type: 'json' };

type Bilingual = { en: string; fr: string };
type ExaminationMethod = keyof typeof examined.methods;

/** What was found of a criterion. */
export type CriterionResult = 'conform' | 'not-conform' | 'not-tested' | 'not-applicable';

/** A criterion of RGAA 4.1 in our words, what was found of it and how, and what fails. */
export type Criterion = Bilingual & {
  id: string;
  result: CriterionResult;
  how: ExaminationMethod[];
  fails?: Bilingual;
};

/** The criteria by theme. */
export const themes = examined.themes as (Bilingual & { criteria: Criterion[] })[];

/** The criteria of which that was found. */
export const criteriaByResult = (finding: CriterionResult): Criterion[] =>
  themes.flatMap(({ criteria }) => criteria.filter(({ result }) => result === finding));

const applicable = themes.flatMap(({ criteria }) => criteria).length - criteriaByResult('not-applicable').length;

/** How many criteria apply, and which share of them is met: what was not tested is not. */
export const conformity = { applicable, share: criteriaByResult('conform').length / applicable };

/** What French law calls that share (arrêté of 20 September 2019). */
export const conformityPhrase =
  conformity.share === 1 ? say`compliant` : conformity.share >= 0.5 ? say`partially compliant` : say`not compliant`;
