import { fold } from './fold.ts';

/** Words of topics with their accents, by the spelling that addresses have. */
const accented = new Map(
  `collectivités démocratie écologie économie éducation égalité énergie État étranger être européenne fiscalité
  français française France handicapé intérieur liberté libertés numérique sécurité santé société solidarité`
    .split(/\s+/)
    .map((word) => [fold(word), word]),
);

/** A topic's slug as written French: spaces, and known accents, are put back. */
export function topicText(topic: string): string {
  return topic
    .split('-')
    .map((word) => accented.get(word) ?? word)
    .join(' ')
    .replace(/\b(d|l|qu) (?=[aeiouyhêéÉ])/g, '$1’');
}
