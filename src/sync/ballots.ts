import { ServiceAnswerError } from '../errors.ts';
import { type Chamber, chambers } from '../model/ballot.ts';
import type { Document } from '../model/document.ts';
import { kindOf } from '../model/kinds.ts';
import type { Client, Query } from '../service/client.ts';
import type { Validator } from '../service/headers.ts';
import { readOne } from '../service/shapes.ts';
import { keepAnswer, noteUnchanged } from '../store/answer.ts';
import type { Mirror } from '../store/open.ts';
import { createSaver, type Outcome } from '../store/save.ts';
import { type BallotReference, markAbsent } from '../store/to-fetch.ts';
import { atOnce } from '../store/transaction.ts';
import { validatorFor } from './ask.ts';
import { type SyncContext, tallyOf } from './context.ts';
import { absentStatuses } from './details.ts';
import { eachOf } from './each.ts';
import { ballotRequest, ballotsIn, includes } from './plan.ts';

/** Fetches the ballots that records or the user name and the mirror does not hold. */
export async function syncBallots(context: SyncContext): Promise<void> {
  if (!includes(context.scope, 'ballot')) return;
  const references = ballotsIn(context.mirror, context.client.baseUrl, context);
  context.progress.stage('ballots', references.length);
  await eachOf(
    context,
    { stage: 'ballots', items: references, name: ({ scrutinId }) => scrutinId },
    async (reference) => {
      const outcome = await fetchBallot(context, reference, (path, query) =>
        validatorFor(context, path, query),
      );
      if (outcome) tallyOf(context, 'ballot')[outcome] += 1;
      else context.progress.note(`ballot ${reference.scrutinId}: the service has none`);
    },
  );
}

/**
 * Asks for one ballot and saves it, in either chamber where none is stated; null if there is none. `known` gives the
 * validator to ask with, for ballots that may be what they were.
 */
export async function fetchBallot(
  { mirror, client, now = Date.now }: { mirror: Mirror; client: Client; now?: () => number },
  { chamber, scrutinId }: BallotReference,
  known: (path: string, query: Query) => Validator | null = () => null,
): Promise<Outcome | null> {
  for (const each of chamber ? [chamber] : chambers) {
    const { path, query } = ballotRequest(`${each}:${scrutinId}`);
    const asked = { key: `${each}:${scrutinId}`, at: new Date(now()).toISOString() };
    try {
      const answer = await client.getJsonIfChanged(path, query, known(path, query));
      if (answer === null) {
        atOnce(mirror, () => noteUnchanged(mirror, client.address(path, query), asked.at));
        return 'same';
      }
      const document = identified(
        readOne(answer, kindOf('ballot'), ['ballot', 'vote', 'scrutin']),
        each,
        scrutinId,
      );
      return atOnce(mirror, () => {
        const saver = createSaver(mirror, kindOf('ballot'), { at: answer.at });
        const outcome = saver.save(document);
        saver.finish();
        keepAnswer(mirror, answer);
        return outcome;
      });
    } catch (error) {
      const status = error instanceof ServiceAnswerError ? error.status : null;
      if (status === null || !absentStatuses.includes(status)) throw error;
      atOnce(mirror, () => markAbsent(mirror, { kind: 'ballot', key: asked.key }, { status, at: asked.at }));
    }
  }
  return null;
}

/** The key of a ballot is what was asked for: its answer need not repeat id or chamber. */
function identified(document: Document, chamber: Chamber, scrutinId: string): Document {
  return { ...document, scrutin_id: scrutinId, chamber };
}
