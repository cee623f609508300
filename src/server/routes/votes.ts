import { Type } from 'typebox';
import { chambers } from '../../model/ballot.ts';
import { similarBallots } from '../../store/name-lookup.ts';
import { readBallotOf } from '../../store/record.ts';
import { responsesOf } from '../answer-schemas.ts';
import type { App } from '../framework.ts';
import { choiceParameter, nameParameter, querySchema } from '../parameter-schemas.ts';
import { RefusedRequestError } from '../problem.ts';
import { named } from '../record-schemas.ts';
import type { Serving } from '../serving.ts';

const schema = {
  tags: ['service'],
  operationId: 'getBallot',
  summary: 'A ballot of the lower house or the senate, with votes by party.',
  params: Type.Object({
    scrutin_id: nameParameter('Identifier of the ballot in its chamber.', 'VAL1V4'),
  }),
  querystring: querySchema({
    chamber: Type.Optional({
      ...choiceParameter(chambers, 'AN for the Assemblée nationale, Senat for the Sénat.'),
      default: 'AN',
    }),
  }),
  response: responsesOf(named('Ballot'), 404, 422),
};

/** Serves ballots. */
export function voteRoutes(api: App, { mirror, answers }: Serving): void {
  api.get('/votes/:scrutin_id', { schema }, (request, reply) =>
    answers.json(request, reply, () => {
      const { scrutin_id: scrutinId } = request.params;
      const chamber = request.query.chamber!;
      const ballot = readBallotOf(mirror, chamber, scrutinId);
      if (ballot) return JSON.stringify(ballot);
      const near = similarBallots(mirror, chamber, scrutinId);
      throw new RefusedRequestError(404, `No ballot of the chamber ${chamber} has that identifier.`, {
        suggestions: near.map(({ key, name }) => ({
          scrutin_id: key.slice(chamber.length + 1),
          chamber,
          date: name,
        })),
      });
    }),
  );
}
