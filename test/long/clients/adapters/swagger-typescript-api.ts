import { Api, type HttpResponse, type Problem } from './generated/Api.ts';
import { serverUrl } from './server.ts';

const { api } = new Api({ baseUrl: serverUrl });

type Query<Ask extends (query: never) => unknown> = Parameters<Ask>[0];

export const listPoliticians = async (query: Query<typeof api.listPoliticians>) =>
  (await api.listPoliticians(query)).data;

export const getPolitician = async (slug: string) => (await api.getPolitician(slug)).data;

export const listFeed = async (query: Query<typeof api.listFeed>) => (await api.listFeed(query)).data;

export const search = async (query: Query<typeof api.search>) => (await api.search(query)).data;

export const listBallots = async (query: Query<typeof api.listBallots>) => (await api.listBallots(query)).data;

/** What is not well is thrown. */
export async function getBallot(scrutinId: string, query: Parameters<typeof api.getBallot>[1]) {
  const { status, error } = await api
    .getBallot(scrutinId, query)
    .catch((answer: HttpResponse<unknown, Problem>) => answer);
  return { status, problem: error as Problem };
}
