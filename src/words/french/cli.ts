/** What the command line says of what was typed, and of the settings. */
export const cli: Record<string, string> = {
  'this is a fault of Hemicycle; --debug shows where':
    'c’est un défaut d’Hemicycle ; --debug montre à quel endroit',
  'see --help': 'voir --help',
  'Nonexistent flag: {}': 'Option inconnue : {}',
  'Nonexistent flags: {}': 'Options inconnues : {}',
  'Unexpected argument: {}': 'Argument inattendu : {}',
  'Unexpected arguments: {}': 'Arguments inattendus : {}',
  'Missing 1 required arg:\n{}': 'Il manque un argument obligatoire :\n{}',
  'Missing {} required args:\n{}': 'Il manque {} arguments obligatoires :\n{}',
  'Expected {} to be one of: {}': 'Valeur refusée : {} ; valeurs possibles : {}',
  'Expected an integer but received: {}': 'Un nombre entier est attendu, et non : {}',
  'Expected an integer greater than or equal to {} but received: {}':
    'Un nombre entier supérieur ou égal à {} est attendu, et non : {}',
  'Expected an integer less than or equal to {} but received: {}':
    'Un nombre entier inférieur ou égal à {} est attendu, et non : {}',
  'Flag {} can only be specified once': 'L’option {} ne peut être donnée qu’une fois',
  'Flag {} expects a value': 'L’option {} attend une valeur',
  'Flag {} expects one of these values: {}': 'L’option {} attend une de ces valeurs : {}',
  'The following error occurred:\n{}': 'L’erreur suivante s’est produite :\n{}',
  'The following errors occurred:\n{}': 'Les erreurs suivantes se sont produites :\n{}',
  '{}{} cannot also be provided when using {}': '{}{} ne peut pas être donné avec {}',
  '{}All of the following must be provided when using {}: {}': '{}{} exige aussi : {}',
  'there is no command "{}"': 'il n’y a pas de commande « {} »',
  '`hemicycle help{}` lists the commands': '`hemicycle help{}` donne la liste des commandes',
  '`hemicycle export {}` writes all of them, `hemicycle show {} KEY` shows one':
    '`hemicycle export {}` les écrit tous, `hemicycle show {} CLÉ` en montre un',
  '--json asks for {}, and --format for {}': '--json demande {}, et --format {}',
  'leave out one or the other': 'retirez l’un des deux',
  'a part of it is damaged ({})': 'une partie est endommagée ({})',
  'the command {} is empty': 'la commande {} est vide',
  'the package {} is missing': 'le paquet {} manque',
  '{} is missing': '{} manque',
  'nothing was written there; check who may read and write it, or name another place (HOME, XDG_DATA_HOME, XDG_CONFIG_HOME, --db)':
    'rien n’y a été écrit ; vérifiez qui peut y lire et y écrire, ou indiquez un autre emplacement (HOME, XDG_DATA_HOME, XDG_CONFIG_HOME, --db)',

  '--as-of "{}" is not a date': '--as-of « {} » n’est pas une date',
  '--as-of "{}" is still to come': '--as-of « {} » est encore à venir',
  '--as-of answers from the mirror': '--as-of répond depuis le miroir',
  '--max-age "{}" is not a duration': '--max-age « {} » n’est pas une durée',
  '--wait-lock "{}" is not a duration': '--wait-lock « {} » n’est pas une durée',
  'if the clock of this machine is right, `hemicycle sync --accept-clock` mends the mirror':
    'si l’horloge de cette machine est juste, `hemicycle sync --accept-clock` répare le miroir',
  'the mirror says that it was last filled at {}, which is still to come: a clock was wrong, and how old it is nobody knows':
    'le miroir dit avoir été rempli en dernier à {}, moment encore à venir : une horloge était fausse, et nul ne sait quel âge il a',
  'the mirror was last filled at {}, longer ago than {}':
    'le miroir a été rempli en dernier à {}, il y a plus longtemps que {}',
  'the mirror was never filled to the end': 'le miroir n’a jamais été rempli jusqu’au bout',
  'the service does not say what it said before': 'le service ne dit pas ce qu’il disait auparavant',
  'write 2026-11-01, 2026-11-01T08:00:00Z, or 7d': 'écrivez 2026-11-01, 2026-11-01T08:00:00Z ou 7d',
  'write 90s, 30m, 12h or 7d': 'écrivez 90s, 30m, 12h ou 7d',
  'write 90s, 5m or 1h': 'écrivez 90s, 5m ou 1h',
  'the state of the mirror is that of now': 'l’état du miroir est celui de maintenant',
  'leave --as-of out': 'retirez --as-of',

  'the address of the service is not set': 'l’adresse du service n’est pas définie',
  'set HEMICYCLE_BASE_URL, or `hemicycle config set base-url https://service.example/api/v1`':
    'définissez HEMICYCLE_BASE_URL, ou `hemicycle config set base-url https://service.example/api/v1`',
  'name it with --from URL or HEMICYCLE_BASE_URL': 'indiquez-la avec --from URL ou HEMICYCLE_BASE_URL',
  'hemicycle config set {} < FILE': 'hemicycle config set {} < FICHIER',
  'hemicycle config unset {} removes it': 'hemicycle config unset {} le supprime',
  'no value is given for {}': 'aucune valeur n’est donnée pour {}',
  'the value of {} is empty': 'la valeur de {} est vide',
  'the token is not taken from the command line': 'le jeton n’est pas accepté sur la ligne de commande',
  'the value of {} is not taken from the command line':
    'la valeur de {} n’est pas acceptée sur la ligne de commande',
  'mend it, or delete it and use `hemicycle config set`':
    'corrigez-le, ou supprimez-le et utilisez `hemicycle config set`',
  '{} is not JSON': '{} n’est pas du JSON',
  'HEMICYCLE_AUTH_HEADER is not a header with {token} in it':
    'HEMICYCLE_AUTH_HEADER n’est pas un en-tête qui contient {token}',
  'the value of {} is more than one line': 'la valeur de {} fait plus d’une ligne',
  'semantic-search: "{}" is neither on nor off': 'semantic-search : « {} » n’est ni on ni off',
  'write on or off': 'écrivez on ou off',
  'for example "X-Api-Key: {token}"': 'par exemple `X-Api-Key: {token}`',
  'a higher rate is only for a server of your own, on this machine or a private network':
    'un débit plus élevé n’est permis que pour votre propre serveur, sur cette machine ou un réseau privé',
  'it is needed to ask the service: check HEMICYCLE_TOKEN_FILE or `hemicycle config unset token-file`':
    'il est nécessaire pour interroger le service : vérifiez HEMICYCLE_TOKEN_FILE, ou `hemicycle config unset token-file`',
  'it should look like https://service.example/api/v1':
    'elle devrait ressembler à https://service.example/api/v1',
  'it should look like http://127.0.0.1:11434/v1': 'elle devrait ressembler à http://127.0.0.1:11434/v1',
  'it was not used; check HEMICYCLE_TOKEN, HEMICYCLE_TOKEN_FILE or `hemicycle config set token < FILE`':
    'il n’a pas été utilisé ; vérifiez HEMICYCLE_TOKEN, HEMICYCLE_TOKEN_FILE ou `hemicycle config set token < FICHIER`',
  'lang: "{}" is not a language that is spoken here': 'lang : « {} » n’est pas une langue parlée ici',
  'write en or fr': 'écrivez en ou fr',
  'the rate "{}" is not a whole number of requests a minute':
    'le débit « {} » n’est pas un nombre entier de requêtes par minute',
  'the token holds white space or other characters that no header can carry':
    'le jeton contient des espaces ou d’autres caractères qu’aucun en-tête ne peut porter',
  'embeddings-key holds white space or other characters that no header can carry':
    'embeddings-key contient des espaces ou d’autres caractères qu’aucun en-tête ne peut porter',
  'check HEMICYCLE_EMBEDDINGS_KEY, or `hemicycle config set embeddings-key < FILE`':
    'vérifiez HEMICYCLE_EMBEDDINGS_KEY, ou `hemicycle config set embeddings-key < FICHIER`',
  'embeddings-url: "{}" is not a web address': 'embeddings-url : « {} » n’est pas une adresse web',
  'no service of embeddings is set': 'aucun service de plongements (embeddings) n’est défini',
  'set HEMICYCLE_EMBEDDINGS_URL and HEMICYCLE_EMBEDDINGS_MODEL, or `hemicycle config set embeddings-url http://127.0.0.1:11434/v1`':
    'définissez HEMICYCLE_EMBEDDINGS_URL et HEMICYCLE_EMBEDDINGS_MODEL, ou `hemicycle config set embeddings-url http://127.0.0.1:11434/v1`',
  "the token's file {} cannot be read ({})": 'impossible de lire le fichier du jeton {} ({})',
  'write 64MB or 2GB': 'écrivez 64MB ou 2GB',
  '{} requests a minute is more than the {} that the service allows':
    '{} requêtes par minute, c’est plus que les {} que le service permet',
  '{}: "{}" is not a size': '{} : « {} » n’est pas une taille',
  '{}: "{}" is not a web address': '{} : « {} » n’est pas une adresse web',

  'name a file that is not there with --db': 'indiquez avec --db un fichier qui n’existe pas encore',
  '{} is no mirror of the demo': '{} n’est pas un miroir de la démonstration',
  'interrupted; nothing was written': 'interrompu ; rien n’a été écrit',
  'interrupted; what was written is not whole': 'interrompu ; ce qui a été écrit n’est pas entier',
  'no column is named': 'aucune colonne n’est indiquée',
  '--column NAME says which one holds the names': '--column NOM dit laquelle contient les noms',
  '{} is a folder': '{} est un dossier',
  'name a CSV file': 'indiquez un fichier CSV',
  '{} matched, {} with candidates only, {} not found':
    '{} reconnus, {} avec seulement des candidats, {} introuvables',
  'rows without a name: {}': 'lignes sans nom : {}',
  'interrupted; what was saved stays': 'interrompu ; ce qui a été enregistré est conservé',
  'to do it again: {}': 'pour recommencer : {}',
  'to go on: {}': 'pour continuer : {}',
  'export it again, or take the files from where they were whole':
    'refaites l’export, ou reprenez les fichiers là où ils étaient entiers',
  'see all that it states: `hemicycle show {} {}`': 'voir tout ce qu’il indique : `hemicycle show {} {}`',
  '{} {} states no address on the web, nor do its sources':
    '{} {} n’indique aucune adresse sur le web, ses sources non plus',
  '--at "{}" is no time of day': '--at « {} » n’est pas une heure',
  'choose --cron, --systemd or --launchd': 'choisissez --cron, --systemd ou --launchd',
  'no scheduler is named': 'aucun planificateur n’est indiqué',
  'what runs every night needs a folder to export to':
    'ce qui s’exécute chaque nuit a besoin d’un dossier où exporter',
  'write 03:17': 'écrivez 03:17',
  '{} is one file, and every night exports a folder':
    '{} est un seul fichier, et chaque nuit exporte un dossier',
  'name a word or a name': 'indiquez un mot ou un nom',
  'there is nothing to search for': 'il n’y a rien à chercher',
  'choose another name, or hemicycle token revoke {}':
    'choisissez un autre nom, ou hemicycle token revoke {}',
  'there is a token named {} already': 'il y a déjà un jeton nommé {}',
  'hemicycle token list shows them': 'hemicycle token list les montre',
  'there is no token named "{}"': 'il n’y a pas de jeton nommé « {} »',
  '"{}" is not a name for a token': '« {} » n’est pas un nom de jeton',
  'use up to 64 letters, digits, dots, hyphens and underscores, a letter or digit first':
    '64 lettres, chiffres, points, traits d’union et tirets bas au plus, une lettre ou un chiffre d’abord',
  'look for it with `hemicycle ballots -q WORD`': 'cherchez-le avec `hemicycle ballots -q MOT`',
  'name a file for the picture: --svg FILE': 'indiquez un fichier pour l’image : --svg FICHIER',
  'name it by its id, number or words': 'désignez-le par son identifiant, son numéro ou des mots',
  'one is shown at a time, by a slug or a name': 'on en montre un à la fois, par son identifiant ou son nom',
  'no ballot is named': 'aucun scrutin n’est indiqué',
  'no ballot of the mirror is called "{}"': 'aucun scrutin du miroir ne s’appelle « {} »',
  'stdout cannot hold the picture and {}': 'la sortie standard ne peut pas recevoir l’image et {}',
  'as in `hemicycle compare ADR majority`': 'comme dans `hemicycle compare ADR majority`',
  'name two groups at least, or one and `majority`':
    'indiquez au moins deux groupes, ou un groupe et `majority`',
  'name its kind too: `hemicycle show KIND KEY`; `hemicycle search` finds records by their words':
    'indiquez aussi son type : `hemicycle show TYPE CLÉ` ; `hemicycle search` trouve les enregistrements par leurs mots',
  'no record has the key "{}" in the mirror': 'aucun enregistrement du miroir n’a la clé « {} »',
  '--ids-from {} cannot be read ({})': 'impossible de lire --ids-from {} ({})',
  '{} moments of the mirror were still to come: they were taken back to now, in their order (mended_moment has what they were)':
    '{} moments du miroir étaient encore à venir : ils ont été ramenés à maintenant, dans leur ordre (mended_moment garde ce qu’ils étaient)',
  'cannot be written': 'ne peut pas être écrit',
  'holds the records of {}': 'contient les enregistrements de {}',
  'was written by an older Hemicycle': 'a été écrit par une version plus ancienne d’Hemicycle',
  '{} {}: what is answered is not kept': '{} {} : la réponse n’est pas conservée',
  '{}; asking the service': '{} ; interrogation du service',
  '1. import: fictional records into a mirror': '1. import : des enregistrements fictifs dans un miroir',
  '2. serve: that mirror, as the service itself': '2. serve : ce miroir, comme s’il était le service',
  '3. sync: a second mirror from {}': '3. sync : un second miroir depuis {}',
  'Go on by yourself, offline:\n{}': 'Continuez par vous-même, hors ligne :\n{}',
  '{}\n   $ hemicycle {}': '{}\n   $ hemicycle {}',
  '{}: nothing changed': '{} : rien n’a changé',
  '{}: {}, {} rows': '{} : {}, {} lignes',
  'not part of the export: {}': 'ne fait pas partie de l’export : {}',
  'ok, {} rows': 'ok, {} lignes',
  'audit: left out, for it may identify a person: {}':
    'audit : laissé de côté, car cela peut identifier une personne : {}',
  'the mirror is {}': 'le miroir est {}',
  '{}: {} added, {} changed, {} unchanged': '{} : {} ajoutés, {} modifiés, {} inchangés',
  '{} did not start: {}': '{} n’a pas démarré : {}',
  'name one: -o /srv/export': 'indiquez-en un : -o /srv/export',
  'no address of the service is set, without which the sync will end with exit 10: `hemicycle config set base-url URL`':
    'aucune adresse du service n’est définie, sans laquelle la synchronisation finira avec le code 10 : `hemicycle config set base-url URL`',
  'set in your environment, which will not be known there: {}; `hemicycle config set` keeps them':
    'défini dans votre environnement, qui ne sera pas connu là-bas : {} ; `hemicycle config set` le conserve',
  'the token of your environment will not be known there: `hemicycle config set token < FILE` keeps it':
    'le jeton de votre environnement ne sera pas connu là-bas : `hemicycle config set token < FICHIER` le conserve',
  'a sync is running: {}, {} of {}; {} requests so far':
    'une synchronisation est en cours : {}, {} sur {} ; {} requêtes jusqu’ici',
  'a sync is running: {}, {}; {} requests so far':
    'une synchronisation est en cours : {}, {} ; {} requêtes jusqu’ici',
  'a sync or import is running': 'une synchronisation ou un import est en cours',
  'an unknown part': 'une part inconnue',
  'attribution links {}, which is assumed: hemicycle config set site-url URL states the address':
    'l’attribution renvoie à {}, ce qui est supposé : hemicycle config set site-url URL indique l’adresse',
  '{} of {} requests left this minute': 'il reste {} requêtes sur {} pour cette minute',
  'budget: {}': 'budget : {}',
  'filled at {}, which is still to come: a clock was wrong (if that of this machine is right, hemicycle sync --accept-clock mends the mirror)':
    'rempli à {}, moment encore à venir : une horloge était fausse (si celle de cette machine est juste, hemicycle sync --accept-clock répare le miroir)',
  'filled {}': 'rempli {}',
  'mirror: {}, {} bytes, {}': 'miroir : {}, {} octets, {}',
  'never filled to the end': 'jamais rempli jusqu’au bout',
  'the last sync ({}) did not end well: exit {}':
    'la dernière synchronisation ({}) ne s’est pas bien terminée : code {}',
  'unknown, it was killed': 'inconnu, elle a été tuée',
  '{} gap in the moderation log': '{} lacune dans le journal de modération',
  '{} gaps in the moderation log': '{} lacunes dans le journal de modération',
  '{}: partial, {}': '{} : partiel, {}',
  '{}: profiles are fetched one by one: {}': '{} : les fiches sont demandées une à une : {}',
  '{}: {} not seen since {}; withdrawn only if the next complete list lacks them too':
    '{} : {} non vus depuis {} ; retirés seulement si la prochaine liste complète ne les a pas non plus',
  '{}: {} profiles are composed of the datasets; those fetched so far say the same':
    '{} : {} fiches sont composées à partir des jeux de données ; celles déjà demandées disent la même chose',
  'every record has its vector': 'chaque enregistrement a son vecteur',
  'the clock of this machine is behind the mirror: moments are counted from its newest':
    'l’horloge de cette machine retarde sur le miroir : les moments sont comptés depuis le plus récent du miroir',
  'the mirror is up to date; its vectors are not': 'le miroir est à jour ; ses vecteurs ne le sont pas',
  'this is the only time that the token of {} is shown; its hash is kept in {}':
    'c’est la seule fois que le jeton de {} est montré ; son empreinte est conservée dans {}',
  'the token of {} is revoked': 'le jeton de {} est révoqué',
  'wrote {}': '{} a été écrit',
  'vectors of {}: {} of {} records': 'vecteurs de {} : {} enregistrements sur {}',
  '{} records have their vector of {} now; {} texts were sent for them':
    '{} enregistrements ont maintenant leur vecteur de {} ; {} textes ont été envoyés pour cela',
  'the token of your configuration is for {} and is not sent to {}':
    'le jeton de votre configuration est pour {} et n’est pas envoyé à {}',
  'writing pages into {}': 'écriture des pages dans {}',
  'writing pages into {}: {}': 'écriture des pages dans {} : {}',
  '{}: {} files, {} written, {} removed': '{} : {} fichiers, {} écrits, {} supprimés',
  '--url {} is no address of a folder on the web': '--url {} n’est pas l’adresse d’un dossier sur le web',
  'it holds files that are no site of ours':
    'il contient des fichiers qui ne sont pas un site de ce programme',
};
