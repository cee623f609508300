/** What is said of a sync, an import and a verification. */
export const syncing: Record<string, string> = {
  '"{}" does not begin and end alike': '« {} » ne commence pas et ne finit pas de la même façon',
  '"{}" is not a range of at most {} ballots': '« {} » n’est pas une suite de {} scrutins au plus',
  '"{}" names no ballot': '« {} » ne désigne aucun scrutin',
  '"{}" names no chamber': '« {} » ne désigne aucune chambre',
  'write AN:1-50 or Senat:2025-300': 'écrivez AN:1-50 ou Senat:2025-300',
  'if the clock is wrong, set it and run again; if it is right, --accept-clock takes back to now what is still to come, in its order, and keeps in the table mended_moment what each moment was':
    'si l’horloge est fausse, réglez-la et relancez ; si elle est juste, --accept-clock ramène à maintenant ce qui est encore à venir, dans son ordre, et garde dans la table mended_moment ce qu’était chaque moment',
  'set the clock of this machine and run again; if it is the clock of the service that is wrong, `hemicycle sync --accept-clock` goes by this one':
    'réglez l’horloge de cette machine et relancez ; si c’est celle du service qui est fausse, `hemicycle sync --accept-clock` se fie à celle-ci',
  'the clock of this machine says {}, and the service says {}: what it answers would be kept under a wrong moment, and was not saved':
    'l’horloge de cette machine dit {}, et le service dit {} : sa réponse serait conservée sous un moment faux, et n’a pas été enregistrée',
  'the newest moment in {} is {}, and the clock of this machine says {}: one of the two is wrong; nothing was saved':
    'le moment le plus récent de {} est {}, et l’horloge de cette machine dit {} : l’un des deux est faux ; rien n’a été enregistré',
  'its items have lost their ids; none of them was taken':
    'ses éléments ont perdu leurs identifiants ; aucun n’a été pris',
  'if the service means it, run again with --full': 'si le service le veut ainsi, relancez avec --full',
  'the answer is JSON, not a dataset': 'la réponse est du JSON, pas un jeu de données',
  'the answer is a web page (HTML), not a dataset':
    'la réponse est une page web (HTML), pas un jeu de données',
  'the dataset has no column "{}"; it has {}': 'le jeu de données n’a pas de colonne « {} » ; il a {}',
  'a model that was replaced needs another name in `embeddings-model`; the vectors made so far stay':
    'un modèle remplacé demande un autre nom dans `embeddings-model` ; les vecteurs déjà faits sont conservés',
  'gives vectors of {} dimensions, the ones of this mirror have {}':
    'donne des vecteurs de {} dimensions, ceux de ce miroir en ont {}',
  'a part of it cannot be read': 'une partie en est illisible',
  'it does not say what follows': 'elle ne dit pas ce qui suit',
  'the answer is not what a Hemicycle sends': 'la réponse n’est pas ce qu’un Hemicycle envoie',
  '"{}" is not a kind of record': '« {} » n’est pas un type d’enregistrement',
  'files are named after the kinds: {}; with the ending {}':
    'les fichiers portent le nom des types : {} ; avec la terminaison {}',
  'kinds: {}': 'types : {}',
  'name a folder of <plural kind>.ndjson, .ndjson.gz, .csv or .parquet files':
    'indiquez un dossier de fichiers <type au pluriel>.ndjson, .ndjson.gz, .csv ou .parquet',
  '{} does not exist': '{} n’existe pas',
  '{} holds nothing to import': '{} ne contient rien à importer',
  'kinds that a sync can bring: {}; `hemicycle import` takes the others from files':
    'types qu’une synchronisation peut rapatrier : {} ; `hemicycle import` prend les autres dans des fichiers',
  'no sync brings {}: the service has no list of them':
    'aucune synchronisation ne rapatrie {} : le service n’en a pas de liste',
  'the mirror differs from the service: {}': 'le miroir diffère du service : {}',
  'the service may have changed meanwhile; `hemicycle sync --full` asks for everything again':
    'le service a pu changer entre-temps ; `hemicycle sync --full` redemande tout',
  'a kept download': 'un téléchargement conservé',
  'line 1': 'ligne 1',
  'line {}': 'ligne {}',
  'ballot {}: the service has none': 'scrutin {} : le service n’en a pas',
  '{}: profiles are not what the datasets say, {}; all are fetched':
    '{} : les fiches ne sont pas ce que disent les jeux de données, {} ; toutes sont demandées',
  '{}: profiles are not what the datasets say, {}; all are fetched, the {} composed ones too':
    '{} : les fiches ne sont pas ce que disent les jeux de données, {} ; toutes sont demandées, y compris les {} composées',
  '{}: nor can {} ({})': '{} : {} non plus ({})',
  '{}: {} cannot be taken ({}); asking for {}': '{} : {} est inutilisable ({}) ; demande de {}',
  '{}: {} rows repeat a key; the first of each counts':
    '{} : {} lignes répètent une clé ; la première de chacune compte',
  '{}: {} addresses in a row failed; the rest is left to the next run':
    '{} : {} adresses de suite ont échoué ; le reste est laissé à la prochaine exécution',
  'the service no longer knows where the feed was left; it is walked anew':
    'le service ne sait plus où le fil a été laissé ; il est parcouru à nouveau',
  'left out, for this program does not know these kinds: {}':
    'laissé de côté, car ce programme ne connaît pas ces types : {}',
  '{} cannot be followed ({}); it is read as any service is':
    '{} ne peut pas être suivi ({}) ; il est lu comme n’importe quel service',
  '{} has another mirror than the one that was followed, or an older state of it: it is read as any service is, so that the history here stays; to follow it, sync into a new file (--db FILE)':
    '{} a un autre miroir que celui qui était suivi, ou un état plus ancien de celui-ci : il est lu comme n’importe quel service, pour que l’historique d’ici soit conservé ; pour le suivre, synchronisez dans un nouveau fichier (--db FICHIER)',
  '{}: {} was taken without "{}", which is {}': '{} : {} a été repris sans « {} », qui est {}',
  'words are analysed without a thread of their own ({})':
    'les mots sont analysés sans fil d’exécution à part ({})',
  'more profiles were updated than the service lists; all of them are asked for':
    'plus de fiches ont été mises à jour que le service n’en liste ; toutes sont demandées',
  ' (another format is taken)': ' (un autre format est pris)',
  '; up to {}, {}, if profiles differ from the datasets':
    ' ; jusqu’à {}, {}, si les fiches diffèrent des jeux de données',
  'about 1 minute': 'environ 1 minute',
  'about {}': 'env. {}',
  'about {} min left': 'encore environ {} min',
  'about {} minutes': 'environ {} minutes',
  'agrees  {}': 'concorde  {}',
  all: 'tout',
  'assumed until a sync has listed it: {}': 'supposé tant qu’aucune synchronisation ne l’a listé : {}',
  'differs: {} missing, {} too many, {} otherwise': 'diffère : {} manquants, {} en trop, {} autrement',
  'failed      {} more addresses (`status --json` lists them)':
    'échec       {} adresses de plus (`status --json` en donne la liste)',
  'failed      {}: {}, {}{}; asked again by the first sync after {} UTC':
    'échec       {} : {}, {}{} ; redemandé par la première synchronisation après {} UTC',
  'left out    "{}" of {}: {}': 'omis        « {} » de {} : {}',
  'less than a minute': 'moins d’une minute',
  'nothing new': 'rien de nouveau',
  once: 'une fois',
  'waiting {} for {}': 'attente de {} : {}',
  '{}  {}': '{}  {}',
  '{} added': '{} ajoutés',
  '{} at {} requests a minute{}': '{} à {} requêtes par minute{}',
  '{} edited': '{} modifiés',
  '{} not seen this time': '{} non vus cette fois',
  '{} profiles': '{} fiches',
  '{} profiles composed': '{} fiches composées',
  '{} requests in {} s ({} s waiting), {} bytes; the mirror is {}':
    '{} requêtes en {} s (dont {} s d’attente), {} octets ; le miroir est {}',
  '{} returned': '{} revenus',
  '{} times in a row': '{} fois de suite',
  '{} unchanged': '{} inchangés',
  '{} withdrawn': '{} retirés',
  '{}, {}': '{}, {}',
  '{}: {} of {}': '{} : {} sur {}',
  '{}: {}, {}': '{} : {}, {}',
  '{}partial: {}': '{}partiel : {}',
  '{}{} held {} fresh  {}': '{}{} détenus {} frais  {}',
  '{}{} in {}': '{}{} en {}',
};
