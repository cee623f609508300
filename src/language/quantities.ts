import { fold } from './fold.ts';
import { cardinalOf, foldedMonths, ordinalOf } from './writings.ts';

/** What is counted, as folded words behind a number. */
const counted =
  /^(?:%|€|(?:d')?euros?|ans?|annees?|annuites?|trimestres?|mois|semaines?|jours?|h|heures?|km(?:\/h)?|ha|hectares?|tonnes?|[mgt]w|twh|tiers|quarts|m|mds?|m€|mds?€|millions?|milliards?|republique|siecles?)$/;

const figures = /^(?:\d{1,3}(?:[ .]\d{3})+|\d{1,12})(?:,\d{1,3})?$|^\d{1,9}\.\d{1,2}$/;

/** The words that make a quantity or a date, as ranges: 500 euros, 5e république, 7 octobre 2023, article 40. */
export function quantitiesIn(typed: readonly string[]): { from: number; to: number; isDay: boolean }[] {
  const words = typed.map(fold);
  const found: { from: number; to: number; isDay: boolean }[] = [];
  const isCounted = (at: number) => counted.test(words[at] ?? '');
  for (let from = 0; from < words.length; ) {
    let to = endOfNumber(from);
    const isArticle = /^art(?:icle|\.)?$/.test(words[from]!) && /^\d/.test(words[from + 1] ?? '');
    if (isArticle && !isCounted(from + 2)) to = from + 2;
    else if (to > from) {
      if (words[to] === 'pour' && words[to + 1] === 'cent') to += 2;
      while (isCounted(to)) to += 1;
    }
    const isDay = foldedMonths.includes(words[to] ?? '');
    if (isDay) to += /^\d{4}$/.test(words[to + 1] ?? '') ? 2 : 1;
    if (to > from + 1 && !/^al(?:ineas?)?$/.test(words[to] ?? '')) found.push({ from, to, isDay });
    from = Math.max(from + 1, to);
  }
  return found;

  function endOfNumber(at: number): number {
    if (figures.test(words[at]!) || cardinalOf(words[at]!) !== undefined) return at + 1;
    return ordinalOf(typed[at]!, words[at]!, words[at + 1] ?? '') === null ? at : at + 1;
  }
}
