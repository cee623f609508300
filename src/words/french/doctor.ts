/** What `doctor` says of the mirror, the way to the service and its answers. */
export const doctor: Record<string, string> = {
  'problems were found: {}': 'problèmes trouvés : {}',
  'each check says what to do': 'chaque ligne dit que faire',
  '{} is whole: {}': '{} est intact : {}',
  '{} is damaged': '{} est endommagé',
  'move it away and sync or import into a new file; what can be saved of it: sqlite3 FILE .recover':
    'mettez-le de côté et synchronisez ou importez dans un nouveau fichier ; pour en sauver ce qui peut l’être : sqlite3 FILE .recover',
  'words were analysed otherwise when the index was built':
    'les mots étaient analysés autrement quand l’index a été construit',
  'the next sync or import builds it anew': 'la prochaine synchronisation ou importation le reconstruit',
  'every text is in it: {}': 'tous les textes y sont : {}',
  'it holds {} texts, and there are {}: some are not found, or found in vain':
    'il contient {} textes, et il y en a {} : certains ne sont pas trouvés, ou le sont en vain',
  '`hemicycle sync --full` into a new file (--db FILE) has all of them':
    '`hemicycle sync --full` dans un nouveau fichier (--db FILE) les aura tous',
  'the mirror was written by an older Hemicycle': 'le miroir a été écrit par un Hemicycle plus ancien',
  'schema {} of {}, SQLite {}, Node {}': 'schéma {} sur {}, SQLite {}, Node {}',
  'the next sync or import brings it up to date; until then it is read from a copy':
    'la prochaine synchronisation ou importation le met à jour ; d’ici là, il est lu depuis une copie',
  'the mirror holds no moment yet': 'le miroir ne contient encore aucune date',
  'the newest moment is {}': 'la date la plus récente est : {}',
  'the newest moment is {}, which is still to come: a clock was wrong':
    'la date la plus récente, {}, est encore à venir : une horloge était fausse',
  'set the clock of this machine; if it is right, `hemicycle sync --accept-clock` mends the mirror':
    'réglez l’horloge de cette machine ; si elle est juste, `hemicycle sync --accept-clock` répare le miroir',
  'a sync or import is writing to the mirror': 'une synchronisation ou importation écrit dans le miroir',
  'nobody is writing to the mirror': 'personne n’écrit dans le miroir',
  'this user may not look whether anybody is writing':
    'cet utilisateur n’a pas le droit de regarder si quelqu’un écrit',
  'the file beside the mirror that ends in .lock has to be readable':
    'le fichier voisin du miroir qui finit par .lock doit être lisible',
  'none yet: the mirror was filled from files': 'aucune encore : le miroir a été rempli depuis des fichiers',
  'it ended well, begun {}': 'elle s’est bien terminée (début : {})',
  'it is running, begun {}': 'elle est en cours (début : {})',
  'it was killed, begun {}': 'elle a été interrompue brutalement (début : {})',
  'it ended with exit {}, begun {}': 'elle s’est terminée avec le code {} (début : {})',
  '`hemicycle sync` goes on from there; `hemicycle help exit-codes` says what a number means':
    '`hemicycle sync` reprend à cet endroit ; `hemicycle help exit-codes` dit ce que veut dire un code',
  'every address was answered when it was last asked':
    'toutes les adresses ont répondu quand elles ont été interrogées',
  '{} failed when they were last asked': '{} ont échoué la dernière fois',
  '{}: {}, {} times in a row; asked again after {}': '{} : {}, {} fois de suite ; réinterrogée après : {}',
  'nothing where it passes: each is asked again by itself; `hemicycle status --json` lists all':
    'rien si cela passe : chacune est réinterrogée d’elle-même ; `hemicycle status --json` les donne toutes',
  'no answer of the service is known yet: what they look like is remembered from the next sync on':
    'aucune réponse du service n’est encore connue : leur forme est retenue dès la prochaine synchronisation',
  'answers look as they did: {} sorts are known':
    'les réponses ont la forme qu’elles avaient ; sortes connues : {}',
  'answers of the service look otherwise than before':
    'des réponses du service n’ont plus la forme qu’elles avaient',
  'see whether the records still say what you rely on; then `hemicycle doctor --accept` takes this for usual':
    'vérifiez que les données disent encore ce sur quoi vous comptez ; puis `hemicycle doctor --accept` tient cette forme pour habituelle',
  '{} is gone (it was in {} of the records)': '{} a disparu (présent auparavant dans {} des enregistrements)',
  '{} is new (in {} of the records)': '{} est nouveau (dans {} des enregistrements)',
  '{} is called {} now': '{} s’appelle maintenant {}',
  '{} is of the type {} now, and was {}': '{} est maintenant du type {}, et était du type {}',
  '{} is empty in {} of the records, and was in {}':
    '{} est vide dans {} des enregistrements, et l’était dans {}',
  '{} is written in the form {} now, and was {}': '{} s’écrit maintenant sous la forme {}, et avant : {}',
  '{} has a word that was never there: {}': '{} contient un mot jamais vu : {}',
  'the records stood under {}, and are nowhere to be found now':
    'les enregistrements étaient sous {}, et sont maintenant introuvables',
  'the records stand under {} now, and stood under {}':
    'les enregistrements sont maintenant sous {}, et étaient sous {}',
  'how many there are stood under {}, and is not stated now':
    'leur nombre était sous {}, et n’est plus indiqué',
  'how many there are stood under {}, and stands under {} now':
    'leur nombre était sous {}, et se trouve maintenant sous {}',
  'the next page stood under {}, and stands under {} now':
    'la page suivante était sous {}, et se trouve maintenant sous {}',
  'since {}': 'depuis le {}',
  'others can read {}, which holds the token': 'd’autres peuvent lire {}, qui contient le jeton',
  'they make sense; {} holds those that are kept': 'ils sont cohérents ; ceux qui sont gardés sont dans {}',
  '{} are free in {}': '{} sont libres dans {}',
  'make room: a sync needs about as much as the mirror takes, for what is on its way in':
    'faites de la place : une synchronisation demande à peu près la taille du miroir, pour ce qui arrive',
  'none is set': 'aucun n’est indiqué',
  '{} is no address': '{} n’est pas une adresse',
  'NO_PROXY leaves {} out of {}': 'NO_PROXY excepte {} de {}',
  'requests go through {} ({})': 'les requêtes passent par {} ({})',
  'NODE_TLS_REJECT_UNAUTHORIZED=0: any certificate is taken, that of an eavesdropper too':
    'NODE_TLS_REJECT_UNAUTHORIZED=0 : tout certificat est accepté, même celui d’un espion',
  'unset it; NODE_EXTRA_CA_CERTS names a certificate of your own':
    'supprimez cette variable ; NODE_EXTRA_CA_CERTS nomme un certificat à vous',
  'the certificates that Node trusts': 'les certificats auxquels Node se fie',
  'NODE_EXTRA_CA_CERTS has to name a file of certificates (PEM); Node goes on without it, and says so once':
    'NODE_EXTRA_CA_CERTS doit nommer un fichier de certificats (PEM) ; Node continue sans lui, et ne le dit qu’une fois',
  '{} cannot be read ({})': '{} ne peut être lu ({})',
  '{} holds no certificate': '{} ne contient aucun certificat',
  '{} holds a certificate that ended {}': '{} contient un certificat expiré ({})',
  '{} adds to the certificates that Node trusts: {}': '{} s’ajoute aux certificats auxquels Node se fie : {}',
  '{} holds a certificate that cannot be read': '{} contient un certificat illisible',
  'no service is set': 'aucun service n’est indiqué',
  'requests cannot be counted: their file cannot be written':
    'les requêtes ne peuvent être comptées : leur fichier ne peut être écrit',
  'set XDG_STATE_HOME to a folder that this user may write to':
    'indiquez dans XDG_STATE_HOME un dossier où cet utilisateur peut écrire',
  'the service asked to be left alone until {}':
    'le service demande qu’on le laisse tranquille ; échéance : {}',
  'wait; nothing is asked until then': 'attendez ; rien n’est demandé d’ici là',
  '{} of {} requests are left this minute': 'il reste {} requêtes sur {} pour cette minute',
  '`hemicycle config set base-url URL`, or HEMICYCLE_BASE_URL':
    '`hemicycle config set base-url URL`, ou HEMICYCLE_BASE_URL',
  '{} was not asked (--offline)': '{} n’a pas été interrogé (--offline)',
  '{} was not asked: no request is left now':
    '{} n’a pas été interrogé : aucune requête n’est disponible pour l’instant',
  '{} answers': '{} répond',
  'the clock of the service was not seen': 'l’horloge du service n’a pas été vue',
  'it goes as that of the service': 'elle va comme celle du service',
  'it differs from that of the service by {}': 'elle diffère de celle du service : {}',
  'set the clock of this machine: moments are kept by it, and a sync ends where it is a day off':
    'réglez l’horloge de cette machine : les dates sont gardées selon elle, et une synchronisation s’arrête si elle est fausse d’un jour',
  'differences that are usual from now on: {}': 'différences tenues désormais pour habituelles : {}',
};

/** The names of what is looked at, how it is, and the types and forms of fields. */
export const checks: Record<string, string> = {
  ok: 'bon',
  warning: 'attention',
  problem: 'problème',
  settings: 'réglages',
  mirror: 'miroir',
  integrity: 'intégrité',
  'search index': 'index',
  versions: 'versions',
  moments: 'dates',
  lock: 'verrou',
  'last sync': 'synchronisation',
  'failed addresses': 'échecs',
  drift: 'dérive',
  disk: 'disque',
  clock: 'horloge',
  proxy: 'proxy',
  TLS: 'TLS',
  address: 'adresse',
  budget: 'quota',
  text: 'texte',
  number: 'nombre',
  boolean: 'booléen',
  list: 'liste',
  object: 'objet',
  words: 'mots',
  day: 'jour',
  moment: 'date et heure',
  'day/month/year': 'jour/mois/année',
  'year/month/day': 'année/mois/jour',
};
