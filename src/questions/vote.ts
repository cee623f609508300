import { NotFoundError } from '../errors.ts';
import { readBallot } from '../model/ballot.ts';
import { kindOf, schemaNameOf } from '../model/kinds.ts';
import { getBallot } from '../service/records.ts';
import { readBallotOf, readRecord } from '../store/record.ts';
import { findReferencedBallots, findSimilarBallots } from '../store/records/reference.ts';
import { saveRecord } from '../store/saving/save.ts';
import { markAbsent, parseReference } from '../store/syncs/to-fetch.ts';
import { saveResponse } from '../store/syncs/validators.ts';
import { tryTransaction } from '../store/transaction.ts';
import { say } from '../words/speech.ts';
import { chamberChoice, pathParameter } from './parameter-kinds.ts';
import { recordQuestion } from './question.ts';

/** One ballot. */
export const vote = recordQuestion('vote', {
  parameters: {
    scrutin_id: pathParameter('identifier of the ballot within its chamber', { example: 'VAL1V4' }),
    chamber: chamberChoice('AN'),
  },
  kindsRead: () => ['ballot'],
  schema: schemaNameOf('ballot'),
  kind: () => 'ballot',
  read(mirror, { scrutin_id: scrutinId, chamber }) {
    const storedBallot = readBallotOf(mirror, chamber, scrutinId);
    if (storedBallot) return storedBallot;
    // References that only the mirror resolves: AN:8419, a number, an id in another case.
    const candidates = findReferencedBallots(mirror, scrutinId, chamber);
    const reference = candidates.length === 1 ? parseReference(candidates[0]!.key) : null;
    return reference === null ? undefined : readBallotOf(mirror, reference.chamber!, reference.scrutinId);
  },
  async requestFromService({ mirror, client }, { scrutin_id: scrutinId, chamber }) {
    const key = `${chamber}:${scrutinId}`;
    const response = await getBallot(client, { chamber, scrutinId });
    if (response.state !== 'received') {
      const status = response.state === 'absent' ? response.status : 304; // 304 cannot occur: no validator is sent
      const at = new Date().toISOString();
      tryTransaction(mirror, () => markAbsent(mirror, { kind: 'ballot', key }, { status, at }));
      throw new NotFoundError(say`the service has no ballot ${scrutinId} of the chamber ${chamber}`);
    }
    const { document, answer } = response;
    const isSaved = tryTransaction(mirror, () => {
      saveRecord(mirror, kindOf('ballot'), document, { at: answer.at });
      saveResponse(mirror, answer);
    });
    const ballotDocument = (isSaved ? readRecord(mirror, kindOf('ballot'), key) : null) ?? document;
    return { item: readBallot(ballotDocument, { chamber, scrutinId }), origin: { from: 'service', as_of: answer.at } };
  },
  describeMissing(mirror, { scrutin_id: scrutinId, chamber }) {
    const inChamber = findReferencedBallots(mirror, scrutinId, chamber);
    const near = inChamber.length > 0 ? inChamber : findReferencedBallots(mirror, scrutinId);
    return {
      message: say`no ballot ${scrutinId} of the chamber ${chamber} is in the mirror`,
      hint: say`for the other chamber: --chamber; to fetch ballots by id: \`hemicycle sync --ballots\``,
      detail: say`No ballot of the chamber ${chamber} has that identifier.`,
      near: near.length > 0 ? near : findSimilarBallots(mirror, chamber, scrutinId),
      suggestion({ key, name }) {
        const { chamber, scrutinId } = parseReference(key)!;
        return { scrutin_id: scrutinId, chamber, date: name.slice(0, 10) };
      },
    };
  },
  describeUnknown: ({ scrutin_id }) => `ballot ${scrutin_id}`,
});
