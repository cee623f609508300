import type { Document } from '../model/document.ts';
import { commitmentPattern, type Heading, headingOf, isMotionOfCensure, policyPattern } from '../model/heading.ts';
import { type Phrase, say } from '../words/speech.ts';

/** What a ballot was held on, with display names, from the widest consequence to the narrowest; `rules` decide. */
const namesOfNatures = {
  censure: say`motion of censure`,
  confidence: say`vote of confidence`,
  declaration: say`declaration of the Government`,
  rejection: say`motion to reject`,
  procedure: say`procedural motion`,
  amendment: say`amendment`,
  part: say`part of a finance bill`,
  whole: say`whole text`,
  article: say`article`,
};

export type Nature = keyof typeof namesOfNatures;

export const natures = Object.keys(namesOfNatures) as Nature[];

export type NatureFilter = Nature | 'resolution';

/** Display names of the filters by nature; `resolution` selects votes on whole resolutions. */
export const natureNames: Record<NatureFilter, Phrase> = { ...namesOfNatures, resolution: say`resolution` };

export const natureFilters = Object.keys(natureNames) as NatureFilter[];

/** Version of the rules; stored beside every derived value, which is recomputed when the rules change. */
export const natureRulesVersion = 1;

const generalPolicyVote =
  /^(?:la |l'approbation d(?:e la|u) |le )?(?:déclaration de politique générale|programme du gouvernement)/u;
const confidenceVote =
  /^(?:la |le )?(?:question|vote) de confiance|article 49, (?:alinéa|al\.) (?:premier|1(?:er)?)\b/u;

/** Matches the type of a ballot on a whole text. */
const typeOfText = /^(?:projet|proposition) de (?:loi|résolution)|^résolution|solennel/u;

const soleArticle = /^l'article unique/u;

/** A pattern of the title, in which the object of the vote precedes the text's name, or a test of the heading. */
type Condition = RegExp | ((heading: Heading) => boolean);

/** Rules in order of precedence: the first whose condition a heading meets decides. */
const rules: readonly [Nature, Condition][] = [
  ['censure', isMotionOfCensure],
  [
    'confidence',
    ({ title, chamber }) =>
      chamber === 'AN' &&
      (generalPolicyVote.test(title) ||
        confidenceVote.test(title) ||
        (commitmentPattern.test(title) && policyPattern.test(title)) ||
        (/^(?:la )?déclaration du gouvernement/u.test(title) && policyPattern.test(title))),
  ],
  ['declaration', /^(?:la |une |l'approbation de la )?déclaration d(?:u gouvernement|e politique générale)/u],
  [
    'rejection',
    /^(?:la |une |l')?(?:motions? (?:de rejet|d'irrecevabilité)|question préalable|exception d'irrecevabilité|motions?\b.*?tendant à (?:op)?poser (?:la question préalable|l'exception d'irrecevabilité))/u,
  ],
  [
    'procedure',
    /^(?:la |une |l'|le |les )?(?:demande|recevabilité|ajournement|suspension|prolongation de la (?:séance|session)|proposition (?:de prolongation|d'ajournement|de suspension)|renvoi (?:en|à la) commission|discussion immédiate|seconde délibération|ordre du jour|clôture|motions?\b.*?(?:renvoi (?:en|à la|au) commission|d'ajournement|référendaire|référendum))/u,
  ],
  ['amendment', /^(?:l'|les |le )?(?:ensemble des |[a-zéè]+ )?(?:sous[- ]?)?amende?m/u],
  [
    'part',
    /^(?:l'ensemble (?:de |des ))?(?:la |les |l')?(?:(?:première|deuxième|seconde|troisième|quatrième|cinquième) partie|crédits|articles? liminaire|états? [a-g]\b|articles? \S+(?: \S+)? (?:et|,) (?:l')?état [a-g]\b)/u,
  ],
  ['article', /^l'ensemble (?:de l'|des )articles?/u],
  ['whole', /^l'ensemble(?! (?:de |du |des )+(?:l'|la |le )?(?:titre|chapitre|section|alinéa|annexe|rapport|sous))/u],
  ['whole', soleArticle],
  // A title that is only the name of a text.
  ['whole', /^(?:la |le |les )?(?:projet|proposition)s? de (?:loi|résolution)/u],
  ['whole', /^(?:les )?conclusions de la commission mixte paritaire/u],
  ['article', /^(?:l'|les )?articles? /u],
  ['whole', ({ type, title }) => title !== '' && typeOfText.test(type)],
];

/** The nature of a ballot: that of the first rule that its title or type matches; null if none does. */
export const natureOf = (ballot: Document): Nature | null => natureIn(headingOf(ballot));

function natureIn(heading: Heading): Nature | null {
  const isMet = (condition: Condition) =>
    typeof condition === 'function' ? condition(heading) : condition.test(heading.title);
  return rules.find(([, condition]) => isMet(condition))?.[0] ?? null;
}

/** Facts from the type and title of a ballot; each is null if they do not state it. */
export function titleFactsOf(ballot: Document) {
  const heading = headingOf(ballot);
  const { title } = heading;
  return {
    nature: natureIn(heading),
    textKind: textKindIn(heading),
    /** The reading in brackets, such as `première lecture`, in lower case; null if none. */
    reading: /\(([^()]*\b(?:lecture|commission mixte paritaire)\b[^()]*)\)[ .]*$/u.exec(title)?.[1]?.trim() ?? null,
    /** True for the sole article of a text: it adopts the whole, unless other ballots are on the whole. */
    isOnSoleArticle: soleArticle.test(title) && !/^l'article unique constituant l'ensemble/u.test(title),
  };
}

/** True for an amendment that deletes what it amends: a vote for it is a vote against the provision. */
export function isDeletion(ballot: Document): boolean {
  const heading = headingOf(ballot);
  const { title } = heading;
  // The name of the text, which may itself speak of deleting, follows the object of the vote.
  const voteObject = title.slice(0, startOfName(title));
  return natureIn(heading) === 'amendment' && /de supp?ression|tendant à supprimer/u.test(voteObject);
}

/** Kinds of texts: bills of the Government, of members, finance bills, and resolutions. */
export const textKinds = ['finance bill', 'government bill', 'member bill', 'resolution'] as const;

export type TextKind = (typeof textKinds)[number];

const textKindPatterns: readonly [TextKind, RegExp][] = [
  ['finance bill', /projets? de loi (?:organique )?(?:de finances|de financement de la sécurité sociale)/u],
  ['finance bill', /projet de loi (?:[^(]*?)approbation des comptes/u],
  ['resolution', /proposition de résolution|^résolution/u],
  ['member bill', /propositions? de loi/u],
  ['government bill', /projets? de loi/u],
];

/** The kind of the text that a ballot is on, from the first text that its title names, else from its type. */
function textKindIn({ title, type }: Heading): TextKind | null {
  const start = startOfName(title);
  const name = start === title.length ? type : title.slice(start);
  return textKindPatterns.find(([, pattern]) => pattern.test(name.slice(0, maxNameLength)))?.[0] ?? null;
}

/** Offset of the first name of a text in a title; its length if it names none. */
function startOfName(title: string): number {
  const start = title.search(/(?:projet|proposition)s? de (?:loi|résolution)/u);
  return start < 0 ? title.length : start;
}

const maxNameLength = 160; // first characters of a text's name, which decide its kind; names of others may follow
