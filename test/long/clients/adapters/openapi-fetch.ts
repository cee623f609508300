import createClient from 'openapi-fetch';
import type { operations, paths } from './generated/types.ts';
import { serverUrl } from './server.ts';

type Query<Name extends keyof operations> = operations[Name]['parameters']['query'];

const client = createClient<paths>({ baseUrl: serverUrl });

export const listPoliticians = async (query: Query<'listPoliticians'>) =>
  (await client.GET('/api/v1/politicians', { params: { query } })).data!;

export const getPolitician = async (slug: string) =>
  (await client.GET('/api/v1/politicians/{slug}', { params: { path: { slug } } })).data!;

export const listFeed = async (query: Query<'listFeed'>) =>
  (await client.GET('/api/v1/feed', { params: { query } })).data!;

export const search = async (query: Query<'search'>) =>
  (await client.GET('/api/v1/search', { params: { query } })).data!;

export const listBallots = async (query: Query<'listBallots'>) =>
  (await client.GET('/api/v1/ballots', { params: { query } })).data!;

export async function getBallot(scrutin_id: string, query: Query<'getBallot'>) {
  const { response, error } = await client.GET('/api/v1/votes/{scrutin_id}', {
    params: { path: { scrutin_id }, query },
  });
  return { status: response.status, problem: error! };
}
