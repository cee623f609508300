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
  '--base-path: "{}" is not a path': '--base-path : « {} » n’est pas un chemin',
  'name the path below which the proxy passes requests on, for example --base-path /hemicycle':
    'indiquez le chemin sous lequel le proxy transmet les requêtes, par exemple --base-path /hemicycle',
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
  'More than {} requests in a minute; the next one is possible in {} s.':
    'Plus de {} requêtes en une minute ; la prochaine sera possible dans {} s.',
  'Requests cannot be counted at the moment; try again later.':
    'Les requêtes ne peuvent pas être comptées pour le moment ; réessayez plus tard.',
  'The parameter {} {}.': 'Le paramètre « {} » {}.',
  'The mirror cannot be read at the moment; try again later.':
    'Le miroir ne peut pas être lu pour le moment ; réessayez plus tard.',
  'The address is longer than {} characters.': 'L’adresse compte plus de {} caractères.',
  'is still to come': 'est encore à venir',
  'The answer took longer than {} s and was cut; ask for fewer or longer words, or less at a time.':
    'La réponse a pris plus de {} s et a été interrompue ; demandez des mots plus longs ou moins nombreux, ou moins de choses à la fois.',
  'Too many questions that take long are being answered; try again later.':
    'Trop de questions qui demandent du temps sont en cours ; réessayez plus tard.',
  'There is no mirror to be read at the moment: its file is missing, damaged or being replaced.':
    'Il n’y a pas de miroir à lire pour le moment : son fichier manque, est endommagé ou en cours de remplacement.',
};
