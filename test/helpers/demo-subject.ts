import { saveSubject } from '../../src/store/subjects.ts';

/** Keeps these subjects beside a mirror, by name and rules, each in place of its former state. */
export async function saveSubjects(path: string, subjects: Record<string, string[]>): Promise<void> {
  for (const [name, rules] of Object.entries(subjects)) await saveSubject(path, name, () => rules);
}

/** Keeps the subject that the grid of parameters names. */
export const saveDemoSubject = (path: string): Promise<void> =>
  saveSubjects(path, { veille: ['word: trains', 'person: oceane-bruyevre'] });
