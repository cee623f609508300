import { Type } from 'typebox';
import { listParties } from '../../store/parties.ts';
import { partyProfile } from '../../store/profile.ts';
import { pageSchema, responsesOf } from '../answer-schemas.ts';
import type { App } from '../framework.ts';
import { nearSlugs } from '../near-slugs.ts';
import { pageText } from '../page-text.ts';
import { nameParameter } from '../parameter-schemas.ts';
import { RefusedRequestError } from '../problem.ts';
import { named } from '../record-schemas.ts';
import type { Serving } from '../serving.ts';

const listSchema = {
  tags: ['service'],
  operationId: 'listParties',
  summary: 'All parties and parliamentary groups, by name.',
  response: responsesOf(pageSchema('Party')),
};

const profileSchema = {
  tags: ['service'],
  operationId: 'getParty',
  summary: 'A party or group: description, members, sources.',
  params: Type.Object({ slug: nameParameter('Slug of the party.', 'alliance-des-rivages') }),
  response: responsesOf(named('PartyProfile'), 404),
};

/** Serves the list of parties and their profiles. */
export function partyRoutes(api: App, { mirror, answers }: Serving): void {
  api.get('/parties', { schema: listSchema }, (request, reply) =>
    answers.json(request, reply, () => pageText(() => listParties(mirror))),
  );
  api.get('/parties/:slug', { schema: profileSchema }, (request, reply) =>
    answers.json(request, reply, () => {
      const { slug } = request.params;
      const profile = partyProfile(mirror, slug);
      if (profile) return JSON.stringify(profile);
      throw new RefusedRequestError(404, 'No party has that slug.', {
        suggestions: nearSlugs(mirror, 'party', slug).map(({ key, name }) => ({ slug: key, name })),
      });
    }),
  );
}
