/** What help says of commands: their summaries, descriptions and examples. */
export const help: Record<string, string> = {
  'which parties and groups politicians joined or left, the newest first':
    'les partis et groupes que les responsables politiques ont rejoints ou quittés, du plus récent au plus ancien',
  'Each line is the first or the last day of one affiliation, as its source states it. Whether somebody changed sides is not said: a role may change within one party, and a group may take another name.':
    'Chaque ligne est le premier ou le dernier jour d’une affiliation, tel que sa source l’indique. Il n’est pas dit si quelqu’un a changé de camp : une fonction peut changer dans un même parti, et un groupe prendre un autre nom.',
  'Since a day': 'Depuis un jour',
  'Who joined a party': 'Qui a rejoint un parti',
  'One politician, over time': 'Un responsable politique, au fil du temps',
  'that day or later': 'ce jour ou plus tard',
  'that day or earlier': 'ce jour ou plus tôt',
  'only what began, or only what ended': 'seulement ce qui a commencé, ou seulement ce qui a pris fin',
  'number of days': 'nombre de jours',
  'the newest entries of the public, anonymised log of moderation actions':
    'les dernières entrées du journal public et anonymisé de la modération',
  'The newest entries': 'Les dernières entrées',
  'What was done to promises, as CSV': 'Ce qui a été fait aux promesses, en CSV',
  'list ballots, or find those on which groups voted in certain ways':
    'lister les scrutins, ou trouver ceux où des groupes ont voté d’une certaine façon',
  'The position of a group is what the source states. Those who sit in no group (non-inscrits) count for no dissent.':
    'La position d’un groupe est celle qu’indique la source. Les non-inscrits ne comptent pas comme dissidence.',
  'The newest ballots': 'Les derniers scrutins',
  'Two groups for, a third against': 'Deux groupes pour, un troisième contre',
  'Decided by five votes at most': 'Décidés à cinq voix au plus',
  'what was added, edited, withdrawn, returned or renamed, as this mirror saw it':
    'ce qui a été ajouté, modifié, retiré, rétabli ou renommé, tel que ce miroir l’a vu',
  'The moments are those at which this mirror saw a change; when it happened at the service is not known. Each fact is told once, where it belongs: what a profile only repeats of quotes, positions, sources or members is told of these. Of a party or group (`--party`) are its own record, records that stated it when they changed, and those that state none but are about a politician whose record stated it then.':
    'Les moments sont ceux où ce miroir a vu un changement ; on ne sait pas quand il a eu lieu dans le service. Chaque fait est dit une fois, à sa place : ce qu’une fiche ne fait que répéter de citations, de positions, de sources ou de membres est dit de ceux-ci. D’un parti ou d’un groupe (`--party`) sont sa propre fiche, les fiches qui le déclaraient quand elles ont changé, et celles qui n’en déclarent aucun mais concernent un responsable politique dont la fiche le déclarait alors.',
  'What the last sync or import brought': 'Ce qu’a apporté la dernière synchronisation ou le dernier import',
  'A week of one politician, edits word by word':
    'Une semaine d’un responsable politique, modifications mot à mot',
  'What a party and its members withdrew or edited': 'Ce qu’un parti et ses membres ont retiré ou modifié',
  'For a script: exit 20 if a promise changed since yesterday':
    'Pour un script : code 20 si une promesse a changé depuis hier',
  'what this mirror saw of records, and when, as one file that anybody can check':
    'ce que ce miroir a vu d’enregistrements, et quand, en un fichier que chacun peut vérifier',
  'A bag (BagIt 1.0) in a ZIP file: every version as the mirror keeps it, when it was seen, edited, withdrawn, its sources, the sums of what the service sent, and a page that says what all this shows, what it does not, and how to check it. The same records give the same bytes but for the moment of making, which SOURCE_DATE_EPOCH sets. A record is named by its kind and key, as KIND:KEY, by the CHAMBER:ID or number of a ballot, by its own address, or by any id that was printed, in any case; people and parties by their names.':
    'Un sac (BagIt 1.0) dans un fichier ZIP : chaque version telle que le miroir la garde, quand elle a été vue, modifiée, retirée, ses sources, les sommes de ce que le service a envoyé, et une page qui dit ce que tout cela montre, ce que cela ne montre pas, et comment le vérifier. Les mêmes enregistrements donnent les mêmes octets, au moment d’établissement près, que fixe SOURCE_DATE_EPOCH. Un enregistrement se désigne par son type et sa clé, par TYPE:CLÉ, par CHAMBRE:ID ou numéro pour un scrutin, par sa propre adresse, ou par tout identifiant affiché, majuscules ou non ; les personnes et les partis par leur nom.',
  'A ballot, and a promise': 'Un scrutin, et une promesse',
  'With the word of a time-stamping authority (RFC 3161)':
    'Avec la parole d’une autorité d’horodatage (RFC 3161)',
  'Check it, on any machine': 'La vérifier, sur toute machine',
  'check every byte of evidence, with nothing but its file':
    'vérifier chaque octet d’une preuve, avec son seul fichier',
  'Needs no mirror and no network. Exits 12 where anything is not as it was made, and names it. Whether the signature of a time stamp is that of an authority, openssl says: the page within tells how.':
    'Ne demande ni miroir ni réseau. Finit par 12 si quoi que ce soit n’est pas tel qu’établi, et le nomme. Si la signature d’un horodatage est bien celle d’une autorité, openssl le dit : la page contenue explique comment.',
  'What somebody sent': 'Ce que quelqu’un a envoyé',
  'how to cite any one record: a sentence, HTML, BibTeX, CSL-JSON or RIS':
    'comment citer un enregistrement : phrase, HTML, BibTeX, CSL-JSON ou RIS',
  'Every style names the service, the day of retrieval, the moment of the past if one was asked for, and a hash of the content as `hemicycle show` gives it. A record is named by its kind and key, as KIND:KEY, by the CHAMBER:ID or number of a ballot, by its own address, or by any id that was printed, in any case; people and parties by their names.':
    'Chaque style nomme le service, le jour de consultation, le moment passé s’il a été demandé, et une empreinte du contenu tel que `hemicycle show` le donne. Un enregistrement se désigne par son type et sa clé, par TYPE:CLÉ, par CHAMBRE:ID ou numéro pour un scrutin, par sa propre adresse, ou par tout identifiant affiché, majuscules ou non ; les personnes et les partis par leur nom.',
  'A record is named by its kind and key, as KIND:KEY, by the CHAMBER:ID or number of a ballot, by its own address, or by any id that was printed, in any case; people and parties by their names.':
    'Un enregistrement se désigne par son type et sa clé, par TYPE:CLÉ, par CHAMBRE:ID ou numéro pour un scrutin, par sa propre adresse, ou par tout identifiant affiché, majuscules ou non ; les personnes et les partis par leur nom.',
  'The address is what the record states, else that of its first source. A record is named by its kind and key, as KIND:KEY, by the CHAMBER:ID or number of a ballot, by its own address, or by any id that was printed, in any case; people and parties by their names.':
    'L’adresse est celle que l’enregistrement indique, sinon celle de sa première source. Un enregistrement se désigne par son type et sa clé, par TYPE:CLÉ, par CHAMBRE:ID ou numéro pour un scrutin, par sa propre adresse, ou par tout identifiant affiché, majuscules ou non ; les personnes et les partis par leur nom.',
  'A sentence': 'Une phrase',
  'In French': 'En français',
  'For a bibliography': 'Pour une bibliographie',
  'how united groups voted over a choice of ballots, and how many of them took part':
    'avec quelle unité les groupes ont voté sur un choix de scrutins, et combien y ont pris part',
  'The Agreement Index: AI = (max(Y,N,A) - ((Y+N+A) - max(Y,N,A)) / 2) / (Y+N+A) of each ballot, then the mean (Hix, Noury and Roland 2005). A group with one voter is 1 by construction, so the mean also stands without ballots of three voters or fewer. Those who sit in no group are none.':
    'L’indice d’accord : AI = (max(Y,N,A) - ((Y+N+A) - max(Y,N,A)) / 2) / (Y+N+A) de chaque scrutin, puis la moyenne (Hix, Noury et Roland 2005). Un groupe d’un seul votant donne 1 par construction : la moyenne figure donc aussi sans les scrutins de trois votants ou moins. Les non-inscrits ne sont pas un groupe.',
  'Every group': 'Tous les groupes',
  'Those first that dissent most': 'Les moins unis d’abord',
  'Some groups, in a time': 'Quelques groupes, sur une période',
  'On one subject, as a file': 'Sur un sujet, en fichier',
  'how often groups took the same position over a choice of ballots, pair by pair':
    'à quelle fréquence des groupes ont pris la même position sur un choix de scrutins, deux à deux',
  'The position of a group is what the source states: agreement = same / n, where n counts the ballots in which both are stated.':
    'La position d’un groupe est celle qu’indique la source : agreement = same / n, où n compte les scrutins où les deux sont indiquées.',
  'Two groups, over all ballots': 'Deux groupes, sur tous les scrutins',
  'A group and the side with more votes': 'Un groupe et le côté qui a le plus de voix',
  'Every pair of three, as a file': 'Toutes les paires de trois groupes, en fichier',
  'print one setting': 'afficher un réglage',
  'The address in use': 'L’adresse utilisée',
  'print every setting': 'afficher tous les réglages',
  'Where each value comes from': 'D’où vient chaque valeur',
  'keep a setting for this user': 'conserver un réglage pour cet utilisateur',
  'The token, the key of the service of embeddings and smtp-url are read from standard input, so that they stand in no list of processes and no shell history.':
    'Le jeton, la clé du service de plongements et smtp-url sont lus sur l’entrée standard, pour ne figurer dans aucune liste de processus ni historique du shell.',
  'The address of the service': 'L’adresse du service',
  'The token': 'Le jeton',
  'forget a setting kept for this user': 'oublier un réglage conservé pour cet utilisateur',
  'Back to the default': 'Retour à la valeur par défaut',
  'read and change the settings kept for this user':
    'lire et modifier les réglages conservés pour cet utilisateur',
  'make and revoke the viewer tokens that `serve` knows':
    'créer et révoquer les jetons de lecture que connaît `serve`',
  'try everything at once, offline, on a fictional republic':
    'tout essayer d’un coup, hors ligne, sur une république fictive',
  'Imports invented records, serves them on a free port, syncs them into a second mirror, and shows what the commands answer.':
    'Importe des enregistrements inventés, les sert sur un port libre, les synchronise dans un second miroir et montre ce que répondent les commandes.',
  'The whole loop': 'La boucle entière',
  'whether everything is as it should be, and what to do where it is not':
    'dire si tout est comme il faut, et que faire sinon',
  'Looks at the settings, the mirror, the disk, the clock, the way to the service, and whether its answers still look as they did. One request is made, within the budget. Exits 12 where there is a problem; a warning alone is exit 0.':
    'Examine les réglages, le miroir, le disque, l’horloge, le chemin vers le service, et si ses réponses ont encore la même forme. Une seule requête est faite, dans le budget. Code 12 s’il y a un problème ; 0 pour un simple avertissement.',
  'A look': 'Un coup d’œil',
  'For a monitor': 'Pour une supervision',
  'write whole datasets as CSV, Parquet or NDJSON':
    'écrire des jeux de données entiers en CSV, Parquet ou NDJSON',
  'Datasets: politicians, parties, content, speeches, promises, positions, quotes, ballots, sources, audit, votes (a ballot and a party or group), votes-wide (a ballot and a choice, a column for each group), affiliations (a politician in a party or group), party_members (a member of a party or group), record_sources (a record of a dataset and a source of it), other_record_sources (a record of no dataset (a ballot, a speech, a text) and a source of it). A file or folder appears whole or not at all; same data, same bytes. SOURCE_DATE_EPOCH sets the date that a package states.':
    'Jeux de données : politicians, parties, content, speeches, promises, positions, quotes, ballots, sources, audit, votes (un scrutin et un parti ou groupe), votes-wide (un scrutin et un choix, une colonne par groupe), affiliations (un responsable politique dans un parti ou groupe), party_members (un membre d’un parti ou groupe), record_sources (un enregistrement d’un jeu de données et une de ses sources), other_record_sources (un enregistrement hors jeu de données, comme un scrutin, une intervention ou un texte, et une de ses sources). Un fichier ou un dossier apparaît entier ou pas du tout ; mêmes données, mêmes octets. SOURCE_DATE_EPOCH fixe la date qu’indique un paquet.',
  'One dataset into the next program': 'Un jeu de données vers le programme suivant',
  'Everything as a data package, with licence and checksums':
    'Tout, en paquet de données, avec licence et sommes de contrôle',
  'Every night: nothing is touched where nothing changed':
    'Chaque nuit : rien n’est touché là où rien n’a changé',
  'For a warehouse: only what changed since the last time, with what became of each row':
    'Pour un entrepôt : seulement ce qui a changé depuis la dernière fois, avec ce qu’est devenue chaque ligne',
  'What can be cited: releases by day, which stay as they are':
    'Ce qui peut être cité : des versions par jour, qui restent telles quelles',
  'The votes of the parties, for a spreadsheet in French':
    'Les votes des partis, pour un tableur en français',
  'What the service itself sent last, byte for byte':
    'Ce que le service lui-même a envoyé en dernier, octet pour octet',
  'check an exported folder or file against its own sums and description':
    'vérifier un dossier ou un fichier exporté d’après ses propres sommes et sa description',
  'Reads every file whole: sums, bytes, rows and columns; of one file what FILE.meta.json beside it says; of a folder of releases each of them, and their index; of one in parts that nothing else lies among them. Exits 12 where anything differs.':
    'Lit chaque fichier en entier : sommes, octets, lignes et colonnes ; d’un seul fichier, ce qu’en dit FICHIER.meta.json à côté ; d’un dossier de versions, chacune d’elles et leur index ; d’un dossier en parties, que rien d’autre ne s’y trouve. Code 12 si quoi que ce soit diffère.',
  'Before it is published': 'Avant publication',
  'All that was ever released': 'Tout ce qui a été publié un jour',
  'the feed of sourced facts, newest first': 'le fil des faits sourcés, du plus récent au plus ancien',
  'The newest promises': 'Les dernières promesses',
  'Everything of one politician, one JSON record a line':
    'Tout d’un responsable politique, un enregistrement JSON par ligne',
  'One topic': 'Un thème',
  'help for a command, or on a subject such as recipes':
    'l’aide d’une commande, ou sur un sujet tel que recipes',
  'What there is': 'Ce qu’il y a',
  'One command': 'Une commande',
  'Questions, and the line that answers each': 'Des questions, et la ligne qui répond à chacune',
  'every version of one record that this mirror has seen, the newest first':
    'toutes les versions d’un enregistrement que ce miroir a vues, la plus récente d’abord',
  'The moments are those at which this mirror saw a version; the service itself keeps none.':
    'Les moments sont ceux où ce miroir a vu une version ; le service lui-même n’en garde pas.',
  'A politician, by slug or by name': 'Un responsable politique, par slug ou par nom',
  'A ballot': 'Un scrutin',
  'A promise with every document in full': 'Une promesse, avec chaque document en entier',
  'fill the mirror from files': 'remplir le miroir à partir de fichiers',
  'Files are named after the kinds: politicians.ndjson, ballots.ndjson.gz, sources.csv, parties.parquet. A file with a bad line is named and left out whole.':
    'Les fichiers portent le nom des types : politicians.ndjson, ballots.ndjson.gz, sources.csv, parties.parquet. Un fichier qui a une mauvaise ligne est nommé et laissé entièrement de côté.',
  'A folder of records': 'Un dossier d’enregistrements',
  'One file, into a mirror of its own': 'Un fichier, dans un miroir à lui',
  'the page of a record, or of its source: printed, and opened on a desktop':
    'la page d’un enregistrement, ou de sa source : affichée, et ouverte sur un bureau',
  'The page of a ballot': 'La page d’un scrutin',
  'For a script': 'Pour un script',
  'list parties and parliamentary groups, or show one with its members and sources':
    'lister les partis et groupes parlementaires, ou en montrer un avec ses membres et ses sources',
  'All parties and groups': 'Tous les partis et groupes',
  'One party with its members, as JSON': 'Un parti avec ses membres, en JSON',
  'list politicians, or show the profile of one':
    'lister les responsables politiques, ou montrer la fiche de l’un d’eux',
  'The members of a party, by name': 'Les membres d’un parti, par nom',
  'The hundred that were updated last, as CSV': 'Les cent derniers mis à jour, en CSV',
  'One profile, by slug or by name': 'Une fiche, par slug ou par nom',
  'print what cron, systemd or launchd takes to sync and export every night':
    'afficher ce qu’il faut à cron, systemd ou launchd pour synchroniser et exporter chaque nuit',
  'Writes nothing: the text goes to stdout, for you to read and to put where its first lines say.':
    'N’écrit rien : le texte va à la sortie standard, à lire et à placer là où ses premières lignes le disent.',
  'A line for crontab -e': 'Une ligne pour crontab -e',
  'Services and a timer': 'Des services et un minuteur',
  'search politicians, parties, content and speeches':
    'chercher dans les responsables politiques, partis, contenus et interventions',
  'Hyphens, apostrophes and endings do not matter, nor accents that were left out; "quoted words" must stand together, -word must not be there, word* finds what begins so (from three letters); type:, party:, politician:, since: and until: say among what, and -type: among what not. Where no record holds all words, other accents, other spellings and then any of the words are tried, and it is said so.':
    'Traits d’union, apostrophes et terminaisons n’importent pas, ni les accents omis ; des `"mots entre guillemets"` doivent se suivre, -mot ne doit pas y être, mot* trouve ce qui commence ainsi (dès trois lettres) ; `type:`, `party:`, `politician:`, `since:` et `until:` disent parmi quoi, et `-type:` parmi quoi non. Si aucun enregistrement ne contient tous les mots, d’autres accents, d’autres graphies puis un seul des mots sont essayés, et c’est dit.',
  'All words, anywhere': 'Tous les mots, n’importe où',
  'Only speeches and promises': 'Seulement les interventions et les promesses',
  'Not a word of it, and only since a day': 'Sans un mot, et seulement depuis un jour',
  'The next program gets JSON': 'Le programme suivant reçoit du JSON',
  'By meaning': 'Par le sens',
  'run the whole service on this machine, from the mirror':
    'servir tout le service sur cette machine, depuis le miroir',
  'On http://127.0.0.1:8000/api/v1': 'Sur http://127.0.0.1:8000/api/v1',
  'On any free port, without limits': 'Sur un port libre, sans limites',
  'Behind a proxy on this machine, brought up to date four times a day':
    'Derrière un proxy de cette machine, mis à jour quatre fois par jour',
  'any one record of any kind, whole': 'un enregistrement quelconque, en entier',
  'A source': 'Une source',
  'A ballot by its chamber and id': 'Un scrutin par sa chambre et son identifiant',
  'what the mirror holds, how old it is, and what is left of the budget':
    'ce que contient le miroir, son âge, et ce qui reste du budget',
  'For a monitor: exit 8 if the mirror is older than a day':
    'Pour une supervision : code 8 si le miroir a plus d’un jour',
  'bring the mirror up to date from the service, within its rate limit':
    'mettre le miroir à jour depuis le service, dans sa limite de débit',
  'Interrupt it at any time: what was saved stays, and the next sync goes on from there.':
    'Interruptible à tout moment : ce qui a été enregistré est conservé, et la prochaine synchronisation reprend de là.',
  'What it would ask, and how long that takes': 'Ce qui serait demandé, et le temps que cela prend',
  'From cron: silent, with a report for a monitor':
    'Depuis cron : silencieux, avec un rapport pour une supervision',
  'Prove that the mirror is what the service says now (exit 12 if it is not)':
    'Prouver que le miroir est ce que dit le service maintenant (code 12 sinon)',
  'Only the vectors of semantic search, of a model that is set':
    'Seulement les vecteurs de la recherche sémantique, d’un modèle défini',
  'Only ballots, by number': 'Seulement des scrutins, par numéro',
  'make a viewer token, which `serve` gives 600 requests a minute':
    'créer un jeton de lecture, à qui `serve` donne 600 requêtes par minute',
  'The token is printed once, on stdout; only its SHA-256 is kept.':
    'Le jeton est affiché une fois, sur la sortie standard ; seul son SHA-256 est conservé.',
  'For a colleague': 'Pour un collègue',
  'Into a file that the owner alone can read': 'Dans un fichier que seul le propriétaire peut lire',
  'list the viewer tokens by name': 'lister les jetons de lecture par nom',
  'Who is a viewer': 'Qui a un jeton',
  'revoke a viewer token; servers that run refuse it from then on':
    'révoquer un jeton de lecture ; les serveurs en marche le refusent dès lors',
  'A token that leaked': 'Un jeton qui a fuité',
  'every topic with its number of records for each kind, the most used first':
    'chaque thème avec son nombre d’enregistrements de chaque type, les plus utilisés d’abord',
  'Every topic': 'Tous les thèmes',
  'What a filter takes, one a line': 'Ce qu’accepte un filtre, un par ligne',
  'the version of the program, and of Node under it': 'la version du programme, et celle de Node',
  'The same as --version': 'Comme --version',
  'one ballot drawn, with its votes by party': 'un scrutin dessiné, avec ses votes par parti',
  'The result is what the chamber announced; a count that it does not publish is shown empty, never as 0.':
    'Le résultat est celui qu’a annoncé la chambre ; un décompte qu’elle ne publie pas est laissé vide, jamais 0.',
  'A ballot is named by its id, its number, its address, or words of its title and a year; where these fit several, they are listed.':
    'Un scrutin se désigne par son identifiant, son numéro, son adresse, ou des mots de son titre et une année ; si plusieurs correspondent, ils sont listés.',
  'A ballot of the Assemblée nationale': 'Un scrutin de l’Assemblée nationale',
  'A ballot of the Sénat': 'Un scrutin du Sénat',
  'By words': 'Par des mots',
  'A picture to publish, on stdout': 'Une image à publier, sur la sortie standard',
  'A command line and a local mirror for a public information service about politicians and parties':
    'Une ligne de commande et un miroir local pour un service public d’information sur les responsables politiques et les partis',
  'The last of several': 'Le dernier de plusieurs',
  'the script that has a shell complete commands, flags, names and topics':
    'le script par lequel un shell complète commandes, options, noms et thèmes',
  'The script is printed, nothing is installed. At each Tab the shell asks this program, which reads the mirror; the network is never asked.':
    'Le script est affiché, rien n’est installé. À chaque tabulation le shell interroge ce programme, qui lit le miroir ; le réseau n’est jamais sollicité.',
  'bash, in ~/.bashrc': 'bash, dans ~/.bashrc',
  'zsh, in ~/.zshrc after compinit': 'zsh, dans ~/.zshrc après compinit',
  'fish, once': 'fish, une fois',
  'bash, zsh or fish': 'bash, zsh ou fish',
  'let an assistant ask the mirror, by the Model Context Protocol on stdin and stdout':
    'laisser un assistant interroger le miroir, par le Model Context Protocol sur stdin et stdout',
  'For the configuration of an assistant, which starts it. Ten tools that only read; no network; stdout carries the protocol alone.':
    'Pour la configuration d’un assistant, qui le lance. Dix outils qui ne font que lire ; aucun réseau ; stdout ne porte que le protocole.',
  'What an assistant is to start': 'Ce qu’un assistant doit lancer',
  'From a mirror elsewhere': 'Depuis un miroir situé ailleurs',
  'find out whom the names in a CSV file mean': 'trouver qui désignent les noms d’un fichier CSV',
  'Adds slug, full_name, score (0 to 100) and candidates behind the columns of the file and keeps every byte of it. A slug stands where one record alone bears the whole name, in any order, case and spelling of accents and hyphens, and nothing beside it differs; of several who bear a name, and for near spellings, there are candidates, the likeliest first.':
    'Ajoute slug, full_name, score (0 à 100) et candidates derrière les colonnes du fichier, dont chaque octet est conservé. Un slug est donné quand un seul enregistrement porte le nom entier, quels que soient l’ordre, la casse, les accents et les traits d’union, et que rien de ce qui l’accompagne ne diffère ; pour plusieurs porteurs d’un nom, et pour des graphies proches, il y a des candidats, le plus probable d’abord.',
  'A list with a column of names': 'Une liste avec une colonne de noms',
  'With what tells people of one name apart': 'Avec ce qui distingue les homonymes',
  'One JSON object a row, with all candidates': 'Un objet JSON par ligne, avec tous les candidats',
  'write all pages as files for any web host, or none':
    'écrire toutes les pages en fichiers, pour tout hébergeur, ou sans aucun',
  'The pages of `serve` without a server: every record, lists cut into files, changes by day, a search of names and titles, and the tables as a data package in data/. What is the same keeps its file; a run that was killed is taken up by the next one. In one language (--lang). What only a server can answer is left out.':
    'Les pages de `serve` sans serveur : chaque enregistrement, les listes découpées en fichiers, les changements par jour, une recherche de noms et de titres, et les tables en jeu de données dans data/. Ce qui ne change pas garde son fichier ; une exécution interrompue est reprise par la suivante. En une seule langue (--lang). Ce à quoi seul un serveur peut répondre est omis.',
  'Into a folder, to be read from there': 'Dans un dossier, pour être lu de là',
  'With feeds and whole addresses, in French': 'Avec flux et adresses entières, en français',
};
