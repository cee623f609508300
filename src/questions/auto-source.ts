import { NetworkError, NotFoundError } from '../errors.ts';
import { isSlug } from '../store/name-lookup.ts';
import type { Source } from './source.ts';

/** What `auto` may do when the mirror has never held what is asked: open the service, told why. */
export type AskService = (why: string) => Promise<Source>;

/** Answers from the mirror, and asks the service only for a ballot or a slug that the mirror has never held. */
export function autoSource(mirror: Source, askService: AskService | null): Source {
  if (!askService) return mirror;
  const orAsk = async <Answer>(
    first: () => Promise<Answer>,
    ask: (service: Source) => Promise<Answer>,
    what: string,
  ) => {
    try {
      return await first();
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      const service = await askService(`${what} is not in the mirror`);
      return await ask(service).catch((failure) => {
        if (failure instanceof NetworkError)
          throw error.withHint('the service could not be reached to ask it');
        throw failure instanceof NotFoundError ? error : failure;
      });
    }
  };
  const orMirror = (
    name: string,
    ask: (service: Source) => ReturnType<Source['politician']>,
    first: () => ReturnType<Source['politician']>,
  ) => (isSlug(name) ? orAsk(first, ask, name) : first());
  return {
    ...mirror,
    politician: (name) =>
      orMirror(
        name,
        (service) => service.politician(name),
        () => mirror.politician(name),
      ),
    party: (name) =>
      orMirror(
        name,
        (service) => service.party(name),
        () => mirror.party(name),
      ),
    ballot: (chamber, id) =>
      orAsk(
        () => mirror.ballot(chamber, id),
        (service) => service.ballot(chamber, id),
        `ballot ${id}`,
      ),
  };
}
