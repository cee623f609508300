/** What is said of the mirror's file and of what it holds. */
export const store: Record<string, string> = {
  '`hemicycle sync --full` downloads it again': '`hemicycle sync --full` le retélécharge',
  'the kept download of the dataset {} is damaged':
    'le téléchargement conservé du jeu de données {} est endommagé',
  'is another file, while the former one is still being read':
    'est un autre fichier, alors que l’ancien est encore lu',
  'move {}-wal and {}-shm away, to where that file is now, or remove them':
    'déplacez {}-wal et {}-shm là où ce fichier se trouve maintenant, ou supprimez-les',
  'was put beside the log of the file that stood here before':
    'a été placé à côté du journal du fichier qui se trouvait ici auparavant',
  'this mirror had seen no {} "{}" at {}': 'ce miroir n’avait rien vu sous « {1} » ({0}) à {2}',
  'this mirror has never seen a {} "{}"': 'ce miroir n’a jamais rien vu sous « {1} » ({0})',
  'cannot be locked: its file system gives no locks, as network folders without a lock service do (ENOLCK)':
    'impossible à verrouiller : son système de fichiers ne donne pas de verrous, comme les dossiers réseau sans service de verrous (ENOLCK)',
  'is damaged and cannot be removed ({})': 'est endommagé et ne peut pas être supprimé ({})',
  'it is only the lock of the mirror beside it, which is untouched; remove it':
    'ce n’est que le verrou du miroir voisin, qui est intact ; supprimez-le',
  'keep the mirror on a disk of this machine (--db), or mount the folder with locks; no other run holds it':
    'gardez le miroir sur un disque de cette machine (--db), ou montez le dossier avec des verrous ; aucune autre exécution ne le tient',
  'was not written as a whole': 'n’a pas été écrit en entier',
  'cannot be read ({})': 'impossible à lire ({})',
  'is an SQLite file, but not a mirror': 'est un fichier SQLite, mais pas un miroir',
  'is not an SQLite file': 'n’est pas un fichier SQLite',
  'update with `npm i -g hemicycle`; nothing was written':
    'mettez à jour avec `npm i -g hemicycle` ; rien n’a été écrit',
  'was written by a newer Hemicycle (schema {}, this one knows {})':
    'a été écrit par une version plus récente d’Hemicycle (schéma {}, celle-ci connaît {})',
  'can no longer be reached ({})': 'est devenu inaccessible ({})',
  'cannot be opened': 'impossible à ouvrir',
  'cannot be written: it is read-only': 'impossible à écrire : il est en lecture seule',
  'cannot be written: it is read-only ({})': 'impossible à écrire : il est en lecture seule ({})',
  'is another file now: it was replaced while it was written':
    'est maintenant un autre fichier : il a été remplacé pendant l’écriture',
  'is being written by another program': 'est en cours d’écriture par un autre programme',
  'is damaged': 'est endommagé',
  'is gone: it was deleted, moved or unmounted while it was written':
    'a disparu : il a été supprimé, déplacé ou démonté pendant l’écriture',
  'the disk refused to read or write': 'le disque a refusé de lire ou d’écrire',
  'what this run saved is in the file that stood there before; put that back, or run the same command again to fill the one that stands there now':
    'ce que cette exécution a enregistré est dans le fichier qui se trouvait là auparavant ; remettez-le en place, ou relancez la même commande pour remplir celui qui s’y trouve maintenant',
  '{} ({})': '{} ({})',
  'look for one with `hemicycle search` or list them with `hemicycle {}`':
    'cherchez avec `hemicycle search`, ou affichez la liste avec `hemicycle {}`',
  'no {} is called "{}" in the mirror': 'rien ne s’appelle « {1} » dans le miroir ({0})',
  'no group is called "{}" in the ballots of this mirror':
    'aucun groupe ne s’appelle « {} » dans les scrutins de ce miroir',
  '{} has voted in no ballot of this mirror': '{} n’a voté dans aucun scrutin de ce miroir',
  'there is {}': 'il y a {}',
  'there are {}': 'il y a {}',
  'cannot be locked ({}: {})': 'impossible à verrouiller ({} : {})',
  'cannot be opened ({})': 'impossible à ouvrir ({})',
  'changes while it is copied to be read, and its folder, where SQLite would have to write, is read-only':
    'change pendant qu’il est copié pour être lu, et son dossier, où SQLite devrait écrire, est en lecture seule',
  'has changes in the log beside it (-wal), which cannot be read without writing there':
    'a des changements dans le journal voisin (-wal), illisibles sans y écrire',
  'its folder cannot be made ({})': 'son dossier ne peut pas être créé ({})',
  'let its owner run `hemicycle status` there, and others read all of its files, -wal and -shm included':
    'que son propriétaire y lance `hemicycle status`, et que les autres puissent lire tous ses fichiers, -wal et -shm compris',
  'take it from next_cursor, with the same sort, or leave it out':
    'reprenez-le de next_cursor, avec le même tri, ou retirez-le',
  'the cursor is not one of this list': 'le curseur n’est pas un curseur de cette liste',
  'name a later --as-of, or a mirror that is older with --db':
    'indiquez un --as-of plus tardif, ou un miroir plus ancien avec --db',
  'name a moment up to {} with --as-of; if the clock of this machine is right, `hemicycle sync --accept-clock` mends the mirror':
    'indiquez avec --as-of un moment jusqu’à {} ; si l’horloge de cette machine est juste, `hemicycle sync --accept-clock` répare le miroir',
  none: 'aucun',
  'this mirror holds moments that are still to come ({}), for a clock was wrong: what it held at {} it cannot know':
    'ce miroir contient des moments encore à venir ({}), car une horloge était fausse : il ne peut pas savoir ce qu’il contenait à {}',
  'this mirror saw its first record at {}; what the service said at {} it cannot know':
    'ce miroir a vu son premier enregistrement à {} ; il ne peut pas savoir ce que le service disait à {}',
  'this mirror saw its first {} at {}; what the service had at {} it cannot know':
    'ce miroir a vu son premier enregistrement de ce type ({}) à {} ; il ne peut pas savoir ce que le service avait à {}',
  '"{}" is no moment': '« {} » n’est pas un moment',
  'its document is no JSON object': 'son document n’est pas un objet JSON',
  'name a file of its own for another service with --db FILE; if the service of this mirror has moved to that address, say so with --moved':
    'indiquez pour un autre service un fichier à lui avec --db FICHIER ; si le service de ce miroir a déménagé à cette adresse, dites-le avec --moved',
  '{} holds the records of {}, and {} is another address; nothing was asked or saved':
    '{} contient les enregistrements de {}, et {} est une autre adresse ; rien n’a été demandé ni enregistré',
  'make room there, or set XDG_STATE_HOME to a folder on another disk; the service was not asked':
    'libérez-y de la place, ou définissez XDG_STATE_HOME sur un dossier d’un autre disque ; le service n’a pas été interrogé',
  'the disk is full': 'le disque est plein',
  'the record {}:{}': 'l’enregistrement {}:{}',
  '"{}*" was left out: a beginning needs {} letters':
    '« {}* » a été laissé de côté : un début de mot doit compter {} lettres',
  'is not a cursor of this list': 'n’est pas un curseur de cette liste',
  'is before {}, when this mirror saw its first record':
    'est avant le {}, quand ce miroir a vu son premier enregistrement',
  'is a moment at which this mirror cannot know what it held: a clock was wrong':
    'est un moment dont ce miroir ne peut pas savoir ce qu’il contenait : une horloge était fausse',
  'is before {}, when this mirror saw its first {}':
    'est avant le {}, quand ce miroir a vu son premier enregistrement de ce type ({})',
  'there is no word to look for: what is left out and filters find nothing alone':
    'il n’y a aucun mot à chercher : exclusions et filtres ne trouvent rien à eux seuls',
  'the list ends here, not what was found: of so many only the newest are told; another word or until: finds others':
    'la liste s’arrête ici, mais d’autres résultats existent : d’un si grand nombre, seuls les plus récents sont donnés ; un mot de plus ou `until:` en trouve d’autres',
  'no kind is left to search': 'il ne reste aucun type où chercher',
  'there is no word to look for': 'il n’y a aucun mot à chercher',
  '{} was left out: nothing follows it': '{} a été laissé de côté : rien ne le suit',
  '-{}:{} names {}, and leaves nothing out': '-{}:{} ne désigne {} et n’exclut rien',
  'party:{} is {}': 'party:{} désigne {}',
  '{}:{} names {}, and was searched as words': '{}:{} ne désigne {} et a été cherché comme mots',
  'no text is filed under {}; its members sit in {}':
    'aucun texte n’est classé sous {}\u00a0; ses membres siègent dans {}',
  'no kind that is searched': 'aucun type où l’on cherche',
  'no one party': 'aucun parti précis',
  'no one politician': 'aucun responsable politique précis',
  'no day, month or year': 'ni jour, ni mois, ni année',
};
