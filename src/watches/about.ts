import { topicText } from '../language/topic-text.ts';
import type { KindName } from '../model/kinds.ts';
import { isSetValue } from '../questions/parameter.ts';
import type { Watch } from '../store/watches.ts';
import type { Speech } from '../words/speech.ts';
import { parseWatch } from './watched-question.ts';

/** Parameters that a description omits: they have a default in every question, or only affect the output. */
const omittedParameters = new Set(['limit', 'cursor', 'sort', 'all_copies', 'type']);

/** Describes for people what a watch observes: `all changes of Océane Bruyèvre`. `nameOf` names slugs. */
export function describeWatch(
  { words }: Pick<Watch, 'words'>,
  speech: Speech,
  nameOf: (kind: KindName, slug: string) => string,
): string {
  const watched = parseWatch(words);
  if (watched.asks === 'silence')
    return speech.say`nothing new of ${speech.word(watched.subject)} for ${speech.duration(watched.ms)}`;
  if (watched.asks === 'gaps') return speech.say`periods of the moderation log that no sync received`;
  const activeFilters = Object.entries<unknown>(watched.values).filter(
    ([name, value]) => !omittedParameters.has(name) && isSetValue(value),
  );
  const valueText = (name: string, value: unknown) => {
    if (name === 'politician' || name === 'party') return nameOf(name, String(value));
    const textOfItem = name === 'topic' ? (each: unknown) => topicText(String(each)) : itemText;
    return [value].flat().map(textOfItem).join(', ');
  };
  const [onlyFilter] = activeFilters.length === 1 ? activeFilters : [];
  const question = watched.question.name;
  const name = onlyFilter ? valueText(...onlyFilter) : '';
  const shortTexts: Record<string, string> = {
    'changes politician': speech.say`all changes ${speech.ofName(name)}`,
    'changes party': speech.say`all changes ${speech.ofName(name)}`,
    'ballots group': speech.say`how ${name} votes`,
    'text text': speech.say`the ballots on ${name}`,
  };
  const shortText = onlyFilter && shortTexts[`${question} ${onlyFilter[0]}`];
  if (shortText !== undefined) return shortText;
  // `field` would label `subject` as the subject of a ballot; here it is a user-defined subject.
  const labelOf = (name: string) => (name === 'subject' ? speech.word(name) : speech.field(name));
  const filters = activeFilters.map(([each, value]) => speech.say`${labelOf(each)}: ${valueText(each, value)}`);
  const subject = question === 'changes' ? speech.say`all changes` : speech.word(watched.question.summary);
  return [subject, ...filters].join(' · ');
}

/** A value as text; the fields of an object are joined by colons. */
const itemText = (value: unknown) =>
  typeof value === 'object' && value !== null ? Object.values(value).map(String).join(':') : String(value);
