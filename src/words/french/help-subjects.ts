/** What help says of what commands share: headings, exit codes, settings, formats, recipes. */
export const helpSubjects: Record<string, string> = {
  EXAMPLES: 'EXEMPLES',
  USAGE: 'UTILISATION',
  ARGUMENTS: 'ARGUMENTS',
  FLAGS: 'OPTIONS',
  'SHARED FLAGS': 'OPTIONS PARTAGÉES',
  'ROWS FLAGS': 'OPTIONS : LIGNES',
  'SHAPE FLAGS': 'OPTIONS : FORME',
  'EVERY NIGHT FLAGS': 'OPTIONS : CHAQUE NUIT',
  'BEYOND ONE MACHINE FLAGS': 'OPTIONS : AU-DELÀ D’UNE MACHINE',
  DESCRIPTION: 'DESCRIPTION',
  COMMANDS: 'COMMANDES',
  READ: 'LIRE',
  'FOLLOW AND CITE': 'SUIVRE ET CITER',
  'KEEP A MIRROR': 'TENIR UN MIROIR',
  'PASS ON': 'TRANSMETTRE',
  BEGIN: 'COMMENCER',
  MORE: 'EN SAVOIR PLUS',
  'OF EVERY COMMAND': 'DE TOUTES LES COMMANDES',
  'HOW AN ANSWER IS WRITTEN': 'ÉCRITURE D’UNE RÉPONSE',
  'WHO ANSWERS, AND FROM WHEN': 'QUI RÉPOND, ET DE QUAND',
  '$ hemicycle COMMAND [FLAG…]': '$ hemicycle COMMANDE [OPTION…]',
  'one command, with examples': 'une commande, avec des exemples',
  'questions of a journalist, and the line that answers each':
    'des questions de journaliste, et la ligne qui répond à chacune',
  'help SUBJECT': 'help SUJET',
  'what several commands share:': 'ce que plusieurs commandes partagent :',
  'says what they do': 'dit ce qu’elles font',
  'flags that commands share': 'options que les commandes partagent',

  'questions, and the command line that answers each':
    'des questions, et la ligne de commande qui répond à chacune',
  RECIPES: 'RECETTES',
  'TO TRY THEM': 'POUR LES ESSAYER',
  'The names are those of the fictional records that `hemicycle demo` makes; put your own in their place.':
    'Les noms sont ceux des enregistrements fictifs que crée `hemicycle demo` ; mettez les vôtres à leur place.',
  'How did each group vote on the last motion of censure?':
    'Comment chaque groupe a-t-il voté sur la dernière motion de censure ?',
  'Which ballots were decided by fewer than five votes?':
    'Quels scrutins se sont décidés à moins de cinq voix ?',
  'What did somebody promise on housing?': 'Qu’a promis quelqu’un sur le logement ?',
  'Who joined or left a party or group this year?':
    'Qui a rejoint ou quitté un parti ou un groupe cette année ?',
  'Which group dissents most?': 'Quel groupe est le plus divisé ?',
  'How often do two groups vote alike?': 'À quelle fréquence deux groupes votent-ils de même ?',
  'How often does a group vote as the majority does?':
    'À quelle fréquence un groupe vote-t-il comme la majorité ?',
  'Where did one group vote for, and another against?': 'Où un groupe a-t-il voté pour, et un autre contre ?',
  'In which ballots was a group torn?': 'Dans quels scrutins un groupe s’est-il déchiré ?',
  'Who sits for a party? For a spreadsheet': 'Qui siège pour un parti ? Pour un tableur',
  'What was said in the chamber in these very words?': 'Qu’a-t-on dit en séance, avec ces mots exacts ?',
  'Which subjects have most promises and positions?':
    'Quels sujets ont le plus de promesses et de positions ?',
  'What is new since the last sync?': 'Quoi de neuf depuis la dernière synchronisation ?',
  'What did a profile say before it was edited?': 'Que disait une fiche avant d’être modifiée ?',
  'How do I cite a ballot in an article?': 'Comment citer un scrutin dans un article ?',
  'A picture of a ballot to publish': 'Une image d’un scrutin, à publier',
  'Every vote of every group, for a French spreadsheet':
    'Tous les votes de tous les groupes, pour un tableur français',

  'how an answer is written: --format, --columns, --no-header':
    'comment une réponse est écrite : --format, --columns, --no-header',
  FORMATS: 'FORMATS',
  'for people: fitted to a terminal; in a pipe nothing is cut and nothing coloured':
    'pour les personnes : ajusté au terminal ; dans un tube, rien n’est coupé ni coloré',
  'one object: items or item, shown, total, next_cursor, origin, attribution (also --json)':
    'un objet : items ou item, shown, total, next_cursor, origin, attribution (aussi --json)',
  'a record on each line, whole; streams': 'un enregistrement par ligne, entier ; au fil de l’eau',
  'rows, with a line of column names; streams; --no-header leaves that line out':
    'des lignes, avec une ligne de noms de colonnes ; au fil de l’eau ; --no-header omet celle-ci',
  'the same with tabs': 'de même, avec des tabulations',
  'a table to paste into an article': 'un tableau à coller dans un article',
  'of export: for DuckDB, R, Python': 'pour export : DuckDB, R, Python',
  NOTES: 'REMARQUES',
  'The data goes to stdout, all else to stderr. A value that the source does not state is empty, never 0.':
    'Les données vont à la sortie standard, le reste à la sortie d’erreur. Une valeur que la source n’indique pas est vide, jamais 0.',
  'An error is one JSON object on stderr with --json: {"error":{"code","message","hint","exit"}}.':
    'Avec --json, une erreur est un objet JSON sur la sortie d’erreur : `{"error":{"code","message","hint","exit"}}`.',
  'export has more: --excel-fr, --spreadsheet-safe, --sqlite FILE, a data package with -o DIR/.':
    'export en a d’autres : --excel-fr, --spreadsheet-safe, --sqlite FICHIER, un paquet de données avec -o DOSSIER/.',

  'the exit codes of every command, which never change':
    'les codes de sortie de toutes les commandes, qui ne changent jamais',
  'EXIT CODES': 'CODES DE SORTIE',
  'done; a list that found nothing is done': 'réussi ; une liste qui n’a rien trouvé est réussie',
  'changes found (only with --exit-status)': 'des changements ont été trouvés (seulement avec --exit-status)',
  'ended by SIGHUP, by Ctrl-C, by SIGTERM': 'terminé par SIGHUP, par Ctrl-C, par SIGTERM',
  'an argument or flag is missing, unknown or out of range':
    'un argument ou une option manque, est inconnu ou hors limites',
  'no record has that slug, name or id': 'aucun enregistrement n’a ce slug, ce nom ou cet identifiant',
  'the service refused the token (401 or 403)': 'le service a refusé le jeton (401 ou 403)',
  'the service answered an error, or what cannot be understood':
    'le service a répondu une erreur, ou quelque chose d’incompréhensible',
  'a file to import cannot be read as records':
    'un fichier à importer n’est pas lisible comme enregistrements',
  'the service cannot be reached, or takes too long': 'le service est injoignable, ou trop lent',
  'the service still refused after the waits it asked for':
    'le service refuse encore après les attentes qu’il a demandées',
  'the mirror, or a table of an export, is older than --max-age, or younger than --as-of':
    'le miroir, ou une table d’un export, est plus ancien que --max-age, ou plus récent que --as-of',
  'another run is writing to the mirror': 'une autre exécution écrit dans le miroir',
  'a setting is missing or makes no sense': 'un réglage manque ou n’a pas de sens',
  'there is no mirror yet': 'il n’y a pas encore de miroir',
  'the mirror holds no download of a dataset':
    'le miroir ne contient aucun téléchargement d’un jeu de données',
  'the mirror is damaged, foreign, newer than the program, or cannot be read or written':
    'le miroir est endommagé, étranger, plus récent que le programme, ou impossible à lire ou à écrire',
  'an output file or folder cannot be written': 'un fichier ou dossier de sortie est impossible à écrire',
  'several records match a name': 'plusieurs enregistrements correspondent à un nom',
  'what was checked is not what it should be': 'ce qui a été vérifié n’est pas ce qu’il devrait être',
  'a fault of Hemicycle itself': 'un défaut d’Hemicycle lui-même',

  'what the program takes from its environment; a flag beats it, and it beats `hemicycle config set`':
    'ce que le programme prend de son environnement ; une option l’emporte sur lui, et il l’emporte sur `hemicycle config set`',
  SETTINGS: 'RÉGLAGES',
  'address of the service, ending in /api/v1': 'adresse du service, finissant par /api/v1',
  'public address of the service, linked by every attribution':
    'adresse publique du service, donnée par chaque attribution',
  'name of the service, cited by every attribution': 'nom du service, cité par chaque attribution',
  'viewer token; raises the budget from 60 to 600 requests a minute':
    'jeton de lecture ; porte le budget de 60 à 600 requêtes par minute',
  'file that holds the token, for secrets that are mounted':
    'fichier qui contient le jeton, pour les secrets montés',
  'header that carries the token, with {token} in its place':
    'en-tête qui porte le jeton, avec {token} à sa place',
  'language of what people read: en or fr': 'langue de ce que lisent les personnes : en ou fr',
  'largest JSON answer that is taken, after decompression':
    'plus grande réponse JSON acceptée, après décompression',
  'largest dataset that is taken, after decompression':
    'plus grand jeu de données accepté, après décompression',
  'on: `serve` and `search` answer semantic search themselves':
    'on : `serve` et `search` répondent eux-mêmes à la recherche sémantique',
  'thesaurus of semantic search: a MyThes file (.dat, its .idx beside it), or off; that of Debian or LibreOffice where there is one':
    'thésaurus de la recherche sémantique : un fichier MyThes (.dat, son .idx à côté), ou off ; celui de Debian ou de LibreOffice s’il y en a un',
  'OpenAI-compatible service of embeddings for semantic search: http://127.0.0.1:11434/v1':
    'service de plongements compatible avec OpenAI pour la recherche sémantique : http://127.0.0.1:11434/v1',
  'model that this service is asked for': 'modèle demandé à ce service',
  'key of the service of embeddings, sent to it alone': 'clé du service de plongements, envoyée à lui seul',
  TERMINAL: 'TERMINAL',
  'no colour, whatever its value': 'aucune couleur, quelle que soit sa valeur',
  'colour in a pipe too; 0 is no': 'couleur dans un tube aussi ; 0 veut dire non',
  'no colour, no line that moves, and no pager of its own accord':
    'ni couleur, ni ligne mobile, ni paginateur de lui-même',
  'columns to lay answers out in, at a terminal and in a pipe; there nothing is cut':
    'colonnes où disposer les réponses, au terminal et dans un tube ; là, rien n’est coupé',
  '1: nothing moves, and nothing is told by colour or shape alone':
    '1 : rien ne bouge, et rien n’est dit par la couleur ou la forme seules',
  'what shows a long answer (less); empty or cat for none':
    'ce qui montre une longue réponse (less) ; vide ou cat pour rien',
  'options of the pager; FRX and -c where they are not set':
    'options du paginateur ; FRX et -c si elles ne sont pas définies',
  'the language of what people read: English or French':
    'la langue de ce que lisent les personnes : anglais ou français',
  'NETWORK AND FILES': 'RÉSEAU ET FICHIERS',
  'the way to the service': 'le chemin vers le service',
  'certificates to trust beside those of Node': 'certificats à reconnaître outre ceux de Node',
  'where the mirror, the settings and compiled code lie':
    'où se trouvent le miroir, les réglages et le code compilé',
  'the date that an export states': 'la date qu’indique un export',

  'what works without a network, and what asks for one': 'ce qui marche sans réseau, et ce qui en demande un',
  OFFLINE: 'HORS LIGNE',
  'Reading commands answer from the mirror, a file on this machine. With --source mirror they make no network call, ever; with auto, the default, they ask the service only for what the mirror has never held, and say so.':
    'Les commandes de lecture répondent depuis le miroir, un fichier sur cette machine. Avec --source mirror, elles ne font jamais d’appel réseau ; avec auto, par défaut, elles ne demandent au service que ce que le miroir n’a jamais eu, et le disent.',
  'Only these use the network: sync, --source service, auto as above, serve --sync-every, and an embeddings service that you named. Nothing else leaves this machine: there is no telemetry, and no check for updates.':
    'Seuls utilisent le réseau : sync, --source service, auto comme ci-dessus, serve --sync-every, et un service de plongements que vous avez nommé. Rien d’autre ne quitte cette machine : il n’y a ni télémétrie ni recherche de mises à jour.',
  'How old is what I have?': 'Quel âge a ce que j’ai ?',
  'Refuse what is older than a day': 'Refuser ce qui a plus d’un jour',
  'Fill a mirror from files': 'Remplir un miroir à partir de fichiers',
  'The whole service, its pages and its API, on this machine':
    'Tout le service, ses pages et son API, sur cette machine',
  'running every night: what to type, and what to look at':
    'tourner chaque nuit : que taper, et que regarder',
  'EVERY NIGHT': 'CHAQUE NUIT',
  'What cron, systemd or launchd takes': 'Ce qu’il faut à cron, systemd ou launchd',
  'By hand: quiet, with a report': 'À la main : silencieux, avec un rapport',
  'Files that change only when the data does': 'Des fichiers qui ne changent qu’avec les données',
  'Tell me only if something changed (exit 20)': 'Ne le dire que si quelque chose a changé (code 20)',
  'WHAT HOLDS': 'CE QUI EST ASSURÉ',
  'Nothing asks a question where there is no terminal. Two runs never write to one mirror (exit 9). What was saved stays, whatever ends a run; the next one goes on. `hemicycle help exit-codes` says what ended it.':
    'Rien ne pose de question là où il n’y a pas de terminal. Deux exécutions n’écrivent jamais dans un même miroir (code 9). Ce qui a été enregistré est conservé, quoi qui mette fin à une exécution ; la suivante reprend. `hemicycle help exit-codes` dit ce qui y a mis fin.',
  'whom to cite, and under which terms': 'qui citer, et à quelles conditions',
  'WHERE IT STANDS': 'OÙ ELLE FIGURE',
  'the last line on stdout': 'la dernière ligne de la sortie standard',
  'on stderr, so that the rows stay rows': 'sur la sortie d’erreur, pour que les lignes restent des lignes',
  'in attribution: text, name, url, licence, retrieved_at':
    'dans attribution : text, name, url, licence, retrieved_at',
  'ATTRIBUTION.txt, LICENSE.txt and datapackage.json; FILE.meta.json; inside Parquet':
    'ATTRIBUTION.txt, LICENSE.txt et datapackage.json ; FICHIER.meta.json ; dans Parquet',
  TERMS: 'CONDITIONS',
  'The text names the service and links it. Exports of datasets are under the ODbL 1.0, a chosen part of one too; the rest is free for non-commercial use. No other licence is stated on the service’s behalf.':
    'Le texte nomme le service et en donne l’adresse. Les exports de jeux de données sont sous ODbL 1.0, une partie choisie aussi ; le reste est libre d’utilisation non commerciale. Aucune autre licence n’est indiquée au nom du service.',
  'Set the address that is linked with': 'Définir l’adresse donnée avec',
  'One record, in an article or a bibliography': 'Un enregistrement, dans un article ou une bibliographie',
  FILE: 'FICHIER',
  VALUE: 'VALEUR',
  WORD: 'MOT',
  DURATION: 'DURÉE',
  DIR: 'DOSSIER',
  'DIR/|FILE|-': 'DOSSIER/|FICHIER|-',
  'KIND,…': 'TYPE,…',
  'GROUP,…': 'GROUPE,…',
  'GROUP:STANCE': 'GROUPE:POSITION',
  'FILE|-': 'FICHIER|-',
  'ADDRESS,…': 'ADRESSE,…',
  'NAME,…': 'NOM,…',
  'CHAMBER:IDS,…': 'CHAMBRE:IDS,…',
  '[FLAG…]': '[OPTION…]',
  COMMAND: 'COMMANDE',
  'let an assistant ask the mirror (Model Context Protocol)':
    'laisser un assistant interroger le miroir (Model Context Protocol)',
  'ON THIS MACHINE': 'SUR CETTE MACHINE',
  'What the assistant is to start': 'Ce que l’assistant doit lancer',
  'Its configuration, in JSON': 'Sa configuration, en JSON',
  'OVER HTTP': 'PAR HTTP',
  'At http://127.0.0.1:8000/mcp': 'À l’adresse http://127.0.0.1:8000/mcp',
  'From other machines with a viewer token': 'Depuis d’autres machines avec un jeton de lecteur',
  'Ten tools that only read. Every answer tells sources, attribution and its moment, and what it left out. What a source does not state is null; no tool judges anybody, or works out how a ballot ended.':
    'Dix outils qui ne font que lire. Chaque réponse dit ses sources, qui citer, de quel moment elle est, et ce qu’elle laisse de côté. Ce qu’une source n’énonce pas vaut null ; aucun outil ne juge quiconque, ni ne déduit l’issue d’un scrutin.',
};
