import { client } from './generated/client.gen.ts';
import * as api from './generated/index.ts';
import { serverUrl } from './server.ts';

client.setConfig({ baseUrl: serverUrl });

export const listPoliticians = async (query: api.ListPoliticiansData['query']) =>
  (await api.listPoliticians({ query, throwOnError: true })).data;

export const getPolitician = async (slug: string) =>
  (await api.getPolitician({ path: { slug }, throwOnError: true })).data;

export const listFeed = async (query: api.ListFeedData['query']) =>
  (await api.listFeed({ query, throwOnError: true })).data;

export const search = async (query: api.SearchData['query']) => (await api.search({ query, throwOnError: true })).data;

export const listBallots = async (query: api.ListBallotsData['query']) =>
  (await api.listBallots({ query, throwOnError: true })).data;

export async function getBallot(scrutin_id: string, query: api.GetBallotData['query']) {
  const { response, error } = await api.getBallot({ path: { scrutin_id }, query });
  return { status: response!.status, problem: error! };
}
