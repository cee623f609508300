/** What a person reads at a terminal: lists, views, citations. */
export const terminal: Record<string, string> = {
  'as of {}': 'état au {}',
  'retrieved {}': 'consulté le {}',
  'the pager {} cannot be started ({})': 'le paginateur {} ne peut être lancé ({})',
  'waiting {} s for {}': 'attente de {} s : {}',
  'known columns: {}': 'colonnes connues : {}',
  'unknown column: {}': 'colonne inconnue : {}',
};
