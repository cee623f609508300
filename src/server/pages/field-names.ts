import { type Phrase, type Speech, say } from '../../words/speech.ts';

/** What fields are called on pages; others by their own names. */
const names: Record<string, Phrase> = {
  action: say`Action`,
  affiliations: say`Affiliations`,
  bio: say`Biography`,
  ballot_id: say`Ballot`,
  chamber: say`Chamber`,
  context: say`Context`,
  current_role: say`Present office`,
  date: say`Date`,
  description: say`Description`,
  dossier: say`Legislative file`,
  election: say`Election`,
  entity_type: say`Kind of record`,
  full_name: say`Name`,
  group: say`Parliamentary group`,
  kind: say`Kind`,
  licence: say`Licence, in the words of the service`,
  name: say`Name`,
  outcome: say`Outcome`,
  party: say`Party`,
  politician: say`Politician`,
  publisher: say`Published by`,
  result: say`Result`,
  role: say`Role`,
  source_ids: say`Sources`,
  stance: say`Position`,
  status: say`Status, as the service states it`,
  text: say`Text`,
  title: say`Title`,
  topic: say`Topic`,
  totals: say`Counts`,
  type: say`Kind`,
  updated_at: say`Updated`,
  url: say`Address`,
  votes_by_party: say`Votes of groups`,
};

/** What a field is called. */
export function fieldName(speech: Speech, name: string): string {
  const known = Object.hasOwn(names, name) ? names[name] : undefined;
  return known ? speech.tell(known) : name.replaceAll('_', ' ');
}
