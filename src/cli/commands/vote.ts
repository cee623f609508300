import { AmbiguousNameError, NotFoundError, UsageError } from '../../errors.ts';
import { ballotSvg } from '../../format/ballot-svg.ts';
import { ballotCard } from '../../format/share-svg.ts';
import { attributionPhrase } from '../../model/attribution.ts';
import { ballotKey, readBallot } from '../../model/ballot.ts';
import { textOf } from '../../model/document.ts';
import { ballotRemarks } from '../../parliament/group-position.ts';
import { individualVoteNotes } from '../../questions/individual-votes.ts';
import { interpretedFields } from '../../questions/interpretation.ts';
import { relatedTextsField } from '../../questions/related-texts.ts';
import { vote } from '../../questions/vote.ts';
import type { Mirror } from '../../store/mirror.ts';
import { hasRecord } from '../../store/record.ts';
import { searchBallots, similarBallots } from '../../store/records/reference.ts';
import { readWordsFilter } from '../../store/search/all-words.ts';
import { parseReference } from '../../store/syncs/to-fetch.ts';
import { writeRecord } from '../../terminal/record-view.ts';
import { searchNotes } from '../../terminal/search-view.ts';
import { linkAddress } from '../../terminal/terminal.ts';
import { type Phrase, say } from '../../words/speech.ts';
import type { SourceFlags } from '../answerer.ts';
import { cardFileOf, cardFlag, writeCard } from '../card-file.ts';
import { examples, type Interfaces, optionalArgument, switchFlag, valueFlag } from '../oclif.ts';
import { examplesOf, flagsOf } from '../question-flags.ts';
import { emptyListPhrase, ReadingCommand } from '../reading-command.ts';

const { chamber: chamberFlag, ...otherFlags } = flagsOf(vote);

export default class Vote extends ReadingCommand {
  static override description = `${vote.description}
Name a ballot by its id, its number, its URL, or words of its title and a year. If several match, they are listed.`;
  static override examples = [
    ...examplesOf(vote),
    ...examples(
      ['By words of its title', 'vote motion de censure 2025'],
      ['The latest of several matches', 'vote motion de censure --latest'],
      ['A picture to publish', 'vote VAL1V4 --card vote.png'],
      ['The picture in a page, with its sentence and source', 'vote VAL1V4 --card vote.html'],
    ),
  ];
  static override strict = false;
  static override args = { ballot: optionalArgument('id, number, URL, or words of the title') };
  static override flags: Interfaces.FlagInput = {
    ...otherFlags,
    chamber: { ...chamberFlag!, default: undefined },
    order: valueFlag(
      'seating order of the groups, from left to right; without it, seats are arranged by vote',
      'GROUP,…',
    ),
    latest: switchFlag('the latest matching ballot; without words, the latest of all'),
    // Scripts use the former names of two kinds of card.
    card: { ...cardFlag, aliases: ['svg', 'png'] },
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Vote);
    const text = argv.join(' ');
    if (text.trim() === '' && !(flags.latest && flags.source !== 'service'))
      throw new UsageError(
        say`no ballot was given`,
        say`\`hemicycle ballots\` lists them, \`hemicycle vote --latest\` shows the newest`,
      );
    const format = flags.json ? 'json' : flags.format;
    const cardFile = cardFileOf(flags.card, this.argv);
    if (cardFile?.path === '-' && format !== 'table')
      throw new UsageError(
        say`stdout cannot receive both the picture and ${format}`,
        say`give a file for the picture: --card FILE.${cardFile.format}`,
      );
    if (flags.source !== 'service' && !flags.quiet)
      for (const note of individualVoteNotes(this.mirror(), `vote ${text}`)) this.note(note);
    const values = this.resolveBallot(text, flags);
    if (cardFile === null) return this.show(vote, values, flags);
    const result = await this.record(vote, values, flags);
    const { item, attribution, ballot } = result;
    const { speech } = this;
    const ballotFacts = readBallot(item);
    const notes = ballotRemarks(ballotFacts).map(speech.render);
    const url = linkAddress(textOf(item, 'url'));
    const source = [ballotKey(ballotFacts), url, speech.render(attributionPhrase(attribution))];
    const context = {
      facts: ballot?.facts ?? new Map(),
      order: ballot?.order ?? [],
      attribution: source.filter((part) => part !== null).join(' · '),
      speech,
    };
    await writeCard(this, cardFile, {
      ...ballotCard(ballotFacts, { context, kicker: attribution.name }),
      url,
      notes,
      svg: () => ballotSvg(ballotFacts, { ...context, attribution: [...notes, context.attribution].join(' · ') }),
    });
    if (format !== 'table') await writeRecord(result, this.outputOptions(flags), this.sinks());
  }

  /** Key of the stored ballot that the text names, else the id as typed; throws if several or no titles match. */
  private resolveBallot(text: string, flags: SourceFlags & { chamber?: string; latest?: boolean; quiet?: boolean }) {
    // People write `senat 323` for `senat:323`.
    const reference = parseReference(text) ?? parseReference(text.replace(/^(\S+)\s+(?=\S*\d\S*$)/, '$1:'));
    const chamber = reference?.chamber ?? flags.chamber;
    const typedKey = this.valuesOf(vote, { scrutin_id: reference?.scrutinId ?? text, chamber });
    if (flags.source === 'service') return typedKey;
    const mirror = this.mirror();
    if (hasRecord(mirror, 'ballot', `${typedKey.chamber}:${typedKey.scrutin_id}`)) return typedKey;
    const isNumber = /^\d+$/.test(typedKey.scrutin_id);
    // Without a typed chamber: numbers in the default chamber, then in all chambers; other text in all at once.
    const inChamber = isNumber || chamber ? searchBallots(mirror, typedKey.scrutin_id, typedKey.chamber) : [];
    const candidates = inChamber.length > 0 || chamber ? inChamber : searchBallots(mirror, typedKey.scrutin_id, null);
    if (candidates.length > 1 && !flags.latest) throw new AmbiguousNameError(text, candidates, 'id');
    const resolvedReference = candidates[0] && parseReference(candidates[0].key); // the newest
    const isIdLike = /^\S*\d\S*$/.test(text); // one word with a digit
    if (resolvedReference && reference === null && !isIdLike && flags.latest && !flags.quiet)
      for (const note of wordNotes(mirror, text)) this.note(note);
    if (resolvedReference) return { scrutin_id: resolvedReference.scrutinId, chamber: resolvedReference.chamber! };
    if (isIdLike) return typedKey; // the service may know the id
    if (text.trim() === '') throw new NotFoundError(emptyListPhrase(mirror, ['ballot']));
    const otherWords = this.argv.filter((word) => !text.includes(word)); // flags
    throw new NotFoundError(
      say`no ballot in the mirror matches "${text}"`,
      say`to find ballots by words of their titles: \`hemicycle ballots -q WORD\``,
      similarBallots(mirror, typedKey.scrutin_id, chamber ? typedKey.chamber : null),
    ).propose([['ballots', '-q', text, ...otherWords]]);
  }
}

/** Notes on how the words of `--latest` were interpreted, and on related texts, which may have later ballots. */
function wordNotes(mirror: Mirror, text: string): Phrase[] {
  const { remarks } = interpretedFields(readWordsFilter(mirror, text, ['ballot']).interpretations);
  return searchNotes({ remarks, ...relatedTextsField(mirror, undefined, text) });
}
