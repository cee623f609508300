/** Why texts are on one subject, strongest first: amendments to one file, equal names, similar names on near days. */
export const textLinkKinds = ['amendments', 'name', 'days'] as const;

export type TextLinkKind = (typeof textLinkKinds)[number];

/** A text's key, its name or file key (`name`), and a chamber's `first` ballot day on it; `until`: the last plus 31. */
export type NameInUse = { text: string; name: string; chamber: string; first: string; until: string };

/** A ballot on an amendment: its text's key, and as `name` the key of the file that the amendment's record states. */
export type FiledBallot = { text: string; name: string };

/** Links between keys of texts on one subject: of each pair only the strongest link, in one direction. */
export function textLinks(names: readonly NameInUse[], amendmentBallots: readonly FiledBallot[]) {
  const links = new Map<string, { text: string; other: string; linkedBy: TextLinkKind }>();
  const add = (linkedBy: TextLinkKind, text: string, other: string) => {
    const pair = [text, other].sort().join('\n');
    if (text !== other && !links.has(pair)) links.set(pair, { text, other, linkedBy });
  };
  // A text belongs to a file that has three quarters of its ballots, and at least two: fewer may be a coincidence.
  const filedTexts = [...Map.groupBy(amendmentBallots, ({ text }) => text).values()].flatMap((ballots) => {
    const groups = [...Map.groupBy(ballots, ({ name }) => name).values()];
    return groups.flatMap((ofFile) => (ofFile.length < Math.max(2, ballots.length * 0.75) ? [] : ofFile.slice(0, 1)));
  });
  const byName = Map.groupBy([...names, ...filedTexts], ({ name }) => name); // names and file keys alike
  for (const { text, name } of filedTexts) for (const other of byName.get(name)!) add('amendments', text, other.text);
  const subjects = names.flatMap((each) => {
    // Distinctive words of a name: without its kind, the word that links both, articles and prepositions.
    const nameWords = each.name.replace(kindOfText, '').replace(linkWordPattern, '').split(' ');
    const words = new Set(nameWords.filter((word) => !functionWords.has(word)));
    return words.size < minDistinctiveWords ? [] : { ...each, words, kind: kindOfText.exec(each.name)?.[0] };
  });
  for (const [first, ...otherNames] of Map.groupBy(subjects, ({ words }) => [...words].sort().join(' ')).values())
    for (const other of otherNames) add('name', first!.text, other.text);
  for (const sameKindSubjects of Map.groupBy(subjects, ({ kind, chamber }) => `${kind} ${chamber}`).values())
    for (const one of sameKindSubjects)
      for (const other of sameKindSubjects)
        if (isSoonAfter(other, one) && (hasAllWords(one, other) || hasAllWords(other, one)))
          add('days', one.text, other.text);
  return [...links.values()];
}

type Subject = NameInUse & { words: Set<string>; kind: string | undefined }; // `words`: distinctive

/** True if voting on the later text began by the `until` day of the earlier one, and its kind is known. */
const isSoonAfter = (later: Subject, earlier: Subject) =>
  later.kind !== undefined && earlier.first <= later.first && later.first <= earlier.until;

const hasAllWords = (one: Subject, other: Subject) => [...other.words].every((word) => one.words.has(word));

const minDistinctiveWords = 2; // of a name that identifies a subject
/** Matches the kind of a text at the beginning of its key. */
export const kindOfText =
  /^(?:projet|proposition) de (?:loi|resolution)(?: (?:organique|constitutionnelle|europeenne)\b)*/u;
const linkWordPattern = /^ (?:visant|tendant|relati(?:f|ve|fs)|portant|instaurant|appelant)\b/u;
const functionWords = new Set(' a au aux d dans de des du en et l la le les ou par pour s sur un une'.split(' '));
