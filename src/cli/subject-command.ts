import { NotFoundError, UsageError } from '../errors.ts';
import { shellLine } from '../format/sanitise.ts';
import { proseTokens } from '../language/prose.ts';
import { relatedTerms } from '../language/subjects.ts';
import { findFilterSlugs, findSlug, ifResolved } from '../names/lookup.ts';
import { resolveVotedText } from '../questions/ballot-selection.ts';
import { ballotFilters } from '../questions/ballots.ts';
import { parseUserInput } from '../questions/parameter.ts';
import type { Mirror } from '../store/mirror.ts';
import { findSubject, saveSubject } from '../store/subjects.ts';
import { clauses, say } from '../words/speech.ts';
import { HemicycleCommand } from './base-command.ts';
import { parseName } from './flag-values.ts';
import { argument, listFlag, optionalArgument } from './oclif.ts';
import { isYes, openQuestioner } from './questioner.ts';
import { watchNamePattern } from './watch-flags.ts';

export const subjectArgument = argument('name of the subject');

const wordsArgument = optionalArgument('words, each argument an alternative; of several words, a phrase');

const ruleFlags = {
  person: listFlag('politician, by slug or name', 'PERSON'),
  group: listFlag('party or group, by slug or name', 'GROUP'),
  text: listFlag('text put to the vote', 'TEXT'),
  nature: listFlag('what its ballots are held on; no other ballots belong to the subject', 'NATURE'),
};

/** Rules `KIND: VALUE` for typed values by kind; words without letters are dropped, several words become a phrase. */
function readRules(mirror: Mirror, typedRules: Partial<Record<string, string[]>>): string[] {
  const { word = [], person = [], group = [], text = [], nature = [] } = typedRules;
  const quotePhrase = (each: string) => (/^[^"“”„«»]*\s[^"“”„«»]*$/.test(each) ? `"${each}"` : each);
  return [
    ...word.filter((each) => proseTokens(each).length > 0).map((each) => `word: ${quotePhrase(each.trim())}`),
    ...person.map((each) => `person: ${findSlug(mirror, 'politician', each)}`),
    ...group.flatMap((each) => findFilterSlugs(mirror, 'party', each)).map((slug) => `group: ${slug}`),
    ...text.map((each) => `text: ${resolveVotedText(mirror, each).names[0]}`),
    ...nature.map((each) => `nature: ${parseUserInput({ nature: ballotFilters.nature }, { nature: each }).nature}`),
  ];
}

/** Creates the command that adds a subject (`isNew`) or edits one: words and flags are rules that it adds. */
export function subjectCommand({ isNew }: { isNew: boolean }): typeof HemicycleCommand {
  return class extends HemicycleCommand {
    static override strict = false;
    static override args = { name: subjectArgument, words: wordsArgument };
    static override flags = isNew
      ? ruleFlags
      : { ...ruleFlags, remove: listFlag('rule to remove, as `subject list` shows it', 'RULE') };

    async run(): Promise<void> {
      const { args, argv, flags } = await this.parse(this.constructor as typeof HemicycleCommand);
      const mirror = this.mirror();
      const find = () => findSubject(mirror, args.name!);
      const subject = isNew ? ifResolved(find) : find();
      if (isNew && subject)
        throw new UsageError(say`a subject named ${subject.name} exists, built in or your own`).propose([
          ['subject', 'edit', ...this.argv],
        ]);
      const name =
        subject?.name ?? parseName(args.name!, watchNamePattern, say`"${args.name}" is not a name for a subject`);
      const words = argv.slice(1).map(String);
      if (isNew) words.push(...(await this.acceptTerms(words)));
      const { remove = [], ...typedRules } = flags as Record<string, string[] | undefined>;
      const addedRules = readRules(mirror, { ...typedRules, word: words });
      const parseRules = ([kind = '', value = '']: string[]) => readRules(mirror, { [kind]: [value] });
      const rules = new Set<string>();
      await saveSubject(mirror.path, name, (storedRules) => {
        for (const rule of [...storedRules, ...addedRules]) rules.add(rule);
        for (const text of remove) {
          const removedRules = rules.has(text) ? [text] : parseRules(text.split(/: (.*)/s)); // as stored, else as typed
          const deletedRules = removedRules.filter((rule) => rules.delete(rule));
          if (deletedRules.length > 0) continue;
          throw new NotFoundError(say`the subject ${name} has no rule "${text}"`, say`it has: ${clauses([...rules])}`);
        }
        if ([...rules].every((each) => each.startsWith('nature: ')))
          throw new UsageError(say`the subject ${name} has no records`, say`give words, a person, a group or a text`);
        return [...rules];
      });
      const showCommand = shellLine(['hemicycle', 'subject', 'show', name]);
      const sentence = say`the subject ${name} has: ${clauses([...rules])}; \`${showCommand}\` shows its records`;
      await this.print({ name, rules: [...rules] }, sentence);
    }

    /** The terms related to the words that the user accepts at a terminal; none elsewhere. */
    private async acceptTerms(words: readonly string[]): Promise<string[]> {
      const ask = openQuestioner(this);
      if (ask === null) return [];
      const acceptedTerms: string[] = [];
      for (const term of relatedTerms(words))
        if (isYes(await ask(say`Add the related term "${term}"? [y/N] `), false)) acceptedTerms.push(term);
      return acceptedTerms;
    }
  };
}
