import { errorTable, exitCodes } from '../errors.ts';
import texts from './help-subjects.json' with { type: 'json' };
import { settingTable } from './setting-table.ts';

/** Terms with their meaning, or lines (those with `$` are commands). */
type SectionBody = readonly (string | readonly string[])[];

/** A page of help; its sections are by heading. */
export type HelpSubject = { summary: string; sections: Record<string, SectionBody> };

const exitErrors = Object.values(errorTable)
  .filter(({ exit }) => exit !== exitCodes.interrupted)
  .sort((a, b) => a.exit - b.exit);

/** Sections generated from tables of the program; they come first. */
const generatedSections: Partial<Record<string, HelpSubject['sections']>> = {
  'exit-codes': {
    'EXIT CODES': [
      ['0', 'success, including lists without results'],
      ...exitErrors.map(({ code, exit, when }) => [`${exit} ${code}`, when]),
      ['20', 'changes found (only with --exit-status)'],
      ['129 130 143', 'terminated by SIGHUP, SIGINT (Ctrl-C) or SIGTERM'],
    ],
  },
  environment: { SETTINGS: Object.values(settingTable).map(({ variable, description }) => [variable, description]) },
};

/** Help pages on subjects that several commands share, by the word typed after `help`. */
export const helpSubjects: Readonly<Record<string, HelpSubject>> = Object.fromEntries(
  Object.entries(texts).map(([name, { summary, sections }]) => [
    name,
    { summary, sections: { ...generatedSections[name], ...sections } },
  ]),
);

/** Words other than commands that `help` accepts. */
export const subjectNames: readonly string[] = ['flags', ...Object.keys(helpSubjects)];
