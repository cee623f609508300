import { type Phrase, type Speech, say } from '../../words/speech.ts';

/** What fields are called on pages; others by their own names. */
const names: Record<string, Phrase> = {
  action: say`Action`,
  ballot_id: say`Ballot`,
  chamber: say`Chamber`,
  context: say`Context`,
  date: say`Date`,
  dossier: say`Legislative file`,
  election: say`Election`,
  entity_type: say`Kind of record`,
  kind: say`Kind`,
  licence: say`Licence, in the words of the service`,
  outcome: say`Outcome`,
  publisher: say`Published by`,
  role: say`Role`,
  stance: say`Position`,
  status: say`Status, as the service states it`,
  type: say`Kind`,
  updated_at: say`Updated`,
  url: say`Address`,
};

/** What a field is called. */
export function fieldName(speech: Speech, name: string): string {
  const known = Object.hasOwn(names, name) ? names[name] : undefined;
  return known ? speech.tell(known) : name.replaceAll('_', ' ');
}
