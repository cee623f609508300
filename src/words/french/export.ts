/** What is said of files: exports, their verification, what is read from files and written to them. */
export const exporting: Record<string, string> = {
  '--all is every dataset, and some are named':
    '--all désigne tous les jeux de données, et certains sont nommés',
  'there is no metadata called "{}"': 'il n’existe pas de métadonnées nommées « {} »',
  'name one of {}, or all': 'indiquez l’un de {}, ou all',
  '--metadata is for a folder or an SQLite file': '--metadata vaut pour un dossier ou un fichier SQLite',
  'name one: -o out/, or --sqlite facts.db': 'nommez-en un : -o sortie/, ou --sqlite faits.db',
  '--metadata {} is for CSV files in a folder': '--metadata {} vaut pour des fichiers CSV dans un dossier',
  '--metadata {} is not for this export': '--metadata {} ne vaut pas pour cet export',
  '{} have no class in Popolo': '{} n’ont pas de classe dans Popolo',
  'those that have: {}': 'ceux qui en ont une : {}',
  '--{} is not for Popolo': '--{} ne vaut pas pour Popolo',
  'Popolo is one file of JSON': 'Popolo est un seul fichier JSON',
  'name it: -o popolo.json': 'nommez-le : -o popolo.json',
  '--schema is for --postgres and --ddl': '--schema vaut pour --postgres et --ddl',
  'leave it out, or name the database: --postgres URL':
    'retirez cette option, ou nommez la base : --postgres URL',
  '--no-header is for CSV': '--no-header vaut pour le CSV',
  '--{} compares with the export before, and of what went to stdout there is none':
    '--{} compare avec l’export précédent, et de ce qui est allé sur la sortie standard il n’y en a pas',
  'leave it out, or name a place with -o': 'retirez cette option, ou nommez un lieu avec -o',
  '--max-shrink is for whole tables: how many rows changed since then says nothing of a loss':
    '--max-shrink vaut pour des tableaux entiers : le nombre de lignes changées depuis ne dit rien d’une perte',
  '--bom is for CSV': '--bom vaut pour le CSV',
  '--french-headers is for CSV and workbooks': '--french-headers vaut pour le CSV et les classeurs',
  '--{} is not for a workbook': '--{} ne vaut pas pour un classeur',
  'a workbook is one file, with a sheet for each table':
    'un classeur est un seul fichier, avec une feuille par tableau',
  'leave it out': 'retirez cette option',
  'warning: {}: {} values of {} are not of its type ({}), kept as they came':
    'attention : {} : {} valeurs de {} ne sont pas de son type ({}), gardées telles quelles',
  'warning: {}: {} values of {} are not of its type ({}), kept in {}':
    'attention : {} : {} valeurs de {} ne sont pas de son type ({}), gardées dans {}',
  '{}: {}: {} cells were cut to the 32,767 characters that a cell holds':
    '{} : {} : {} cellules ont été coupées aux 32 767 caractères qu’une cellule peut contenir',
  'name it: -o data.xlsx': 'nommez-le : -o donnees.xlsx',
  '--excel-fr and --spreadsheet-safe are for CSV': '--excel-fr et --spreadsheet-safe valent pour le CSV',
  '--since "{}" is not a date': '--since « {} » n’est pas une date',
  'Parquet is compressed within': 'Parquet est déjà compressé',
  'SOURCE_DATE_EPOCH "{}" is not a number of seconds since 1970':
    'SOURCE_DATE_EPOCH « {} » n’est pas un nombre de secondes depuis 1970',
  'an SQLite file cannot be written to stdout':
    'un fichier SQLite ne peut pas être écrit sur la sortie standard',
  'call it .csv, .ndjson, .parquet, .csv.gz, .csv.zst, .ndjson.gz or .ndjson.zst':
    'terminez son nom par .csv, .ndjson, .parquet, .csv.gz, .csv.zst, .ndjson.gz ou .ndjson.zst',
  'call it .{}, or leave out --format': 'terminez son nom par .{}, ou retirez --format',
  'call it .{}, or leave out --verbatim': 'terminez son nom par .{}, ou retirez --verbatim',
  'call the file .parquet': 'terminez le nom du fichier par .parquet',
  'for an SQLite file: --sqlite {}': 'pour un fichier SQLite : --sqlite {}',
  'it is the mirror that would be exported': 'c’est le miroir à exporter',
  'leave out --format': 'retirez --format',
  'name a file, or a folder with a / at its end': 'indiquez un fichier, ou un dossier suivi de /',
  'name a file: --sqlite facts.db': 'indiquez un fichier : --sqlite faits.db',
  'name one of {}, or --all': 'indiquez l’un de {}, ou --all',
  'no dataset is named': 'aucun jeu de données n’est indiqué',
  'several datasets go into a folder: -o DIR/':
    'plusieurs jeux de données vont dans un dossier : -o DOSSIER/',
  'stdout takes one dataset': 'la sortie standard ne reçoit qu’un jeu de données',
  'the bytes of the service are not for a terminal':
    'les octets du service ne sont pas faits pour un terminal',
  'the bytes of Parquet are not for a terminal': 'les octets de Parquet ne sont pas faits pour un terminal',
  'write 2026-11-01, or 7d': 'écrivez 2026-11-01 ou 7d',
  'write several into a folder with -o DIR/': 'écrivez-en plusieurs dans un dossier avec -o DOSSIER/',
  'write them into a file with -o {}.{}, or into a pipe':
    'écrivez-les dans un fichier avec -o {}.{}, ou dans un tube',
  '{} is empty': '{} est vide',
  '{} is one file': '{} est un seul fichier',
  '{} would hold {}': '{} contiendrait du {}',
  '{} would hold {}, which its name does not say': '{} contiendrait du {}, ce que son nom ne dit pas',
  '{} would not hold the bytes of the service': '{} ne contiendrait pas les octets du service',
  '{}: the first export of changes there: all rows, as added':
    '{} : premier export de changements à cet endroit : toutes les lignes, comme ajoutées',
  '{} would hold an SQLite file, which its name does not say':
    '{} contiendrait un fichier SQLite, ce que son nom ne dit pas',
  'call it .db or .sqlite; or use -o for another format':
    'terminez son nom par .db ou .sqlite, ou prenez -o pour un autre format',
  'not with the columns {}, which the export before had':
    'sans les colonnes {}, que l’export précédent avait',
  '{}: {}, which says what it should be, cannot be read':
    '{} : impossible de lire {}, qui dit ce qu’il devrait être',
  'name a file that `hemicycle export … -o FILE` wrote, with what stands beside it':
    'indiquez un fichier écrit par `hemicycle export … -o FICHIER`, avec ce qui se trouve à côté',
  'it is not a folder': 'ce n’est pas un dossier',
  'it holds files that no export of the folder wrote, and that this one would replace: {}':
    'il contient des fichiers qu’aucun export du dossier n’a écrits et que celui-ci remplacerait : {}',
  'move them, or export into another folder': 'déplacez-les, ou exportez dans un autre dossier',
  'not in this export, where the export before had {} rows of it':
    'absent de cet export, alors que le précédent en avait {} lignes',
  '{} rows, where the export before had {}': '{} lignes, alors que l’export précédent en avait {}',
  '{}: not exported; {}': '{} : non exporté ; {}',
  'a table has one column of each name': 'une table n’a qu’une colonne de chaque nom',
  'column "{}" is named twice': 'la colonne « {} » est nommée deux fois',
  'columns: {}': 'colonnes : {}',
  'leave out --attribution-column, or choose other columns with --columns':
    'retirez --attribution-column, ou choisissez d’autres colonnes avec --columns',
  '{} have a column "attribution" already': '{} : il y a déjà une colonne « attribution »',
  '{} have no column "{}"': '{} : il n’y a pas de colonne « {} »',
  'name one of {}': 'indiquez l’un de {}',
  'there is no dataset called "{}"': 'aucun jeu de données ne s’appelle « {} »',
  'those that can: {}': 'ceux qui le peuvent : {}',
  '{} cannot be chosen by {}': '{} : pas de choix possible par {}',
  'datasets: {}': 'jeux de données : {}',
  'leave out --format, and call a file {}.{}; or leave out --verbatim':
    'retirez --format et nommez le fichier {}.{} ; ou retirez --verbatim',
  '{} cannot be exported verbatim: the service sends no such dataset':
    '{} : pas d’export à l’identique possible, le service n’envoie pas ce jeu de données',
  '{} were downloaded as {}: verbatim, they cannot be had as {}':
    '{} : téléchargé en {} ; à l’identique, ce n’est pas disponible en {}',
  'name a folder that `hemicycle export … -o DIR/` wrote':
    'indiquez un dossier écrit par `hemicycle export … -o DOSSIER/`',
  '{}: SHA256SUMS cannot be read: {}': '{} : impossible de lire SHA256SUMS : {}',
  'it is a folder': 'c’est un dossier',
  'it is a symbolic link': 'c’est un lien symbolique',
  'it is not a regular file': 'ce n’est pas un fichier ordinaire',
  'it names a folder': 'cela désigne un dossier',
  'its parent is not a folder': 'son parent n’est pas un dossier',
  'holds no header line': 'ne contient pas de ligne d’en-tête',
  'is not UTF-8 text': 'n’est pas du texte UTF-8',
  'is not UTF-8 text: byte {} of that row is 0x{}':
    'n’est pas du texte UTF-8 : l’octet {} de cette ligne est 0x{}',
  'a list that a spreadsheet wrote may be read with --encoding windows-1252, and keeps its bytes; nothing was changed':
    'une liste écrite par un tableur se lit peut-être avec --encoding windows-1252, et garde ses octets ; rien n’a été modifié',
  'text in UTF-16 without a byte order mark is read with --encoding utf-16le; save a workbook as CSV first':
    'du texte en UTF-16 sans indicateur d’ordre des octets se lit avec --encoding utf-16le ; enregistrez d’abord un classeur en CSV',
  'is not {} text (near byte {})': 'n’est pas du texte {} (vers l’octet {})',
  '--encoding names another one: {}': '--encoding en nomme un autre : {}',
  '{} has letters that {} does not have': '{} a des lettres que {} n’a pas',
  'make the list one in UTF-8 first: iconv -f {} -t UTF-8 FILE':
    'faites d’abord de la liste une liste en UTF-8 : iconv -f {} -t UTF-8 FICHIER',
  'not CSV ({})': 'ce n’est pas du CSV ({})',
  'not JSON ({})': 'ce n’est pas du JSON ({})',
  'not a record: a line must hold one JSON object':
    'ce n’est pas un enregistrement : une ligne doit contenir un objet JSON',
  'cannot be read on from here ({})': 'impossible de lire plus loin ({})',
  'not a whole Parquet file ({})': 'ce n’est pas un fichier Parquet entier ({})',
  'the record is longer than 16 MB, the most that is read; nothing of the file was taken in':
    'l’enregistrement dépasse 16 Mo, le maximum lu ; rien du fichier n’a été repris',
  'a part of the path is not a folder': 'une partie du chemin n’est pas un dossier',
  'no space left on the device': 'il n’y a plus de place sur le disque',
  'operation not permitted': 'opération non permise',
  'permission denied': 'permission refusée',
  'something else is there already': 'autre chose s’y trouve déjà',
  'the device failed': 'le périphérique a fait défaut',
  'the disk quota is used up': 'le quota de disque est épuisé',
  'the file system is read-only': 'le système de fichiers est en lecture seule',
  'the file would be larger than the system allows':
    'le fichier serait plus grand que le système ne le permet',
  'the folder does not exist': 'le dossier n’existe pas',
  'the name is too long': 'le nom est trop long',
  'too many symbolic links': 'trop de liens symboliques',
  'what stands there is not whole; make room for it, or write it elsewhere':
    'ce qui s’y trouve n’est pas entier ; libérez de la place, ou écrivez ailleurs',
  'an export was ended between two of its files: the next one into this folder begins with finishing it':
    'un export s’est arrêté entre deux de ses fichiers : le prochain dans ce dossier commencera par le terminer',
  'it is a link to nothing': 'c’est un lien vers rien',
  '{} in it is a folder': '{}, à l’intérieur, est un dossier',
  '{}:{}, row {}': '{}:{}, ligne de données {}',
  'standard output': 'la sortie standard',
  '--releases goes into a folder': '--releases va dans un dossier',
  '--releases goes into a folder, and {} is a file': '--releases va dans un dossier, et {} est un fichier',
  'name a folder: -o releases/': 'indiquez un dossier : -o versions/',
  'name one: -o releases/': 'indiquez-en un : -o versions/',
  'it holds an export itself': 'il contient lui-même un export',
  'move it away': 'déplacez-le',
  'name another folder for releases': 'indiquez un autre dossier pour les versions',
  "{} in it is none of an export's": '{}, à l’intérieur, ne vient d’aucun export',
  '--changed-since "{}" is not a date': '--changed-since « {} » n’est pas une date',
  'name a moment, as --changed-since 7d; or a place with -o':
    'indiquez un moment, comme --changed-since 7d ; ou un emplacement avec -o',
  'of what went to stdout nothing is noted, so that there is no last time':
    'rien n’est noté de ce qui est allé à la sortie standard, il n’y a donc pas de dernière fois',
  'write last, 2026-11-01, or 7d': 'écrivez last, 2026-11-01 ou 7d',
  'it holds a whole export, which changes alone would replace':
    'il contient un export entier, que de simples changements remplaceraient',
  'it holds exports of what changed': 'il contient des exports de changements',
  'name another place for a whole one, or remove {}':
    'indiquez un autre emplacement pour un export entier, ou supprimez {}',
  'name another place for changes, such as -o changes/':
    'indiquez un autre emplacement pour les changements, comme -o changements/',

  'mend that line; what was written to a file with -o is gone, and nothing else was changed':
    'corrigez cette ligne ; ce qui a été écrit dans un fichier avec -o est supprimé, et rien d’autre n’a changé',
  'not CSV in UTF-8: it holds U+0000, as UTF-16 and spreadsheets do':
    'n’est pas du CSV en UTF-8 : il contient U+0000, comme l’UTF-16 et les classeurs',
  'a quote that opens there is never closed': 'un guillemet s’y ouvre et n’est jamais fermé',
  'has {} cells, and the header {}': 'a {} cellules, et l’en-tête {}',
  'the table has no column "{}"': 'le tableau n’a pas de colonne « {} »',
  'it has {}': 'il a {}',
  'the table has a column {} already': 'le tableau a déjà une colonne {}',
  '--prefix matched_ puts that before the names of the new ones':
    '--prefix matched_ met cela devant les noms des nouvelles',

  '--partition goes into a folder': '--partition écrit dans un dossier',
  'name one: -o parts/': 'indiquez-en un : -o parties/',
  '--postgres is not the address of a database': '--postgres n’est pas l’adresse d’une base de données',
  'write postgres://USER@HOST/DATABASE; the password from PGPASSWORD or ~/.pgpass':
    'écrivez postgres://UTILISATEUR@HÔTE/BASE ; le mot de passe vient de PGPASSWORD ou de ~/.pgpass',
  'nothing was written: an export into a database is all done, or not at all':
    'rien n’a été écrit : un export vers une base de données se fait en entier ou pas du tout',
  'the schema {} holds what no export of Hemicycle made, under names that this one takes: {}':
    'le schéma {} contient ce qu’aucun export d’Hemicycle n’a fait, sous des noms que celui-ci prend : {}',
  'nothing was written; rename those, or name another schema with --schema':
    'rien n’a été écrit ; renommez-les, ou indiquez un autre schéma avec --schema',
  'wait for it to end, and run this again': 'attendez qu’il se termine, puis relancez la commande',
  '{}: {}.{}: {} rows, {} written, {} removed': '{} : {}.{} : {} lignes, {} écrites, {} retirées',
  'warning: {}: {} values of {} cannot stand there as they came, kept in {}':
    'avertissement : {} : {} valeurs de {} ne peuvent pas y figurer telles qu’elles sont venues, conservées dans {}',
};
