import { ServiceAnswerError } from '../errors.ts';
import { type Chamber, chamberOf } from '../model/ballot.ts';
import { textOf } from '../model/document.ts';
import { type Kind, kindOf } from '../model/kinds.ts';
import { say } from '../words/speech.ts';
import type { QueryParameters, ServiceClient } from './client.ts';
import type { Validator } from './headers.ts';
import { readOne } from './shapes.ts';

/** Returns the validator for a conditional request; null to get the full body. */
type ValidatorLookup = (path: string, query: QueryParameters) => Validator | null;

/** Path of a profile. */
export const profilePath = (kind: Kind, slug: string): string => `/${kind.plural}/${encodeURIComponent(slug)}`;

/** Path and query of a ballot. */
export function ballotRequest(chamber: Chamber, scrutinId: string) {
  return { path: `/votes/${encodeURIComponent(scrutinId)}`, query: { chamber } };
}

/** Gets the profile of a politician or party, as `getRecord` does; throws a ServiceAnswerError for another profile. */
export async function getProfile(
  client: ServiceClient,
  { kind, slug }: { kind: Kind; slug: string },
  validatorFor: ValidatorLookup = () => null,
) {
  const result = await getRecord(client, { kind, path: profilePath(kind, slug), query: {} }, validatorFor);
  if (result.state !== 'received') return result;
  const { document, answer } = result;
  const otherSlug = typeof document.slug === 'string' && document.slug !== slug ? document.slug : null;
  if (otherSlug === null) return { ...result, document: { ...document, slug } };
  // Permanently redirected to the profile of that slug: the service merged the two.
  if (answer.isMoved && answer.url === client.address(profilePath(kind, otherSlug)))
    return { state: 'absent' as const, status: 301, movedTo: otherSlug };
  throw new ServiceAnswerError(answer.address, say`the answer is about "${otherSlug}"`);
}

/** Gets one ballot as `getRecord` does, with id and chamber of the request; throws for another ballot. */
export async function getBallot(
  client: ServiceClient,
  { chamber, scrutinId }: { chamber: Chamber; scrutinId: string },
  validatorFor: ValidatorLookup = () => null,
) {
  const request = { kind: kindOf('ballot'), ...ballotRequest(chamber, scrutinId) };
  const result = await getRecord(client, request, validatorFor);
  if (result.state !== 'received') return result;
  const declaredId = textOf(result.document, 'scrutin_id', 'scrutinId') ?? scrutinId;
  const declaredChamber = chamberOf(result.document.chamber ?? result.document.chambre) ?? chamber;
  const [receivedId, requestedId] = [declaredId, scrutinId].map((id) => id.toLowerCase());
  // A request may name a ballot by the number alone with which its id ends.
  const isSameBallot = receivedId === requestedId || /\d+$/.exec(receivedId!)?.[0] === requestedId;
  if (declaredChamber !== chamber || !isSameBallot)
    throw new ServiceAnswerError(result.answer.url, say`the answer is about "${`${declaredChamber}:${declaredId}`}"`);
  return { ...result, document: { ...result.document, scrutin_id: scrutinId, chamber } };
}

/** Gets a record: its document and response (`received`), `unchanged` for 304, or `absent` with the error status. */
async function getRecord(
  client: ServiceClient,
  { kind, path, query }: { kind: Kind; path: string; query: QueryParameters },
  validatorFor: ValidatorLookup,
) {
  // The keys `.` and `..` have no URL: URL parsers resolve them as path segments.
  if (/\/\.\.?$/.test(path)) return { state: 'absent' as const, status: 404, movedTo: null };
  try {
    const answer = await client.getJsonIfChanged(path, query, validatorFor(path, query));
    if (answer === null) return { state: 'unchanged' as const };
    return { state: 'received' as const, document: readOne(answer, kind), answer };
  } catch (error) {
    const status = error instanceof ServiceAnswerError && error.meansAbsent ? error.status : null;
    if (status === null) throw error;
    return { state: 'absent' as const, status, movedTo: null };
  }
}
