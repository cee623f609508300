import { listParameter } from './parameter-kinds.ts';

/** A filter by subjects of the user's own, by name; see `UserSubject`. */
export const subjectFilter = listParameter(
  'only records in a subject of your own, by its name; of several, in any of them',
  { pattern: '\\S', flag: { helpValue: 'NAME' }, isBeyondInterface: true, read: (name) => name },
);
