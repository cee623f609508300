import { NotFoundError, UsageError } from '../errors.ts';
import { formats } from '../format/formats.ts';
import type { pairCard } from '../format/pair-card.ts';
import { sanitiseLine, shellLine } from '../format/sanitise.ts';
import { readBallot } from '../model/ballot.ts';
import { type Document, partsOfList } from '../model/document.ts';
import { titleOf } from '../model/facets.ts';
import { findKind, type KindName, kindOf } from '../model/kinds.ts';
import { findGroups } from '../names/lookup.ts';
import { type Coverage, coveragePhrase } from '../parliament/coverage.ts';
import { derivedOfRecord } from '../parliament/group-rows.ts';
import { readWholeList, withheldNote } from '../questions/answering.ts';
import { flagName, type Parameters, parseUserInput, type Values } from '../questions/parameter.ts';
import type { Listing, ListQuestion, RecordQuestion } from '../questions/question.ts';
import { record } from '../questions/record.ts';
import { resolveReference } from '../questions/references.ts';
import { suggestionsPhrase } from '../questions/suggestions.ts';
import type { Mirror } from '../store/mirror.ts';
import { createNatureReader } from '../store/records/ballots.ts';
import { groupFacts, seatingOrder } from '../store/records/parties.ts';
import { sourcesOf } from '../store/records/profile.ts';
import { createNameLookup, readRecordContext } from '../store/records/record-context.ts';
import { completenessOf } from '../store/syncs/completeness.ts';
import { countWithheldInResult } from '../store/tombstones.ts';
import type { NameLookup, SourcesOf } from '../terminal/feed-view.ts';
import { type Answer, isPage, type OutputOptions, outputFormats, writeAnswer } from '../terminal/list.ts';
import { writeRecord } from '../terminal/record-view.ts';
import { searchNotes } from '../terminal/search-view.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { loadLanguage, type Phrase, type Speech, say, saying } from '../words/speech.ts';
import { createSqlAnswerer, openAnswerer, type SourceFlags, showsRemarks } from './answerer.ts';
import { readBallotList } from './ballot-list.ts';
import { HemicycleCommand } from './base-command.ts';
import { cardFileOf, writeListCard } from './card-file.ts';
import { asOfFlag, headerFlag, maxAgeFlag, pagerFlag } from './flag-values.ts';
import { readManifest } from './manifest.ts';
import { choiceFlag, groupFlags, type Interfaces, valueFlag } from './oclif.ts';
import { fullListCommand, publicCommand, withoutUpperBounds } from './question-flags.ts';
import { inferFlags } from './typed-words.ts';

type ReadingFlags = SourceFlags & {
  columns?: string | undefined;
  all?: boolean | undefined;
  header?: boolean;
  order?: string | undefined; // groups of a ballot from left to right
  card?: string;
  timeout?: string; // time after which a statement of the user is stopped
};

/** Base of commands that answer from the mirror or the service, in every format. */
export abstract class ReadingCommand extends HemicycleCommand {
  static override baseFlags: Interfaces.FlagInput = {
    ...HemicycleCommand.baseFlags,
    ...groupFlags('OUTPUT', {
      format: choiceFlag('output format', outputFormats, 'table'),
      columns: valueFlag('columns to show, comma-separated', 'a,b'),
      header: headerFlag,
    }),
    pager: pagerFlag,
    ...groupFlags('SOURCE', {
      source: choiceFlag(
        'data source: the mirror only, the service only, or auto: the mirror, and the service for records ' +
          'that the mirror never contained',
        ['mirror', 'service', 'auto'],
        'auto',
      ),
      'max-age': maxAgeFlag,
      'as-of': asOfFlag,
    }),
  };

  /** The title of an HTML page or card; undefined for the summary of the command. */
  protected title: string | undefined;

  /** How to write the answer, by the flags; throws a UsageError for an empty `--columns`. */
  protected outputOptions(flags: ReadingFlags) {
    const columns = flags.columns === undefined ? undefined : partsOfList(flags.columns);
    if (columns?.length === 0)
      throw new UsageError(say`--columns names no column`, say`remove it for the default columns`);
    return {
      format: (flags.json ? 'json' : flags.format) as OutputOptions['format'],
      columns,
      header: flags.header ?? true,
      terminal: this.terminal(),
      quiet: flags.quiet,
      title: () => this.title ?? readManifest(this.config.root).commands[this.id!]?.summary,
      command: publicCommand(this.id!, this.argv, { ...this.ctor.baseFlags, ...this.ctor.flags }),
    } satisfies OutputOptions;
  }

  /** Writes the list in the requested format, and its card with `--card`; returns the number of items written. */
  protected async answer<Ps extends Parameters>(
    question: ListQuestion<Ps>,
    values: Values<Ps>,
    flags: ReadingFlags,
    { blocks, lead, paragraphs, cardOf, readsAllPages = false }: ListView = {},
  ): Promise<{ shown: number }> {
    if (question.fields?.some(({ name }) => name.endsWith('_fr'))) await loadLanguage('fr'); // for any reader
    const { mirror, attribution, ...opened } = await openAnswerer({ command: this, question, values, flags });
    const answerer = question.runsStatement ? await createSqlAnswerer(this, mirror, flags.timeout!) : opened.answerer;
    const maxLimit = question.parameters.limit?.schema.maximum; // size of the pages that `--all` requests
    const listing =
      readsAllPages || flags.all
        ? await readWholeList(answerer, question, readsAllPages ? values : { ...values, limit: maxLimit })
        : await answerer.list(question, values);
    const output = this.outputOptions(flags);
    const cardFile = cardOf ? cardFileOf(flags.card, this.argv) : null;
    if (cardOf && cardFile) {
      const items = await Array.fromAsync(listing.items);
      const cardOptions = { listing, attribution: attribution(listing.origin), commandLine: output.command };
      await writeListCard(this, cardFile, cardOf(items, this.speech, values), cardOptions);
      if (output.format === 'table') return { shown: items.length };
      listing.items = items;
    }
    const count = { shown: 0 };
    const isContinued = 'cursor' in values && values.cursor !== undefined;
    // Total of the list: the items written if all pages are read; unknown from a cursor on; else counted.
    const countAll = () => (readsAllPages ? count.shown : isContinued ? null : (listing.countAll?.()?.total ?? null));
    const nameOf = createNameLookup(mirror);
    const renderBlock = blocks?.(nameOf, (document) => sourcesOf(mirror, document));
    const questionColumns = listing.columns ?? question.columnsFor?.(values) ?? question.columns;
    const isTable = output.format === 'table';
    const flatten = createFlattener({ question, output, view: { blocks, paragraphs }, speech: this.speech });
    const headings = questionColumns.map((name) => this.localisedColumn(question, name));
    const fileColumns = questionColumns.filter((name) => !question.lastFileColumns?.includes(name));
    const nearMatches = listing.near ?? null;
    const showsNear = output.format === 'json' || (isTable && output.terminal.isTTY);
    await writeAnswer(
      {
        ...listing,
        extra: { ...listing.extra, ...(nearMatches && { near: nearMatches }) },
        near: nearMatches && { heading: suggestionsPhrase(nearMatches), items: nearMatches.items.map(flatten) },
        items: countItems(listing.items, count, flatten),
        total: listing.total ?? countAll,
        columns: isTable || isPage(output.format) ? headings : fileColumns,
        omittedFirst: question.omittedFirst,
        wordColumns: (question.fields ?? []).filter(({ words }) => words).map(({ name }) => name),
        nameOf,
        allColumns: question.allColumns,
        notes: notesOf(listing, { isQuiet: flags.quiet === true, showsNear }),
        emptyMessage: () =>
          emptyListPhrase(mirror, listing.origin.from === 'mirror' ? question.kindsRead(values) : [], listing.coverage),
        attribution: attribution(listing.origin),
        block: renderBlock,
        paragraphs,
        linesAbove: lead && (() => lead({ ...listing, mirror, extra: listing.extra ?? {} })),
        fullListCommand: question.parameters.cursor && ((total) => fullListCommand(this.id!, this.argv, total)),
      },
      output,
      this.sinks(),
    );
    return count;
  }

  /** The column in the reader's language if there is one, as `title_fr` for `title`. */
  private localisedColumn({ fields = [] }: ListQuestion, column: string): string {
    const localisedName = `${column}_${this.speech.language}`;
    return fields.some(({ name }) => name === localisedName) ? localisedName : column;
  }

  protected async show<Ps extends Parameters>(question: RecordQuestion<Ps>, values: Values<Ps>, flags: ReadingFlags) {
    await writeRecord(await this.record(question, values, flags), this.outputOptions(flags), this.sinks());
  }

  /** Answers a record question; returns the record with its attribution, sources and, at a terminal, context. */
  protected async record<Ps extends Parameters>(question: RecordQuestion<Ps>, values: Values<Ps>, flags: ReadingFlags) {
    const { answerer, mirror, attribution } = await openAnswerer({ command: this, question, values, flags });
    const { item, origin } = await answerer.record(question, values);
    const kind = question.kind(values);
    const withheld = kind === 'party' && origin.from === 'mirror' ? countWithheldInResult(mirror, [kind]) : 0;
    if (withheld > 0 && !flags.quiet) this.note(withheldNote(withheld));
    const ballot =
      kind === 'ballot' ? ballotContext(mirror, item, flags.order ?? this.settingsWith(flags).groupOrder) : undefined;
    const context = this.terminal().isTTY ? readRecordContext(mirror, kindOf(kind), item) : undefined;
    const sources = sourcesOf(mirror, item);
    const title = titleOf(kindOf(kind), item);
    return { item, origin, kind, title, attribution: attribution(origin), ballot, context, sources };
  }

  /** The flags, plus those inferred from words typed without a flag; reports the inference on stderr. */
  protected withWords<F extends ReadingFlags>({ parameters }: { parameters: Parameters }, words: unknown[], flags: F) {
    const resolvedFlags = inferFlags(() => this.mirror(), parameters, { words: words.map(String), flags });
    if (resolvedFlags === null)
      throw new UsageError(say`too many words: "${words.join(' ')}"`, say`remove it, or add its flag`);
    for (const { flag, text } of resolvedFlags)
      if (showsRemarks(flags))
        this.sinks().stderr(
          say`${sanitiseLine(text)} is interpreted as ${flag === 'query' ? '-q' : `--${flag}`} ${shellLine([text])}`,
        );
    const texts = Map.groupBy(resolvedFlags, ({ flag }) => flag);
    return { ...flags, ...Object.fromEntries([...texts].map(([flag, all]) => [flag, all.map(({ text }) => text)])) };
  }

  /** Kind and key of the record that the words name (KIND KEY, or one text); throws an error if none has this name. */
  protected resolveRecord(words: string[], flags: ReadingFlags): Values<typeof record.parameters> {
    const [kind = '', ...keyWords] = words;
    const parseKindAndKey = () => this.valuesOf(record, { kind, key: keyWords.join(' ') });
    const typedReference = keyWords.length > 0 && findKind(kind) ? parseKindAndKey() : null;
    if (flags.source === 'service' && keyWords.length > 0) return typedReference ?? parseKindAndKey();
    const mirror = this.mirror();
    if (typedReference) return resolveReference(mirror, typedReference.key, kindOf(typedReference.kind));
    try {
      return resolveReference(mirror, words.join(' '));
    } catch (error) {
      // Words without near matches probably began with a misspelt kind: throw the error about it instead.
      if (keyWords.length > 0 && error instanceof NotFoundError && error.suggestions.length === 0) parseKindAndKey();
      throw error;
    }
  }

  /** Like `valuesOf`, with the ballots of a list read from the file of `--ballots`. */
  protected async readTypedValues<Ps extends Parameters>(
    question: { parameters: Ps },
    { ballots: file, ...input }: Record<string, unknown>,
  ): Promise<Values<Ps>> {
    const values = this.valuesOf(question, input);
    if (file === undefined) return values;
    const { ballots, author } = await readBallotList(String(file));
    return { ...values, ballots, author: input.author ?? author };
  }

  /** Parameter values from arguments and flags; throws a UsageError for invalid ones. */
  protected valuesOf<Ps extends Parameters>({ parameters }: { parameters: Ps }, input: Record<string, unknown>) {
    const entries = Object.entries(parameters).map(([name, each]) => [name, input[flagName(name, each)]]);
    return parseUserInput(withoutUpperBounds(parameters), Object.fromEntries(entries));
  }
}

/** Derived values of a ballot, facts about its groups, and their order: typed (groups that voted) or configured. */
function ballotContext(mirror: Mirror, item: Document, order: string | readonly string[] | null) {
  const slugs = readBallot(item).votes_by_party.flatMap(({ party }) => party ?? []);
  const facts = groupFacts(mirror);
  const derived = derivedOfRecord(item, createNatureReader(mirror)(item));
  if (typeof order !== 'string') return { derived, facts, order: seatingOrder(mirror, order) };
  return { derived, facts, order: partsOfList(order).flatMap((name) => findGroups(mirror, name, new Set(slugs))) };
}

/** The text for an empty list: what the mirror covers, or which of the kinds it never stored. */
export function emptyListPhrase(mirror: Mirror, kinds: readonly KindName[], coverage: readonly Coverage[] = []) {
  const missingKinds = kinds.map(kindOf).filter((kind) => completenessOf(mirror, kind) === null);
  const phrase = coveragePhrase(coverage);
  if (missingKinds.length === 0) return phrase ? say`nothing found; ${phrase}` : say`nothing found`;
  const plurals = missingKinds.map(({ plural }) => plural);
  const kindList = saying(({ list, word }) => list(plurals.map(word), 'or'));
  return missingKinds.length < kinds.length
    ? say`nothing found; the mirror contains no ${kindList} yet`
    : say`the mirror contains no ${kindList} yet: see \`hemicycle status\``;
}

/** Notes on a list: of its question (unless quiet), of its search, and on suggestions that the format omits. */
function notesOf(listing: Listing, { isQuiet, showsNear }: { isQuiet: boolean; showsNear: boolean }): Phrase[] {
  const { notes, extra, trouble, remarks, near } = listing;
  return [
    ...(isQuiet ? [] : (notes?.() ?? [])),
    ...searchNotes({ ...extra, trouble, remarks }),
    ...(near && !showsNear ? [say`${suggestionsPhrase(near)} (at a terminal, or \`near\` in JSON)`] : []),
  ];
}

/** How a terminal shows a list, other than as a table. */
export type ListView = {
  /** Creates the renderer of items too long for table rows; it may resolve names and sources. */
  blocks?: ((nameOf: NameLookup, sources: SourcesOf) => (item: Document, terminal: Terminal) => string) | undefined;
  /** The lines above the list. */
  lead?: ((listing: { mirror: Mirror; extra: Document } & Pick<Listing, 'countAll'>) => string[]) | undefined;
  paragraphs?: Answer['paragraphs']; // renders items as prose
  readsAllPages?: boolean; // reads all pages; the caller chooses their size by the limit in the values
  cardOf?: typeof pairCard | undefined; // draws the card of the items for `--card`
};

type FlattenContext = { question: ListQuestion; output: OutputOptions; view: ListView; speech: Speech };

/** Creates the function that flattens an item to a row; items stay whole as JSON, blocks or prose. */
function createFlattener({ question, output, view, speech }: FlattenContext) {
  const isTable = output.format === 'table';
  const format = formats.find(({ name }) => name === output.format); // undefined for a table or a JSON list
  const isForPeople = isTable || format?.document !== undefined;
  const hasView = output.columns === undefined && ((isTable && view.blocks) || (isForPeople && view.paragraphs));
  if (!question.toRow || hasView || (!isTable && (!format || format.keepsAllFields))) return (item: Document) => item;
  return (item: Document) => question.toRow!(item, isForPeople ? speech : undefined);
}

/** Yields the items, flattened by `flatten`; counts them in `count.shown`. */
async function* countItems(
  items: Listing['items'],
  count: { shown: number },
  flatten: (item: Document) => Document,
): AsyncGenerator<Document> {
  for await (const item of items) {
    count.shown += 1;
    yield flatten(item);
  }
}
