import { contentWords, partsIn, sentencePattern, type TextPart } from '../language/passages.ts';
import { type Chamber, type Counts, stanceOf } from '../model/ballot.ts';
import { parseDayRange } from '../model/moment.ts';
import { months } from '../words/figures.ts';

/** A vote that a clause states, with its numbers, days, counts and result, to compare with ballots. */
export type StatedVote = ReturnType<typeof statedVotesIn>[number];

/** Matches clauses: ";", "puis" or "tandis que" end one, and "et" after a count unless another count follows. */
const clausePattern =
  /\S.*?(?:;(?=[^.]{0,300}\d)|(?=,?\s(?:puis|(?:tandis|alors|après|avant) que|while)\s)|(?<=\)|\d contre|(?:contre|to|against)\s\d+|abstentions?)(?=,?\s(?:et|mais|and)\s(?!(?:(?:\p{L}+ ){0,3}(?:de|plus|moins|environ|quelques?|presque|près|peine|jusqu['’]à|about|around|some|nearly|roughly|over|than|to|least|most)\s|~ ?)?\d|(?!l[ae]s?\s|l['’])(?:[^\s\d,;:]+\s){0,4}(?:d['’])?(?:voix|votes?|suffrages|abstentions?)(?!\p{L})|(?:une? )?(?:\p{L}+aine|quelques|plusieurs|beaucoup)\s))|$)/gsu;

const anyOf = (flags: string, patterns: readonly RegExp[]) =>
  new RegExp(patterns.map(({ source }) => source).join('|'), flags);

/** Matches a ballot's number (the group). These patterns read texts without thousands separators and units ("voix"). */
const ballotNumberPattern =
  /(?<!\b(?:après|avant|depuis|after|before) (?:\p{L}+ )?)\b(?:scrutin|vote|ballot)s?(?: (?:public|ordinaire|solennel)s?)* ?(?:(?:n ?[°ºo]s?|numéro|no\.|number) ?|(?<=scrutin(?: public)?) (?!(?:19|20)\d\d\b))(\d+)(?! (?:pour|contre|for|against))\b/giu;
/** Matches "36 contre 49" (groups 1, 2) and "36 pour et 49 contre" (groups 1, 3). */
const forAgainstPattern =
  /(?<!\d[.,]|\bentre |\bbetween )\b(\d+)(?: pour)?,? +(?:(?:contre|to|against) +(\d+)(?!\d| +(?:pour|for|in favou?r)\b)|(?:et +)?(\d+) +contre\b)/giu;
/** Matches a count with its stance; `approximation` is what makes it approximate, such as "environ". */
const countPattern =
  /(?<approximation>(?:environ|presque|pratiquement|quelques?|à (?:peu près|peine)|au (?:moins|plus)|(?:près|autour|plus|moins|aux (?:alentours|environs)) de|jusqu['’]à|about|around|some|nearly|almost|roughly|approximately|over|under|up to|close to|(?:more|less|fewer) than|at (?:least|most)) |~ ?|\d+ ?(?:à|-|–|et|to|and) ?)?(?<!\d[.,])\b(?<count>\d+)\s+(?<stance>pour|for|contre|against|abstentions?)(?=\s*(?:$|[^\p{L}\s]|et\b|and\b|contre\b))/giu;
/** Matches a verb of adoption or rejection; `body` is the chamber or group that acted. */
const verbPattern =
  /(?<negation>n['’e]\S* (?:pas|point|jamais|plus) (?:été )?|not (?:been )?|(?:avoir|ayant|having|avai(?:t|ent)|had) (?:été |been )?)?(?<auxiliary>\b(?:a|ont|est|sont|fut|was|were|has|have)\b(?: été| been)? )?(?:(?<adoption>adopté|approuvé|renversé|adopted|passed)|rejeté|repoussé|rejected|defeated)e?s?(?!\p{L})(?<body> (?:par|by|à|au|in) (?:l['’]a|(?:le |the )?s[ée]nat|les |the ))?/giu;
/** Matches the unit of a count before its stance: "voix", "députés ont voté". */
const unitPattern =
  /(?<=\d)\s+(?:voix|votes?|suffrages|députés|sénateurs)(?: ont voté| voted)?(?=,? *(?:et|and|\d+|pour|contre|for|against|to|abst\p{L}*)(?!\p{L}))/giu;
/** Matches the only count of a motion of censure, of which only votes for are recorded. */
const censureCountPattern =
  /\b(?:avec|par|recueill\p{L}+|obten\p{L}+|obtient|réuni\p{L}*|rassembl\p{L}+|by|with|received|won|got|gathered)(?: qu['’]?e?| seulement| only)? \d+ (?:voix|votes)(?! *(?:pour|contre|for|to|against)\b)/giu;
/** Matches statements that are not compared: votes of others than the chamber, and other counts. */
const otherVotersPattern = anyOf('iu', [
  // A fraction before a unit of votes.
  /\d+[.,]\d+(?= *(?:pour|contre|for|against|to|voix|votes|suffrages)(?!\p{L}))/iu,
  // Who voted: "ont voté pour", "abstenus".
  /(?:\p{L}+ )?(?:\b(?:vot(?:é|e|er|ent|ant|aient|ait|era|ed|ing)|prononc\p{L}+)(?: \S+)? (?:pour|contre|for|against)(?!\p{L})|\b(?:abst(?:enu|ien|ain)\p{L}*|soutenu\p{L}*|opposée?s?(?!\p{L})))/iu,
  // Who voted a text, unless it is a chamber: "ont voté la loi".
  /(?<!(?:assemblée|nationale|sénat|députés|sénateurs|parlement) )(?:(?:a|ont) voté|vot(?:ent|èrent|eront|aient|a)) l(?:[ae] |['’])/iu,
  // A count without its stance: "51 voix".
  /\d+ (?:voix|votes|suffrages)(?!\p{L})/iu,
  /\bunanim\p{L}*/iu,
  // A refusal: "refuse d’adopter".
  /(?<!\p{L})(?:refus|échou)\p{L}+ (?:d['’]|à )adopter/iu,
  // People who acted: "les maires rejettent".
  /\b(?:les|the) (?!députés|sénateurs|parlementaires|élus)\p{L}+s (?:ont|avaient|se sont|have|had|rejettent|repoussent|refusent|adoptent|approuvent|soutiennent)\b/iu,
  // A group or party that acted: "le groupe Aube a".
  /\b(?:groupe|parti) [^,;:.]{2,40}? (?:a(?! été)|ont)\b/iu,
]);
/** Matches denials, which are not compared. */
const denialPattern = anyOf('iu', [
  // A verb with a negation: "n’a pas été adopté".
  /(?<!\p{L})(?:n['’]|ne )[^,;:.]{1,40}?(?<!\p{L})(?:pas|point|jamais|plus|ni|aucune?|guère)(?!\p{L})(?: été)?(?: \p{L}+)?/iu,
  // Nobody, never: "aucun député".
  /(?<!\p{L})(?:jamais|personne(?= n['’e])|aucune?|nulle?)(?!\p{L}| (?:voix|abstention|vote|opposition))(?: \p{L}+)?/iu,
  /\b(?:not|never) \p{L}+/iu,
  /\p{L}+n['’]t\b/iu,
]);
/** Matches the words of a clause about several ballots. */
const severalBallotsPattern = /\b(?:scrutins|ballots)\b|\bscrutin[^.;:]*(?:,| et) (?:le |du )?n ?[°ºo]/iu;
/** Matches a figure or number word; groups: the mark of a ballot number before it, the figure, the word after it. */
const figurePattern =
  /(n ?[°ºo]s? ?)?(?<![\p{L}\d][.,/-]?)(\d+(?:[,/–-]\d+)*|(?:\p{L}+ )?(?:(?:dix|douz|quinz|vingt|trent|quarant|cinquant|soixant|cent)aine|dizaine|millier|dozen)s?(?: de| d['’]| of)?|(?:\p{L}+-)*(?:(?:sans )?aucune?|sans|une?(?: seule?)?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|vingts?|trente|quarante|cinquante|soixante|cents?|mille|quelques|plusieurs|one|two|three|four|five|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|several|few))(?:(?<= d['’])|(?![\p{L}\d]|\.\d))(?: ?(%|\p{L}+))?/giu;
/** Matches numbers that are of no vote of the clause: those of articles, of texts, and of an earlier ballot. */
const otherNumberPattern = anyOf('giu', [
  // Another ballot: "après le scrutin n° 8".
  /(?<!\p{L})(?:après|avant|depuis|after|before) (?:\p{L}+ )?(?:scrutin|vote|ballot) n ?[°ºo] ?\d+/iu,
  /\b(?:loi|texte|rapport|résolution) n ?[°ºo] ?\d[\d-]*/iu,
  // A part of a text: "articles 1 à 3".
  /(?<!\p{L})(?:art(?:icle)?|al(?:inéa)?|chapitre|titre|annexe|section)s?\.?\s\d+(?:(?:,| et| à| and)\s\d+(?!\s(?:pour|contre|voix|votes)))*/iu,
]);
/** Matches an amendment and its number. */
export const amendmentPattern = /amende?ments?\s(?:n\s?[°ºo]\s?)?(\d+)/iu;
const voteWordPattern =
  /^(?:%|opposition|voix|vot|suffrages|abst|exprimés|députés|sénateurs|élus|membres|members|adopt|rejet|approuv)/iu;
const monthNames = Object.values(months).flat().join('|');
const dayPattern = new RegExp(
  String.raw`(?<![\p{L}\d])(?:\d{4}-\d\d-\d\d|\d{1,2}/\d{1,2}/\d{4}|(?:${monthNames}) \d{1,2}, \d{4}|\d{1,2}(?:er)? (?:${monthNames})(?: \d{4})?)(?!\p{L})`,
  'giu',
);

/** Matches the text before the day of a vote that ends with its number, counts or verb. */
const beforeDay =
  /(?:(?:scrutin|vote|séance|ballot)[^.;,]{0,30}(?:\s(?:du|le|of|on)|,)|\d+ contre[^.;,]{0,20},?\s(?:le|on)|(?:adopt|rejet|repouss|approuv|reject|pass)\p{L}*(?:\s(?:par|by)\s[^.;,]{0,40})?,?\s(?:le|on))\s+(?:\p{L}+(?:di|day)\s+)?$/iu;
/** Matches the text before a day that starts the clause. */
const clauseStart = /^\W*(?:(?:c['’]est\s)?(?:le|ce|on)\s+)?(?:\p{L}+(?:di|day)\s+)?$/iu;
/** Matches the text after a day that starts the clause if its main verb is one of adoption or rejection. */
const mainClause =
  /^(?:(?!(?<!assembl|déput|it)(?:é|ées?|és|ait|aient)(?!\p{L})|\b(?:qui|que|dont|which|that)\b|[.;]\s).)*?\b(?:a|ont|est|sont|was|has|have)\s(?:(?:été|been)\s)?(?:adopt|rejet|repouss|approuv|reject|pass)/isu;

/** Matches a clause that denies, asks or supposes what it states. */
const hedgePattern =
  /\?|(?<!\p{L})(?:si|s['’]ils?|if|à tort|est-ce|contrairement|falsely|wrongly)(?!\p{L})|(?<!\p{L})(?:fau(?:x|sse)|false|inexact|erroné|dément|rumeur|mensong|prétend|den(?:y|ie))/iu;

/** Matches bodies other than a chamber in plenary: committees, groups, polls, congresses. */
const otherBody = /\b(?:commi|comité|groupe|conseil|sondage|congrès|bureau|adhérents|militants|européen)/iu;

/** Votes that a paragraph states by ballot number, by two counts, or as "34 voix pour"; at most one per clause. */
export function statedVotesIn({ start, text: paragraph }: TextPart) {
  const line = paragraph.replace(/\s/g, ' ');
  const context = new Set(contentWords(line));
  const paragraphChamber = chamberIn(line);
  const clauses = partsIn({ start, text: line }, sentencePattern).flatMap((each) => partsIn(each, clausePattern));
  return clauses.flatMap((clause) => {
    const { withStances, withoutUnits, text } = normaliseCounts(clause.text);
    const numbers = [...text.matchAll(ballotNumberPattern)];
    const countMatches = [...text.matchAll(countPattern)];
    const exact = countMatches.filter(({ groups }) => !groups!.approximation);
    const approximate = countMatches.filter(({ groups }) => groups!.approximation);
    const hasTally = countMatches.length + numbers.length > 1 || /\d (?:voix|votes) (?:pour|for)\b/iu.test(withStances);
    if (numbers.length === 0 && !(hasTally && exact.length > 0)) return [];
    const isPlural = numbers.length > 1 || severalBallotsPattern.test(text);
    const figures = figuresIn(text.replace(numbers[0]?.[0] ?? '', '·').replace(countPattern, '·'), isPlural);
    const denial = denialPattern.exec(clause.text)?.[0] ?? [];
    const result = resultIn(text);
    const stanceCounts = exact.map(({ groups }) => [stanceOf(groups!.stance!), Number(groups!.count)]);
    const counts: Partial<Counts> = Object.fromEntries(stanceCounts);
    return {
      ...clause,
      /** The content words of the paragraph. */
      context,
      number: numbers[0] ? String(Number(numbers[0][1])) : null,
      chamber: chamberIn(clause.text),
      /** The chamber that the paragraph names, for a clause that names none. */
      paragraphChamber,
      ...daysIn(text),
      /** Words about voters other than the whole chamber, or a count without stance; undefined if there are none. */
      otherVoters: otherVotersPattern.exec(text)?.[0],
      /** Figures, approximate counts and denials in the clause that the comparison ignores. */
      ignoredTexts: [...figures, ...approximate.map(([words]) => words)].concat(denial),
      result,
      counts,
      /** True if the clause states the result of the ballot by its number ("le scrutin n° 3 a été adopté"). */
      statesBallotResult: /\bscrutin[^,;:.]{0,30}\d (?:a été|est|fut) (?:adopt|rejet)/iu.test(text),
      /** True if the clause states the result with both counts ("adopté par 49 pour, 36 contre"). */
      statesResultWithCounts: /\b(?:adopt|rejet|repouss|approuv)\p{L}+ par \d+ pour, \d+ contre/iu.test(text),
      /** True if the clause denies, asks or supposes what it states, or is about several ballots. */
      isHedged: (isPlural && figures.length > 0) || denial.length > 0 || hedgePattern.test(clause.text),
      /** True if the first count may be the one against: "rejeté par 49 voix contre 36". */
      mayReverseCounts:
        result !== 'adopté' && /\d,? +(?:contre|to|against) +\d+\b(?! +(?:pour|for)\b)/iu.test(withoutUnits),
      /** True if the clause may be about several votes, or about one that is no public ballot of a chamber. */
      mayConcernOtherVote: exact.length > Object.keys(counts).length || (numbers.length === 0 && otherBody.test(text)),
    };
  });
}

/** A clause with "pour," after a censure's count, then without units, then (`text`) pairs as "1 pour, 2 contre,". */
function normaliseCounts(clause: string) {
  const withStances = /censure|renvers/iu.test(clause) ? clause.replace(censureCountPattern, '$& pour,') : clause;
  const ungrouped = withStances.replace(/\b\d{1,3}(?: \d{3})+\b/g, (count) => count.replace(/ /g, ''));
  const withoutUnits = ungrouped.replace(unitPattern, '');
  return { withStances, withoutUnits, text: withoutUnits.replace(forAgainstPattern, '$1 pour, $2$3 contre,') };
}

/** The result that the verbs of a clause state; undefined if they state both or none. */
function resultIn(clause: string): 'adopté' | 'rejeté' | undefined {
  const verbs = Array.from(clause.matchAll(verbPattern), ({ groups }) => groups!);
  // Verbs neither denied, nor of the past of a text ("adopté par le Sénat").
  const activeVerbs = verbs.filter(({ negation, auxiliary, body }) => !negation && (auxiliary || !body));
  const results = new Set(activeVerbs.map(({ adoption }) => (adoption ? ('adopté' as const) : ('rejeté' as const))));
  return results.size === 1 ? [...results][0] : undefined;
}

/** Days of a clause (`-MM-DD` without a year), days of a vote first; `isDayDirect`: the first is one by its wording. */
function daysIn(clause: string) {
  const days = [...clause.matchAll(dayPattern)].flatMap(({ 0: written, index }) => {
    const before = clause.slice(0, index);
    const after = clause.slice(index + written.length);
    const isDirect = beforeDay.test(before) || (clauseStart.test(before) && mainClause.test(after));
    const day = parseDayRange(written.replace(/^(\p{L}+) (\d+),/u, '$2 $1'), 0)?.[0];
    return day === undefined ? [] : [{ day: /\d{4}/.test(written) ? day : day.slice(4), isDirect }];
  });
  days.sort((one, other) => Number(other.isDirect) - Number(one.isDirect));
  return { days: days.map(({ day }) => day), isDayDirect: days[0]?.isDirect === true };
}

/** Figures of a clause that may be counts or ballot numbers, with their unit: "n° 3", "12", "560 votants". */
function figuresIn(clause: string, isPlural: boolean): string[] {
  const text = clause.replace(dayPattern, '·').replace(otherNumberPattern, '·').replace(amendmentPattern, '·');
  return [...text.matchAll(figurePattern)].flatMap(([words, numberMark, count, unit = '']) => {
    if (numberMark) return [`n° ${count}`];
    const isYear = /^(?:(?:19|20)\d\d(?:[/–-]\d+)?|(?:49|50)-\d)$/.test(count!) && !isPlural;
    if (voteWordPattern.test(unit)) return [words.trim()];
    return isYear || !/\d/.test(count!) || contentWords(unit).length > 0 ? [] : [count!];
  });
}

const lowerHousePattern =
  /assemblée nationale|national assembly|l['’](?:assemblée|AN)(?!\p{L})|palais[- ]bourbon|députée?s?(?!\p{L})/iu;
const upperHousePattern = /s[ée]nat|palais du luxembourg/iu;

/** The chamber that a text names; null if it names both or none. */
function chamberIn(text: string): Chamber | null {
  const activeText = text.replace(verbPattern, (verb, _negation, auxiliary, _adoption, body) =>
    body && !auxiliary ? '' : verb,
  );
  const isLower = lowerHousePattern.test(activeText);
  return isLower === upperHousePattern.test(activeText) ? null : isLower ? 'AN' : 'Senat';
}
