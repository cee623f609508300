import * as api from './generated/api.ts';

/** The data of an answer that is as it should be; orval tells answers apart by their status. */
function dataOf<Answer extends { status: number; data: unknown }>(answer: Answer) {
  if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
  return (answer as Extract<Answer, { status: 200 }>).data as Extract<Answer, { status: 200 }>['data'];
}

export const listPoliticians = async (query: api.ListPoliticiansParams) => dataOf(await api.listPoliticians(query));

export const getPolitician = async (slug: string) => dataOf(await api.getPolitician(slug));

export const listFeed = async (query: api.ListFeedParams) => dataOf(await api.listFeed(query));

export const search = async (query: api.SearchParams) => dataOf(await api.search(query));

export const listBallots = async (query: api.ListBallotsParams) => dataOf(await api.listBallots(query));

export async function getBallot(scrutinId: string, query: api.GetBallotParams) {
  const answer = await api.getBallot(scrutinId, query);
  if (answer.status !== 404) throw new Error(`answered ${answer.status}`);
  return { status: answer.status, problem: answer.data };
}
