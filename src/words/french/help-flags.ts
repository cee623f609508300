/** What help says of flags and arguments, and of what is put in their place. */
export const helpOfFlags: Record<string, string> = {
  'path of the mirror': 'chemin du miroir',
  'answer in JSON; an error is one JSON object on stderr':
    'répondre en JSON ; une erreur est un objet JSON sur la sortie d’erreur',
  'no progress and no remarks on stderr': 'ni progression ni remarques sur la sortie d’erreur',
  'colour, or none with --no-color': 'couleur, ou aucune avec --no-color',
  'language of what people read; that of the locale by default (HEMICYCLE_LANG)':
    'langue de ce que lisent les personnes ; par défaut celle de l’environnement (HEMICYCLE_LANG)',
  'show the HTTP traffic on stderr, the token redacted':
    'montrer le trafic HTTP sur la sortie d’erreur, jeton masqué',
  'one record or more': 'un enregistrement ou plusieurs',
  'the ZIP file to write': 'le fichier ZIP à écrire',
  'a time-stamping authority that is shown the sum of all of it; nothing is written without its stamp':
    'une autorité d’horodatage à qui est montrée la somme du tout ; rien n’est écrit sans son horodatage',
  'a file that evidence wrote': 'un fichier écrit par evidence',
  'how to write the answer': 'comment écrire la réponse',
  'columns to show, with commas between': 'colonnes à montrer, séparées par des virgules',
  'a line of column names first; --no-header leaves it out':
    'une ligne de noms de colonnes d’abord ; --no-header l’omet',
  'a long answer page by page (HEMICYCLE_PAGER, PAGER); --no-pager shows it as it is':
    'une longue réponse page par page (HEMICYCLE_PAGER, PAGER) ; --no-pager la montre telle quelle',
  'who answers: the mirror alone, the service, or the mirror and for what it never held the service':
    'qui répond : le miroir seul, le service, ou le miroir et, pour ce qu’il n’a jamais eu, le service',
  'refuse a mirror that is older (90s, 30m, 12h, 7d)': 'refuser un miroir plus ancien (90s, 30m, 12h, 7d)',
  'as this mirror had seen it by then: 2026-11-01 (its end, UTC), a moment, or 7d ago':
    'tel que ce miroir l’avait vu alors : 2026-11-01 (sa fin, UTC), un moment, ou il y a 7d',
  'kind of record that was touched': 'type d’enregistrement touché',
  'number of entries': 'nombre d’entrées',
  'words in the title or the legislative file': 'mots du titre ou du dossier législatif',
  'AN for the Assemblée nationale, Senat for the Sénat': 'AN pour l’Assemblée nationale, Senat pour le Sénat',
  'held that day or later': 'tenus ce jour-là ou après',
  'held that day or earlier': 'tenus ce jour-là ou avant',
  'seen by then: 7d ago, a date (its end, UTC) or a moment; without --since, all before':
    'vus jusque-là : il y a 7d, une date (sa fin, UTC) ou un moment ; sans --since, tout ce qui précède',
  'result as the chamber announced it': 'résultat tel que la chambre l’a annoncé',
  'kind of ballot as the chamber words it': 'type de scrutin, dans les mots de la chambre',
  'topic, where the service files ballots under one': 'thème, là où le service en donne un aux scrutins',
  'GROUP:for, GROUP:against or GROUP:abstention; repeatable, all must hold':
    'GROUPE:for (pour), GROUPE:against (contre) ou GROUPE:abstention ; répétable, tous doivent être vrais',
  'decided by so many votes at most': 'décidés à tant de voix au plus',
  'some group of which at least that share voted otherwise than most of it (0.2 or 20%)':
    'un groupe dont au moins cette part a voté autrement que sa majorité (0.2 ou 20%)',
  'order: newest first, or closest first': 'ordre : les plus récents, ou les plus serrés d’abord',
  'number of ballots': 'nombre de scrutins',
  'go on where a list ended (its next_cursor), with the same filters and sort':
    'continuer là où une liste s’est arrêtée (son next_cursor), avec les mêmes filtres et le même tri',
  '7d, a date (its beginning, UTC), a moment, or last: the last sync or import':
    '7d, une date (son début, UTC), un moment, ou last : la dernière synchronisation ou le dernier import',
  'only these kinds of record (politician, party, content, speech, promise, position, quote, ballot, source, audit)':
    'seulement ces types d’enregistrement (politician, party, content, speech, promise, position, quote, ballot, source, audit)',
  'what the file is written in; by its byte order mark, else utf-8':
    'ce en quoi le fichier est écrit ; selon son indicateur d’ordre des octets, sinon utf-8',
  'slug or name of a party or group: only what concerns it and its members, as stated then':
    'slug ou nom d’un parti ou d’un groupe : seulement ce qui le concerne ou concerne ses membres, selon leurs fiches d’alors',
  'slug or name of a politician: only what concerns them':
    'slug ou nom d’un responsable politique : seulement ce qui le concerne',
  'number of changes; all of them by default': 'nombre de changements ; tous par défaut',
  'exit 20 if anything changed, 0 if nothing did': 'code 20 si quelque chose a changé, 0 sinon',
  'how to write it': 'comment l’écrire',
  'kind of record, or all of it': 'type d’enregistrement, ou le tout',
  'slug, id, or CHAMBER:ID of a ballot': 'slug, identifiant, ou CHAMBRE:ID d’un scrutin',
  'groups; all of them by default': 'groupes ; tous par défaut',
  'groups, or `majority` for the side on which more votes were cast':
    'groupes, ou `majority` pour le côté qui a recueilli le plus de voix',
  'name of the setting': 'nom du réglage',
  'say where each value comes from: flag, environment, user config, default':
    'dire d’où vient chaque valeur : option, environnement, configuration de l’utilisateur, défaut',
  'its value (not for token, embeddings-key and smtp-url)':
    'sa valeur (sauf pour token, embeddings-key et smtp-url)',
  'ask the service nothing': 'ne rien demander au service',
  'take what answers look like now for usual, and tell no more how they looked before':
    'tenir la forme actuelle des réponses pour habituelle, et ne plus signaler l’ancienne',
  'every dataset and every other kind': 'tous les jeux de données et tous les autres types',
  'file format; by default that of the file name, else csv':
    'format de fichier ; par défaut celui du nom du fichier, sinon csv',
  'folder, file (also .csv.gz or .zst, or .xlsx for a sheet per table), or - for stdout':
    'dossier, fichier (aussi .csv.gz ou .zst, ou .xlsx avec une feuille par tableau), ou - pour la sortie standard',
  'CSV that begins with a byte order mark, by which Excel knows UTF-8':
    'CSV qui commence par une marque d’ordre des octets, à laquelle Excel reconnaît l’UTF-8',
  'column names in French, for people (an import does not know them)':
    'noms de colonnes en français, pour les personnes (une importation ne les connaît pas)',
  'the bytes that the service sent at the last download, with their hash and date':
    'les octets envoyés par le service au dernier téléchargement, avec leur empreinte et leur date',
  'what else describes a folder (csvw, croissant, dcat) or an SQLite file (datasette: with an index of words); or all':
    'ce qui décrit aussi un dossier (csvw, croissant, dcat) ou un fichier SQLite (datasette : avec un index des mots) ; ou all',
  'one plain SQLite file of these tables, for Datasette or DB Browser':
    'un simple fichier SQLite de ces tables, pour Datasette ou DB Browser',
  'only records of this party (slug or name)': 'seulement les enregistrements de ce parti (slug ou nom)',
  'only records about this politician (slug or name)':
    'seulement les enregistrements sur ce responsable politique (slug ou nom)',
  'only records dated since then (profiles: updated since): 2026-11-01, or 7d':
    'seulement les enregistrements datés depuis (fiches : mises à jour depuis) : 2026-11-01, ou 7d',
  'only rows that are not what they were then (a date, a moment, 7d), or at the last such export into the same place; with what became of each (op)':
    'seulement les lignes qui ne sont plus ce qu’elles étaient alors (une date, un moment, 7d), ou au dernier export de ce genre au même endroit ; avec ce qu’est devenue chacune (op)',
  'only these columns, in this order': 'seulement ces colonnes, dans cet ordre',
  'a last column that cites the source in every row':
    'une dernière colonne qui cite la source à chaque ligne',
  'CSV as a French Excel opens it: byte order mark, ; and decimal comma; implies --spreadsheet-safe':
    'CSV comme l’ouvre un Excel français : marque d’ordre des octets, `;` et virgule décimale ; implique --spreadsheet-safe',
  'CSV in which no cell can be taken for a formula': 'CSV où aucune cellule ne peut passer pour une formule',
  'refuse each table that last came longer ago (30m, 36h, 7d), and write the others':
    'refuser chaque table venue il y a plus longtemps (30m, 36h, 7d), et écrire les autres',
  'write a report as JSON: each table that was written, unchanged or refused, and why':
    'écrire un rapport en JSON : chaque table écrite, inchangée ou refusée, et pourquoi',
  'leave files alone whose data is what it was':
    'ne pas toucher aux fichiers dont les données n’ont pas changé',
  'keep each export that changed in a folder of its day: DIR/2026-11-22/, to which DIR/latest leads':
    'garder chaque export qui a changé dans un dossier à son jour : DOSSIER/2026-11-22/, où mène DOSSIER/latest',
  'bring a copy of the tables and their histories in that PostgreSQL up to date; the password from PGPASSWORD or ~/.pgpass':
    'mettre à jour une copie des tables et de leurs historiques dans ce PostgreSQL ; mot de passe pris dans PGPASSWORD ou ~/.pgpass',
  'Parquet with history in folders by chamber and year (chamber=AN/year=2026/), as warehouses read it; with -o DIR/':
    'Parquet avec l’historique, dans des dossiers par chambre et année (chamber=AN/year=2026/), comme le lisent les entrepôts de données ; avec -o DOSSIER/',
  'print the statements that define the tables and their histories in that database':
    'afficher les instructions qui définissent les tables et leurs historiques dans cette base de données',
  'schema (in ClickHouse: database) of the tables': 'schéma (dans ClickHouse : base) des tables',
  'refuse an export that lost more than that share of its rows, in per cent':
    'refuser un export qui a perdu plus que cette part de ses lignes, en pour cent',
  'export whatever rows were lost': 'exporter quelles que soient les lignes perdues',
  'one dataset or more': 'un ou plusieurs jeux de données',
  'a folder or file that export wrote': 'un dossier ou un fichier écrit par export',
  'types of facts, separated by commas; content, promise, position by default, and of the mirror these too (content, promise, position, quote, speech)':
    'types de faits, séparés par des virgules ; content, promise, position par défaut, et du miroir aussi ceux-ci (content, promise, position, quote, speech)',
  'slug or name of a politician': 'slug ou nom d’un responsable politique',
  'slug or name of a party or group, or several with commas between':
    'slug ou nom d’un parti ou groupe, ou plusieurs séparés par des virgules',
  'number of facts': 'nombre de faits',
  'only facts since then: a date, or 7d': 'seulement les faits depuis : une date, ou 7d',
  'to the end of the feed, without a limit': 'jusqu’au bout du fil, sans limite',
  'every command on a line of its own': 'chaque commande sur une ligne',
  'kind of record': 'type d’enregistrement',
  'slug, name, id, or CHAMBER:ID of a ballot': 'slug, nom, identifiant, ou CHAMBRE:ID d’un scrutin',
  'where a service of embeddings is set: make the vectors that records lack, too':
    'si un service de plongements est défini : faire aussi les vecteurs qui manquent',
  'go by the clock of this machine, whatever the service and the moments in the mirror say':
    'se fier à l’horloge de cette machine, quoi que disent le service et les moments du miroir',
  'a folder, or one file': 'un dossier, ou un fichier',
  'print the address only': 'seulement afficher l’adresse',
  'slug or name of the party': 'slug ou nom du parti',
  'words that the name must hold, each from its beginning':
    'mots que le nom doit contenir, chacun depuis son début',
  'slug or name of a party or parliamentary group': 'slug ou nom d’un parti ou groupe parlementaire',
  'order: by name (or as asked), or those first that dissent most':
    'ordre : par nom (ou comme demandé), ou les moins unis d’abord',
  'order: by name, by newest fact, or by last change':
    'ordre : par nom, par fait le plus récent, ou par dernier changement',
  'number of politicians': 'nombre de responsables politiques',
  'slug or name of the politician': 'slug ou nom du responsable politique',
  'a line for a crontab': 'une ligne pour une crontab',
  'services and a timer': 'des services et un minuteur',
  'a property list': 'une liste de propriétés',
  'time of day': 'heure de la journée',
  '(required) folder to export to': '(obligatoire) dossier où exporter',
  'how old a table may be that is exported (exit 8 for others)':
    'âge maximal d’une table exportée (code 8 pour les autres)',
  'file for the report of each sync': 'fichier du rapport de chaque synchronisation',
  'file for the report of each export': 'fichier du rapport de chaque export',
  'kinds to search, separated by commas; those of the service by default (politician, party, content, speech, promise, position, quote, ballot)':
    'types où chercher, séparés par des virgules ; ceux du service par défaut (politician, party, content, speech, promise, position, quote, ballot)',
  'number of hits': 'nombre de résultats',
  'search by meaning where the source can, else full text, said so':
    'chercher par le sens si la source le peut, sinon en texte intégral, et le dire',
  'only records of this topic': 'seulement les enregistrements de ce thème',
  'every copy of a text, not one that stands for all':
    'chaque exemplaire d’un texte, et non un seul pour tous',
  'why each hit stands where it does': 'pourquoi chaque résultat est à sa place',
  'what to look for': 'ce qu’il faut chercher',
  'address to listen on': 'adresse où écouter',
  'port; 0 takes a free one': 'port ; 0 en prend un libre',
  '60 requests a minute for each address and 600 for each viewer token, or no limits':
    '60 requêtes par minute pour chaque adresse et 600 pour chaque jeton de lecture, ou aucune limite',
  'file of the viewer tokens (default: viewer-tokens.json beside the configuration)':
    'fichier des jetons de lecture (par défaut : viewer-tokens.json à côté de la configuration)',
  'believe X-Forwarded-For from these addresses and networks only (default: from nobody)':
    'ne croire X-Forwarded-For que de ces adresses et réseaux (par défaut : de personne)',
  'path below which a proxy makes it known, which all its links then begin with (default: none)':
    'chemin sous lequel un proxy le fait connaître et par lequel commencent tous ses liens (par défaut : aucun)',
  'names by which it may be asked on loopback, beside those of this machine':
    'noms par lesquels on peut l’interroger en boucle locale, outre ceux de cette machine',
  'count requests in that Redis or Valkey, together with other servers':
    'compter les requêtes dans ce Redis ou Valkey, avec d’autres serveurs',
  'while that does not answer, count alone (open) or refuse requests (closed)':
    'tant qu’il ne répond pas, compter seul (open) ou refuser les requêtes (closed)',
  'sync whenever the mirror is as old as that (6h)': 'synchroniser dès que le miroir a cet âge (6h)',
  'address of the service to sync from (HEMICYCLE_BASE_URL)':
    'adresse du service à synchroniser (HEMICYCLE_BASE_URL)',
  'processes that answer, up to one for each core': 'processus qui répondent, jusqu’à un par cœur',
  'show /metrics for Prometheus on that port; 0 takes a free one':
    'montrer /metrics pour Prometheus sur ce port ; 0 en prend un libre',
  'address to show /metrics on': 'adresse où montrer /metrics',
  'append one JSON object for every answer to a file, or write it to stderr (-)':
    'ajouter un objet JSON par réponse à un fichier, ou l’écrire sur la sortie d’erreur (-)',
  'log what was asked for, too': 'noter aussi dans le journal ce qui a été demandé',
  'address of the service (HEMICYCLE_BASE_URL)': 'adresse du service (HEMICYCLE_BASE_URL)',
  'kinds to bring up to date': 'types à mettre à jour',
  'ask for everything again': 'tout redemander',
  'ballots to fetch: AN:1-50,Senat:2025-300': 'scrutins à rapatrier : AN:1-50,Senat:2025-300',
  'a file of ballots, CHAMBER:ID a line (- for stdin)':
    'un fichier de scrutins, CHAMBRE:ID par ligne (- pour l’entrée standard)',
  'which full profiles to fetch': 'quelles fiches complètes rapatrier',
  'print the plan, its requests and minutes; ask nothing':
    'afficher le plan, ses requêtes et ses minutes ; ne rien demander',
  'write a report of the run as JSON': 'écrire un rapport de l’exécution en JSON',
  'requests a minute; more than the service allows only for a server of your own':
    'requêtes par minute ; plus que le service ne permet, seulement pour votre propre serveur',
  'wait that long for another run to end (5m)':
    'attendre jusqu’à cette durée la fin d’une autre exécution (5m)',
  'refuse a dataset that lost more than that share of its rows, in per cent':
    'refuser un jeu de données qui a perdu plus que cette part de ses lignes, en pour cent',
  'apply a dataset whatever rows or columns it lost':
    'appliquer un jeu de données quelles que soient les lignes ou colonnes perdues',
  'the service of this mirror has moved to this address: go on with the records held':
    'le service de ce miroir a déménagé à cette adresse : continuer avec les enregistrements détenus',
  'change nothing: fill a mirror anew beside this one and compare them, record for record':
    'ne rien changer : remplir un nouveau miroir à côté de celui-ci et les comparer, enregistrement par enregistrement',
  'name of the token: letters, digits, dots, hyphens and underscores':
    'nom du jeton : lettres, chiffres, points, traits d’union et tirets bas',
  'groups to draw first, from the left; the others follow in the order of the source':
    'groupes à dessiner d’abord, depuis la gauche ; les autres suivent dans l’ordre de la source',
  'write the ballot as a picture to publish; - for stdout':
    'écrire le scrutin en image à publier ; - pour la sortie standard',
  'id, number, address, or words of the title': 'identifiant, numéro, adresse, ou mots du titre',
  'the latest of the ballots that the words fit':
    'le plus récent des scrutins auxquels les mots correspondent',
  'what the last of the words behind -- may become, as the script asks it':
    'ce que peut devenir le dernier des mots placés après --, tel que le script le demande',
  'a command, in one word or two, or a subject': 'une commande, en un mot ou deux, ou un sujet',
  'let assistants ask by MCP at /mcp: those on this machine, or with a viewer token':
    'laisser des assistants interroger par MCP à /mcp : ceux de cette machine, ou avec un jeton de lecteur',
  'a CSV file; - for stdin': 'un fichier CSV ; - pour l’entrée standard',
  '(required) the one that holds names, or its number':
    '(obligatoire) celle qui contient les noms, ou son numéro',
  'the one that names a party or group': 'celle qui nomme un parti ou un groupe',
  'the one that names a department': 'celle qui nomme un département',
  'the one with the day or year of birth': 'celle du jour ou de l’année de naissance',
  'the one with the day on which the party held': 'celle du jour auquel le parti se rapporte',
  'what the names are names of': 'ce que désignent les noms',
  'number of candidates for each name': 'nombre maximal de candidats par nom',
  'the file with more columns, or one JSON object a row':
    'le fichier avec des colonnes en plus, ou un objet JSON par ligne',
  'before the names of the new columns': 'devant les noms des nouvelles colonnes',
  'file to write, whole or not at all; stdout by default':
    'fichier à écrire, entier ou pas du tout ; la sortie standard par défaut',
  'folder that the files are written into: empty, or a site of before':
    'dossier où écrire les fichiers : vide, ou un site d’avant',
  'address at which the site will stand: then it has feeds, JSON-LD and previews of links':
    'adresse où se trouvera le site : il a alors des flux, du JSON-LD et des aperçus de liens',
};
