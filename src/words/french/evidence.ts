/** What is said of evidence: its page, its verification, and time stamps. */
export const evidence: Record<string, string> = {
  'Evidence: {}': 'Preuve : {}',
  'Made on {} with Hemicycle {}, from a mirror of {}.':
    'Établie le {} avec Hemicycle {}, à partir d’un miroir de {}.',
  'As that mirror had seen it by {}.': 'Telle que ce miroir l’avait vue au {}.',
  Record: 'Enregistrement',
  'Listed before as': 'Auparavant sous',
  'First seen': 'Vu pour la première fois',
  'Last seen': 'Vu pour la dernière fois',
  'Seen to be withdrawn': 'Vu comme retiré',
  'What this mirror saw, the oldest first': 'Ce que ce miroir a vu, du plus ancien au plus récent',
  'Its sources, as the record names them': 'Ses sources, telles que l’enregistrement les nomme',
  'None is named.': 'Aucune n’est nommée.',
  'Its row of the dataset': 'Sa ligne du jeu de données',
  'Its full document': 'Son document complet',
  'replaced by another version': 'remplacée par une autre version',
  'Seen from': 'Vue à partir du',
  ', by sync {}': ', par la synchronisation {}',
  'it still stood': 'elle valait encore',
  File: 'Fichier',
  Field: 'Champ',
  Before: 'Avant',
  After: 'Après',
  '{}… (the file has all of it)': '{}… (le fichier contient le tout)',
  'What the service sent': 'Ce que le service a envoyé',
  'The mirror keeps no download of the datasets of these records.':
    'Le miroir ne garde aucun téléchargement des jeux de données de ces enregistrements.',
  'The last download of each dataset, of which the mirror keeps every byte; it is not in here, its SHA-256 is.':
    'Le dernier téléchargement de chaque jeu de données, dont le miroir garde chaque octet ; il n’est pas ici, mais son SHA-256 l’est.',
  Dataset: 'Jeu de données',
  As: 'Sous forme de',
  bytes: 'octets',
  'The syncs that brought it': 'Les synchronisations qui l’ont apporté',
  Sync: 'Synchronisation',
  'Whom it asked': 'Qui a été interrogé',
  Began: 'Début',
  Ended: 'Fin',
  'The moments are those at which this mirror saw a version, by the clock of its machine. When something changed at the service it does not know.':
    'Les moments sont ceux où ce miroir a vu une version, à l’horloge de sa machine. Il ne sait pas quand quelque chose a changé dans le service.',
  'A version is the text that the mirror keeps: the record as JSON, written by the mirror once it had read the answer, or the line of a file that was imported. The bytes of the answer itself are not kept: spaces and the spelling of numbers may differ, and a record of a dataset came as a row of CSV or Parquet.':
    'Une version est le texte que garde le miroir : l’enregistrement en JSON, écrit par le miroir après lecture de la réponse, ou la ligne d’un fichier importé. Les octets de la réponse elle-même ne sont pas gardés : les espaces et l’écriture des nombres peuvent différer, et un enregistrement d’un jeu de données est venu comme une ligne de CSV ou de Parquet.',
  'Of the service’s own bytes the mirror keeps the last download of each dataset. What was edited or withdrawn before that is not in it.':
    'Des octets mêmes du service, le miroir garde le dernier téléchargement de chaque jeu de données. Ce qui a été modifié ou retiré avant n’y figure pas.',
  'The service signed nothing of this. Who can write to the mirror could have changed what it holds before this was made, and who made this could make another one.':
    'Le service n’a rien signé de tout cela. Qui peut écrire dans le miroir a pu changer ce qu’il contient avant que ceci soit établi, et qui a établi ceci peut en établir un autre.',
  'The date of making is the maker’s word, unless {} is there: then a time-stamping authority saw the sum of all of this at the moment that it states.':
    'La date d’établissement n’a que la parole de son auteur, sauf si {} est présent : une autorité d’horodatage a alors vu la somme de tout ceci au moment qu’elle indique.',
  'What this does not show': 'Ce que cela ne montre pas',
  'How to check it': 'Comment le vérifier',
  'The file is a bag (BagIt 1.0, RFC 8493) in a ZIP file. With unzip and sha256sum, every file against its sum:':
    'Le fichier est un sac (BagIt 1.0, RFC 8493) dans un fichier ZIP. Avec unzip et sha256sum, chaque fichier d’après sa somme :',
  'Where {} is there, with openssl, when an authority saw it; AUTHORITY.pem is the authority’s root certificate, to be had from the authority itself:':
    'Si {} est présent, avec openssl, quand une autorité l’a vu ; AUTHORITY.pem est le certificat racine de l’autorité, à obtenir d’elle-même :',
  'With Hemicycle, on any machine, every byte of the file:':
    'Avec Hemicycle, sur toute machine, chaque octet du fichier :',
  'evidence is written into a file': 'une preuve s’écrit dans un fichier',
  'name it: -o evidence.zip': 'nommez-le : -o preuve.zip',
  'it is the mirror that would be read': 'c’est le miroir qui serait lu',
  '{} names a kind, and no record of it': '{} désigne un type, et aucun enregistrement de ce type',
  'write its key behind it: {} KEY': 'écrivez sa clé derrière : {} CLÉ',
  '{}: {}, {}, {}': '{} : {}, {}, {}',
  'stamped by {} at {}': 'horodaté par {} à {}',
  'when it was made is the maker’s word alone; --tsa URL asks an authority to vouch for it':
    'la date d’établissement n’a que la parole de son auteur ; --tsa URL demande à une autorité d’en répondre',
  'the evidence of so many records takes more than {} bytes':
    'la preuve de tant d’enregistrements prend plus de {} octets',
  'make several files of it': 'faites-en plusieurs fichiers',
  'it stamped another sum than the one that it was shown':
    'elle a horodaté une autre somme que celle qui lui a été montrée',
  'its time stamp answers another request (the nonce differs)':
    'son horodatage répond à une autre requête (le nonce diffère)',
  'it is no answer of a time-stamping authority (RFC 3161)':
    'ce n’est pas une réponse d’une autorité d’horodatage (RFC 3161)',
  'the authority refused the request (status {}{})': 'l’autorité a refusé la requête (statut {}{})',
  'its time stamp cannot be read': 'son horodatage ne peut pas être lu',
  'it stamps another kind of sum than SHA-256': 'elle horodate un autre type de somme que SHA-256',
  'answers {}, not application/timestamp-reply': 'répond {}, et non application/timestamp-reply',
  'without a type': 'sans type',
  '--tsa "{}" is not a web address': '--tsa « {} » n’est pas une adresse web',
  'it should look like https://tsa.example/tsr': 'elle devrait ressembler à https://tsa.example/tsr',
  'nothing was written; check --tsa, or leave it out for evidence without a time stamp':
    'rien n’a été écrit ; vérifiez --tsa, ou retirez-le pour une preuve sans horodatage',
  'its path is not one of evidence': 'son chemin n’est pas celui d’une preuve',
  'it is there twice': 'il y est deux fois',
  'its bytes do not have the check sum that the ZIP file states':
    'ses octets n’ont pas la somme de contrôle qu’indique le fichier ZIP',
  'byte {} of its header in the ZIP file is not what it must be':
    'l’octet {} de son en-tête dans le fichier ZIP n’est pas ce qu’il doit être',
  'it is no ZIP file of evidence': 'ce n’est pas un fichier ZIP de preuve',
  '{} bytes stand behind its end': '{} octets suivent sa fin',
  'it ends too early, at byte {}': 'il finit trop tôt, à l’octet {}',
  'byte {}, in the directory entry of {}, is not what it must be':
    'l’octet {}, dans l’entrée du répertoire pour {}, n’est pas ce qu’il doit être',
  'byte {}, at the end of the directory, is not what it must be':
    'l’octet {}, à la fin du répertoire, n’est pas ce qu’il doit être',
  'it is no part of evidence': 'il ne fait pas partie d’une preuve',
  'it is missing': 'il manque',
  'it is larger than {}, and was not read': 'il dépasse {} et n’a pas été lu',
  '{} does not list it': '{} ne le mentionne pas',
  'its SHA-256 is not the one in {}': 'son SHA-256 n’est pas celui de {}',
  '{} lists it twice': '{} l’énumère deux fois',
  '{} lists it, but it is missing': '{} le mentionne, mais il manque',
  'it is not in its place': 'il n’est pas à sa place',
  'it is not written as evidence is': 'il n’est pas écrit comme l’est une preuve',
  'it is the time stamp of something else': 'c’est l’horodatage d’autre chose',
  'it is not there': 'il n’y est pas',
  'it is not one that this program reads': 'ce n’en est pas un que ce programme lit',
  '{}: ok, {} files; made {}, of {}': '{} : ok, {} fichiers ; établie le {}, sur {}',
  'timestamp.tsr: a time-stamping authority states {}; openssl checks its signature':
    'timestamp.tsr : une autorité d’horodatage indique {} ; openssl vérifie sa signature',
  'no time stamp: when it was made is the maker’s word':
    'pas d’horodatage : la date d’établissement n’a que la parole de son auteur',
  '{}: {}: {}{}': '{} : {} : {}{}',
  ', and {} more': ', et {} de plus',
  'it is not as it was made: ask whoever made it for another copy':
    'il n’est pas tel qu’il a été établi : demandez une autre copie à qui l’a établi',
  'name a file that `hemicycle evidence` wrote': 'nommez un fichier écrit par `hemicycle evidence`',
  '{}: it is larger than evidence may be': '{} : il est plus grand que ne peut l’être une preuve',
};
