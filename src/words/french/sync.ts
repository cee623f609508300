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
};
