import { listParameter } from './parameter-kinds.ts';

/** A filter by subjects, by name; see `UserSubject`. */
export const subjectFilter = listParameter(
  'only records in a subject, your own or built-in, by its name; of several, in any of them',
  { pattern: '\\S', flag: { helpValue: 'NAME' }, isBeyondInterface: true, read: (name) => name },
);
