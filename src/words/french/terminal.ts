/** What a person reads at a terminal: lists, views, citations. */
export const terminal: Record<string, string> = {
  'as of {}': 'état au {}',
  'retrieved {}': 'consulté le {}',
};
