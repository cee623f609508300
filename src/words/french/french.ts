import type { Noun } from '../nouns.ts';
import { cli } from './cli.ts';
import { checks, doctor } from './doctor.ts';
import { errors } from './errors.ts';
import { evidence } from './evidence.ts';
import { exporting } from './export.ts';
import { frenchField } from './fields.ts';
import { help } from './help.ts';
import { helpOfFlags } from './help-flags.ts';
import { helpSubjects } from './help-subjects.ts';
import { names } from './names.ts';
import { frenchNouns } from './nouns.ts';
import { pages } from './pages.ts';
import { questions } from './questions.ts';
import { server } from './server.ts';
import { service } from './service.ts';
import { store } from './store.ts';
import { syncing } from './sync.ts';
import { terminal } from './terminal.ts';
import { votes } from './votes.ts';
import { helpOfWatches, watching } from './watches.ts';

/** Everything that is told in French. */
export type FrenchWords = {
  /** The English of a `say` with `{}` for each value → the French, with `{}` in that order or `{0}` by number. */
  phrases: Readonly<Record<string, string>>;
  /** Names and sentences that are known only when they are met: what `word` looks up. */
  words: Readonly<Record<string, string>>;
  /** What a field is called beside its value, or above its column. */
  field(name: string): string;
  nouns: Readonly<Record<Noun, readonly [string, string]>>;
};

/** The tables of phrases, by the room that says them. */
export const phraseTables = {
  cli,
  doctor,
  errors,
  evidence,
  exporting,
  pages,
  questions,
  server,
  service,
  store,
  syncing,
  terminal,
  votes,
  watching,
};

/** The tables of words, by what they name. */
export const wordTables = { checks, help, helpOfFlags, helpSubjects, helpOfWatches, names };

export const frenchWords: FrenchWords = {
  phrases: Object.assign({}, ...Object.values(phraseTables)),
  words: Object.assign({}, ...Object.values(wordTables)),
  field: frenchField,
  nouns: frenchNouns,
};
