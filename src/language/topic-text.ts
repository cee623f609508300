import { fold } from './fold.ts';

const accentedWords = new Map(
  `collectivités démocratie écologie économie éducation égalité énergie État étranger être européenne fiscalité
  français française France handicapé intérieur liberté libertés numérique sécurité santé société solidarité`
    .split(/\s+/)
    .map((word) => [fold(word), word]),
);

/** The slug of a topic as French text, with spaces and known accents restored. */
export function topicText(topic: string): string {
  return topic
    .split('-')
    .map((word) => accentedWords.get(word) ?? word)
    .join(' ')
    .replace(/\b(d|l|qu) (?=[aeiouyhêéÉ])/g, '$1’');
}
