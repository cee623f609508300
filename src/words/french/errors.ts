/** What the table of errors says, whoever throws one. */
export const errors: Record<string, string> = {
  'Error: {}': 'Erreur : {}',
  '{}: {}': '{} : {}',
  'did you mean: {}?': 'vouliez-vous dire : {} ?',
  'several records match "{}"; nothing was chosen':
    'plusieurs enregistrements correspondent à « {} » ; rien n’a été choisi',
  'name one by its {}:\n{}': 'désignez-en un par {} :\n{}',
  'kind and key': 'type et clé',
  'the service refused the request ({}) for {}': 'le service a refusé la requête ({}) : {}',
  'check HEMICYCLE_TOKEN and HEMICYCLE_AUTH_HEADER; without a token the service answers 60 requests a minute':
    'vérifiez HEMICYCLE_TOKEN et HEMICYCLE_AUTH_HEADER ; sans jeton, le service répond à 60 requêtes par minute',
  'everything saved before stays; try again later, or check HEMICYCLE_BASE_URL':
    'ce qui a été enregistré est conservé ; réessayez plus tard ou vérifiez HEMICYCLE_BASE_URL',
  'nothing of that file was imported; mend the line and import again':
    'rien de ce fichier n’a été importé ; corrigez la ligne et recommencez l’import',
  'check the address and the network; everything saved before stays':
    'vérifiez l’adresse et le réseau ; ce qui a été enregistré est conservé',
  '{}: answered {} and asks to wait': '{} : a répondu {} et demande d’attendre',
  '{}: the service was asked too often and refuses for now':
    '{} : le service a été trop sollicité et refuse pour l’instant',
  'the service asks to come back in {}, not before {}; what was saved stays':
    'le service demande de revenir dans {}, pas avant {} ; ce qui a été enregistré est conservé',
  '{} hours': '{} heures',
  '{} days': '{} jours',
  'one part could not be read, the rest was brought: {}':
    'une partie n’a pas pu être lue, le reste a été rapatrié : {}',
  '{} parts could not be read, the rest was brought: {}':
    '{} parties n’ont pas pu être lues, le reste a été rapatrié : {}',
  '; and {} more': ' ; et {} de plus',
  'everything saved stays; `hemicycle status` lists what failed and when it is asked again':
    'tout ce qui a été enregistré est conservé ; `hemicycle status` indique ce qui a échoué et quand ce sera redemandé',
  'run `hemicycle sync`, or allow a larger --max-age':
    'lancez `hemicycle sync` ou acceptez un --max-age plus grand',
  'another run is writing to {}': 'une autre exécution écrit dans {}',
  'wait for it, or use --wait-lock 5m': 'attendez qu’elle finisse ou utilisez --wait-lock 5m',
  '{}, where requests to the service are counted, cannot be written ({})':
    'impossible d’écrire {}, où sont comptées les requêtes au service ({})',
  'set XDG_STATE_HOME to a folder that this user may write to; the service was not asked':
    'définissez XDG_STATE_HOME sur un dossier où cet utilisateur peut écrire ; le service n’a pas été interrogé',
  'there is no mirror at {}': 'il n’y a pas de miroir à l’emplacement {}',
  'make one with `hemicycle sync --from URL` or `hemicycle import FOLDER`; `hemicycle demo` shows it on fictional data':
    'créez-en un avec `hemicycle sync --from URL` ou `hemicycle import DOSSIER` ; `hemicycle demo` en montre un sur des données fictives',
  'this mirror holds no download of {}': 'ce miroir ne contient aucun téléchargement de {}',
  '`hemicycle sync` downloads every dataset; what was imported from files was not sent by the service':
    '`hemicycle sync` télécharge tous les jeux de données ; ce qui a été importé de fichiers n’a pas été envoyé par le service',
  'nothing was written; point --db or HEMICYCLE_DB at a mirror':
    'rien n’a été écrit ; indiquez un miroir avec --db ou HEMICYCLE_DB',
  'the disk is full; what was saved before stays':
    'le disque est plein ; ce qui avait été enregistré est conservé',
  'make room and run the same command again: it goes on from there':
    'libérez de la place et relancez la même commande : elle reprendra là où elle s’est arrêtée',
  'the limit of open files is reached': 'la limite de fichiers ouverts est atteinte',
  'raise it, for example with `ulimit -n 1024`, and run the same command again':
    'augmentez-la, par exemple avec `ulimit -n 1024`, et relancez la même commande',
  'nothing was written there; choose another target with -o':
    'rien n’y a été écrit ; choisissez une autre destination avec -o',
  'Hemicycle is not whole: {}': 'l’installation d’Hemicycle est incomplète : {}',
  'install it again, with its packages (`npm ci` in a clone)':
    'réinstallez-le avec ses paquets (`npm ci` dans un clone)',
};
