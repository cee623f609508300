/** What is said of watches. */
export const watching: Record<string, string> = {
  'it is kept, and tried again by a later `hemicycle watch run`':
    'c’est conservé, et retenté par un prochain `hemicycle watch run`',
  'there is no watch named "{}"': 'aucune veille ne s’appelle « {} »',
  '`hemicycle watch list` names them': '`hemicycle watch list` les nomme',
  '{}, {}: {}; given up, see `hemicycle watch list --dead`':
    '{}, {} : {} ; abandonné, voir `hemicycle watch list --dead`',
  '{}, {}: {}': '{}, {} : {}',
  '{} messages were not taken': '{} messages n’ont pas été acceptés',
  '{} watches, {} changes, {} messages told': '{} veilles, {} changements, {} messages transmis',
  '; {} wait': ' ; {} en attente',
  '; {} given up': ' ; {} abandonnés',
  'the watch has no name': 'la veille n’a pas de nom',
  'as in `hemicycle watch add logement search logement --type promise`':
    'comme dans `hemicycle watch add logement search logement --type promise`',
  '"{}" is not a name for a watch': '« {} » n’est pas un nom de veille',
  '--file {}: its ending says neither Atom nor JSON Feed':
    '--file {} : sa terminaison ne dit ni Atom ni JSON Feed',
  'end it with .atom, .xml, .json or .jsonfeed': 'terminez-le par .atom, .xml, .json ou .jsonfeed',
  '--command {}: no list of words in JSON': '--command {} : pas une liste de mots en JSON',
  'name a program, or write its words as ["tee","-a","log.ndjson"]':
    'nommez un programme, ou écrivez ses mots ainsi : `["tee","-a","log.ndjson"]`',
  'is an address of this machine or of a network that the public cannot reach':
    'est une adresse de cette machine ou d’un réseau que le public ne peut pas atteindre',
  'add the watch with --allow-private if it is meant':
    'ajoutez la veille avec --allow-private si c’est voulu',
  'answered {}': 'a répondu {}',
  'redirects ({}), which is not followed': 'redirige ({}), ce qui n’est pas suivi',
  'mail-from: "{}" is no address of mail': 'mail-from : « {} » n’est pas une adresse de courriel',
  'it should look like watches@house.example, or "Hemicycle <watches@house.example>"':
    'elle devrait ressembler à watches@house.example, ou « Hemicycle <watches@house.example> »',
  'smtp-url is not the address of a server of mail': 'smtp-url n’est pas l’adresse d’un serveur de courriel',
  'it should look like smtps://user:password@mail.example:465':
    'elle devrait ressembler à smtps://user:password@mail.example:465',
  'the user or the password in smtp-url holds a % that stands for no character':
    'l’utilisateur ou le mot de passe de smtp-url contient un % qui ne représente aucun caractère',
  'write % as %25': 'écrivez % sous la forme %25',
  'no server of mail is set': 'aucun serveur de courriel n’est défini',
  'set HEMICYCLE_SMTP_URL and HEMICYCLE_MAIL_FROM, or `hemicycle config set smtp-url < FILE` and `hemicycle config set mail-from ADDRESS`':
    'définissez HEMICYCLE_SMTP_URL et HEMICYCLE_MAIL_FROM, ou `hemicycle config set smtp-url < FICHIER` et `hemicycle config set mail-from ADRESSE`',
  '{}: a test': '{} : un essai',
  '--webhook names no web address without a user and a password in it':
    '--webhook ne donne pas d’adresse web sans utilisateur ni mot de passe',
  'as in https://receiver.example/hook': 'comme https://receiver.example/hook',
  '--mail {}: no address of mail': '--mail {} : pas une adresse de courriel',
  'one address for each --mail': 'une adresse par --mail',
  '--secret-file holds no secret of a webhook': '--secret-file ne contient pas de secret de webhook',
  'whsec_ and 24 to 64 bytes in base64; without it one is made':
    'whsec_ et 24 à 64 octets en base64 ; sans lui, un secret est créé',
  'this is the only time that the secret of a webhook is shown; its receiver needs it':
    'c’est la seule fois que le secret d’un webhook est affiché ; son destinataire en a besoin',
  Watches: 'Veilles',
  'Questions that are asked again after each sync, and what was new in their answers. Only who runs this server sees them.':
    'Des questions reposées après chaque synchronisation, et ce qu’il y avait de nouveau dans leurs réponses. Seul qui fait tourner ce serveur les voit.',
  'Nothing new yet.': 'Rien de nouveau encore.',
  'holds watches of a newer Hemicycle': 'contient les veilles d’un Hemicycle plus récent',
  'update the program': 'mettez le programme à jour',
  'did not start: {}': 'n’a pas démarré : {}',
  'was ended by {}': 'a été arrêté par {}',
  'ended with {}': 's’est terminé avec {}',
  'the mirror is another one, or was made anew: what changed before is not known, what comes now is told':
    'le miroir est un autre, ou a été refait : ce qui a changé avant n’est pas connu, ce qui vient sera transmis',
  'the question has more than {} rows, which is more than a watch looks at':
    'la question a plus de {} lignes, plus qu’une veille n’en regarde',
  'narrow it, or watch `changes --kind KIND`': 'précisez-la, ou veillez `changes --kind TYPE`',
  'nothing was ever seen of it': 'rien n’en a jamais été vu',
  'nothing since {}': 'rien depuis {}',
  'a stretch of the moderation log that no sync saw, noticed {}':
    'un intervalle du journal de modération qu’aucune synchronisation n’a vu, remarqué le {}',
  '"{}" is no question that can be watched': '« {} » n’est pas une question que l’on peut veiller',
  'one of {}': 'l’un de : {}',
  '{} needs a value': '{} demande une valeur',
  'a watch of {} takes no {}': 'une veille de {} n’accepte pas {}',
  'a watch looks at the whole answer, from the mirror, and remembers what it has told; `--from DATE` of `watch add` says since when':
    'une veille regarde toute la réponse, du miroir, et se souvient de ce qu’elle a transmis ; `--from DATE` de `watch add` dit depuis quand',
  'silence is watched of a sync or of a kind of record, and for how long':
    'un silence se veille d’une synchronisation ou d’un type d’enregistrement, et sur une durée',
  'as in `silence sync 2d` or `silence content 7d`': 'comme `silence sync 2d` ou `silence content 7d`',
  'there is a watch named {} already': 'une veille s’appelle déjà {}',
  'choose another name, or `hemicycle watch remove {}`':
    'choisissez un autre nom, ou `hemicycle watch remove {}`',
  'the watch {} tells what changes from now on': 'la veille {} transmet ce qui change désormais',
  'the watch {} knows {}, and tells what comes from now on':
    'la veille {} connaît {}, et transmet ce qui vient désormais',
  '`hemicycle watch run` looks and tells, after each sync':
    '`hemicycle watch run` regarde et transmet, après chaque synchronisation',
  '--only {} is no sort of change': '--only {} n’est pas une sorte de changement',
  '--from "{}" is no moment that is past': '--from « {} » n’est pas un moment passé',
  'no message was given up': 'aucun message n’a été abandonné',
  'nothing is watched': 'rien n’est veillé',
  'removed the watch {}': 'la veille {} est supprimée',
  '{}: taken': '{} : accepté',
  'mend the channel, then try again': 'réparez le canal, puis réessayez',
  'the watch has no channel: `serve` shows what it tells':
    'la veille n’a pas de canal : `serve` montre ce qu’elle transmet',
  'the mirror is up to date; its watches have not told all':
    'le miroir est à jour ; ses veilles n’ont pas tout transmis',
};

/** Help of the commands about watches, and the sorts of change that they tell. */
export const helpOfWatches: Record<string, string> = {
  new: 'nouveau',
  gone: 'sorti de la réponse',
  silent: 'silence',
  over: 'fin du silence',
  more: 'autres',
  gap: 'lacune',
  silence: 'silence',
  'keep a question and be told what is new: a feed, a program, a webhook, mail':
    'garder une question et apprendre ce qui est nouveau : fil, programme, webhook, courriel',
  'a channel of a watch did not take a message': 'un canal d’une veille n’a pas accepté un message',
  'keep a question, and tell what is new in its answer from now on':
    'garder une question, et transmettre désormais ce qui est nouveau dans sa réponse',
  'Promises about housing, as a feed for a reader': 'Les promesses sur le logement, en fil pour un lecteur',
  'All that changes of one politician, handed to a program as JSON':
    'Tout ce qui change d’un responsable politique, remis à un programme en JSON',
  'What a party and its members withdraw': 'Ce qu’un parti et ses membres retirent',
  'That nothing was synced for two days': 'Que rien n’a été synchronisé depuis deux jours',
  'name of the watch: letters, digits, dots, hyphens and underscores':
    'nom de la veille : lettres, chiffres, points, traits d’union et tirets bas',
  'a question, as it is typed': 'une question, telle qu’on la tape',
  'write a feed: Atom (.atom, .xml) or JSON Feed (.json, .jsonfeed)':
    'écrire un fil : Atom (.atom, .xml) ou JSON Feed (.json, .jsonfeed)',
  'start a program with the message as JSON on its standard input; its words as ["a","b"]':
    'lancer un programme avec le message en JSON sur son entrée standard ; ses mots ainsi : `["a","b"]`',
  'post the message to an address, signed as Standard Webhooks has it; the secret is printed once':
    'poster le message à une adresse, signé comme Standard Webhooks ; le secret est affiché une fois',
  'a file with the secret of the webhooks (whsec_…; - for stdin)':
    'un fichier avec le secret des webhooks (whsec_… ; - pour l’entrée standard)',
  'let the webhooks be on this machine or a private network':
    'permettre des webhooks sur cette machine ou un réseau privé',
  'send a mail, by the server that `smtp-url` and `mail-from` set':
    'envoyer un courriel, par le serveur que définissent `smtp-url` et `mail-from`',
  'To a program on the web, signed; its secret goes into a file':
    'À un programme sur le web, signé ; son secret va dans un fichier',
  'server that takes the mail of watches: smtps://user:password@mail.example:465':
    'serveur qui prend le courriel des veilles : smtps://user:password@mail.example:465',
  'address in whose name watches send mail': 'adresse au nom de laquelle les veilles envoient du courriel',
  'show what the watches of the mirror told, under /watches; by default only where nobody else can ask':
    'montrer ce que les veilles du miroir ont transmis, sous /watches ; par défaut seulement là où personne d’autre ne peut demander',
  'sorts of change to tell: added, new, edited, withdrawn, gone, returned, renamed, silent, over':
    'sortes de changement à transmettre : added, new, edited, withdrawn, gone, returned, renamed, silent, over',
  'a message for each run, or one for each day that is over (UTC)':
    'un message par exécution, ou un par jour écoulé (UTC)',
  'tell what is new since that day or moment, or 7d ago; since now by default':
    'transmettre ce qui est nouveau depuis ce jour ou ce moment, ou depuis 7d ; depuis maintenant par défaut',
  'The words behind NAME are a question as it is typed: `search`, `ballots`, `feed`, `changes`, `politicians SLUG`… Beside them: `silence sync 2d`, `silence content 7d`, and `gaps` for stretches of the moderation log that no sync saw.':
    'Les mots après NAME sont une question telle qu’on la tape : `search`, `ballots`, `feed`, `changes`, `politicians SLUG`… Et aussi : `silence sync 2d`, `silence content 7d`, et `gaps` pour les intervalles du journal de modération qu’aucune synchronisation n’a vus.',
  'What there is already is learnt and not told. Each change is told once in each channel, by `watch run`.':
    'Ce qui est déjà là est appris et non transmis. Chaque changement est transmis une fois par canal, par `watch run`.',
  'list the watches, where each tells, and what waits':
    'lister les veilles, où chacune transmet, et ce qui attend',
  'What is watched': 'Ce qui est veillé',
  'Messages that nobody took, and why': 'Les messages que personne n’a acceptés, et pourquoi',
  'the messages that were given up, and why': 'les messages abandonnés, et pourquoi',
  'remove a watch, with what it was still to tell':
    'supprimer une veille, avec ce qu’elle devait encore transmettre',
  'No longer of interest': 'Plus d’intérêt',
  'have the watches look at the mirror, and tell what is new':
    'faire regarder le miroir par les veilles, et transmettre ce qui est nouveau',
  'Made for cron, after a sync; nothing is asked of the service. What was not taken is tried again by a later run: after 1 and 5 minutes, half an hour, 2, 5, 10 and 10 hours; then it is given up, listed by `watch list --dead`. Whatever ends a run, each change is told once in each channel: a message that is sent again has the same id.':
    'Fait pour cron, après une synchronisation ; rien n’est demandé au service. Ce qui n’a pas été accepté est retenté par une exécution suivante : après 1 et 5 minutes, une demi-heure, 2, 5, 10 et 10 heures ; puis c’est abandonné, et listé par `watch list --dead`. Quoi qui arrête une exécution, chaque changement est transmis une fois par canal : un message renvoyé a le même identifiant.',
  'Every night': 'Chaque nuit',
  'What waits, from cron every five minutes': 'Ce qui attend, par cron toutes les cinq minutes',
  'Send again what nobody took': 'Renvoyer ce que personne n’a accepté',
  'try once more what was given up': 'retenter ce qui a été abandonné',
  'send a message of type watch.test through every channel of a watch, now':
    'envoyer maintenant un message de type watch.test par chaque canal d’une veille',
  'It holds what the watch told last; nothing is marked as told.':
    'Il contient ce que la veille a transmis en dernier ; rien n’est marqué comme transmis.',
  'Does it arrive?': 'Est-ce que ça arrive ?',
  'then have the watches tell what is new': 'faire ensuite transmettre par les veilles ce qui est nouveau',
};
