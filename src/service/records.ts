import { ServiceAnswerError } from '../errors.ts';
import type { Chamber } from '../model/ballot.ts';
import type { Document } from '../model/document.ts';
import { type Kind, kindOf } from '../model/kinds.ts';
import { say } from '../words/speech.ts';
import type { JsonResponse, QueryParameters, ServiceClient } from './client.ts';
import type { Validator } from './headers.ts';
import { readOne } from './shapes.ts';

/** One record that was asked for: as it came; unchanged since that validator; or absent, with the status that says so. */
export type RecordResult =
  | { state: 'came'; document: Document; answer: JsonResponse }
  | { state: 'unchanged' }
  | { state: 'absent'; status: number };

/** Gives the validator to ask an address with; null where its body has to come whole. */
export type ValidatorLookup = (path: string, query: QueryParameters) => Validator | null;

/** Where a profile is asked for. */
export function profilePath(kind: Kind, slug: string): string {
  return `/${kind.plural}/${encodeURIComponent(slug)}`;
}

/** Where a ballot is asked for. */
export function ballotRequest(
  chamber: Chamber,
  scrutinId: string,
): { path: string; query: { chamber: string } } {
  return { path: `/votes/${encodeURIComponent(scrutinId)}`, query: { chamber } };
}

/** The profile of a politician or party; throws a ServiceAnswerError for one of somebody else. */
export async function getProfile(
  client: ServiceClient,
  { kind, slug }: { kind: Kind; slug: string },
  known: ValidatorLookup = () => null,
): Promise<RecordResult> {
  const got = await getRecord(client, { kind, path: profilePath(kind, slug), query: {} }, known);
  if (got.state !== 'came') return got;
  const { document, answer } = got;
  if (typeof document.slug === 'string' && document.slug !== slug)
    throw new ServiceAnswerError(answer.url, say`the answer is about "${document.slug}"`);
  return { ...got, document: { ...document, slug } };
}

/** One ballot. Its key is what was asked for: the answer need not repeat id or chamber. */
export async function getBallot(
  client: ServiceClient,
  { chamber, scrutinId }: { chamber: Chamber; scrutinId: string },
  known: ValidatorLookup = () => null,
): Promise<RecordResult> {
  const got = await getRecord(
    client,
    { kind: kindOf('ballot'), ...ballotRequest(chamber, scrutinId) },
    known,
  );
  if (got.state !== 'came') return got;
  return { ...got, document: { ...got.document, scrutin_id: scrutinId, chamber } };
}

/** Fields under which a record may stand in its answer. */
const wrappers = { ballot: ['ballot', 'vote', 'scrutin'] };

async function getRecord(
  client: ServiceClient,
  { kind, path, query }: { kind: Kind; path: string; query: QueryParameters },
  known: ValidatorLookup,
): Promise<RecordResult> {
  try {
    const answer = await client.getJsonIfChanged(path, query, known(path, query));
    if (answer === null) return { state: 'unchanged' };
    const names = kind.name === 'ballot' ? wrappers.ballot : [kind.name, 'profile'];
    return { state: 'came', document: readOne(answer, kind, names), answer };
  } catch (error) {
    const status = error instanceof ServiceAnswerError && error.isAbsence ? error.status : null;
    if (status === null) throw error;
    return { state: 'absent', status };
  }
}
