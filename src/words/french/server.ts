/** What `serve` says to whoever started it. */
export const server: Record<string, string> = {
  'until it answers again, {} (--limit-store-down)':
    'jusqu’à ce qu’il réponde de nouveau, {} (--limit-store-down)',
  '{} cannot be used ({})': '{} est inutilisable ({})',
  'cannot listen on {} ({})': 'impossible d’écouter sur {} ({})',
  'choose another port, or 0 for a free one': 'choisissez un autre port, ou 0 pour un port libre',
  'it should look like redis://127.0.0.1:6379': 'elle devrait ressembler à redis://127.0.0.1:6379',
  'the limit store is not an address of Redis or Valkey':
    'le magasin des limites n’est pas une adresse de Redis ou Valkey',
  'choose another file with --log': 'choisissez un autre fichier avec --log',
  'the log cannot be written ({})': 'impossible d’écrire le journal ({})',
  '--sync-every "{}" is not a duration of a minute or more':
    '--sync-every « {} » n’est pas une durée d’une minute ou plus',
  '--trust-proxy: "{}" is not an address or a network':
    '--trust-proxy : « {} » n’est ni une adresse ni un réseau',
  'name it with --from URL or HEMICYCLE_BASE_URL, or leave --sync-every out':
    'indiquez-la avec --from URL ou HEMICYCLE_BASE_URL, ou retirez --sync-every',
  'name the proxies that pass requests on, for example --trust-proxy 127.0.0.1,10.0.0.0/8':
    'indiquez les proxys qui transmettent les requêtes, par exemple --trust-proxy 127.0.0.1,10.0.0.0/8',
  'the address of the service to sync from is not set':
    'l’adresse du service à synchroniser n’est pas définie',
  'write 30m, 6h or 1d': 'écrivez 30m, 6h ou 1d',
  'warning: {}': 'attention : {}',
};
