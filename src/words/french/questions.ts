/** What is said of questions: their parameters, and what they cannot answer. */
export const questions: Record<string, string> = {
  '{} {}': '{} {}',
  'is required': 'est obligatoire',
  'must be given only once': 'ne doit être donné qu’une fois',
  'must not contain the character U+0000': 'ne doit pas contenir le caractère U+0000',
  'must not be empty': 'ne doit pas être vide',
  'must be at most {} characters long': 'doit compter {} caractères au plus',
  'must be a whole number': 'doit être un nombre entier',
  'must be at least {}': 'doit être au moins {}',
  'must be at most {}': 'doit être au plus {}',
  'must be a share such as 0.2 or 20%': 'doit être une part comme 0.2 ou 20%',
  'must be at most 20 values': 'doit compter 20 valeurs au plus',
  'must be a date: 2026-11-01, 2026-11-01T08:00:00Z, or 7d':
    'doit être une date : 2026-11-01, 2026-11-01T08:00:00Z ou 7d',
  'must be one of {}': 'doit être l’un de {}',
  'the mirror answers that: leave --source out': 'le miroir y répond : retirez --source',
  'the service cannot be asked for {}': 'le service ne peut pas être interrogé sur {}',
  'name a moment with --since': 'indiquez un moment avec --since',
  'this mirror was never filled': 'ce miroir n’a jamais été rempli',
  '"{}" are those who sit in no group: they are none, and have no cohesion':
    '« {} » désigne les non-inscrits : ils ne forment pas un groupe et n’ont pas de cohésion',
  'name a group, or none for all of them': 'indiquez un groupe, ou aucun pour les avoir tous',
  'name another group': 'indiquez un autre groupe',
  '"{}" is named twice': '« {} » est nommé deux fois',
  '"{}" and "{}" mean the same group': '« {} » et « {} » désignent le même groupe',
  '{}: a group cannot be compared with itself': '{} : un groupe ne se compare pas à lui-même',
  'the service has no {} "{}"': 'le service n’a rien sous « {1} » ({0})',
  'add --semantic, or ask the mirror': 'ajoutez --semantic, ou interrogez le miroir',
  'the service takes a topic only by meaning': 'le service n’accepte un thème que par le sens',
  'the service has no ballot {} of the chamber {}': 'le service n’a pas de scrutin {} de la chambre {}',
  'AI = (max(Y,N,A) - ((Y+N+A) - max(Y,N,A)) / 2) / (Y+N+A) of each ballot, then the mean (Hix, Noury and Roland 2005)':
    'AI = (max(Y,N,A) - ((Y+N+A) - max(Y,N,A)) / 2) / (Y+N+A) de chaque scrutin, puis la moyenne (Hix, Noury et Roland 2005)',
  '{} is not in the mirror': '{} n’est pas dans le miroir',
  'its history begins at {}: what is older was added then':
    'son historique commence le {} : ce qui est plus ancien a été ajouté alors',
  'seen by this mirror since {}': 'vu par ce miroir depuis le {}',
  'seen by this mirror since {}, until {}': 'vu par ce miroir depuis le {}, jusqu’au {}',
  'left out: no_vote, not_published; presence = n / ballots published; participation = mean of votes cast / members':
    'laissés de côté : no_vote, not_published ; presence = n / scrutins publiés ; participation = moyenne des voix exprimées / membres',
  'n: ballots in which any of the group voted; _over_3: without ballots of three voters or fewer (one voter is 1 by construction)':
    'n : scrutins où au moins un membre du groupe a voté ; _over_3 : sans les scrutins de trois votants ou moins (un seul votant donne 1 par construction)',
  'agreement = same / n; n: ballots in which the source states the position of both':
    'agreement = same / n ; n : scrutins où la source indique la position des deux',
  'left out: not_listed, no_position; majority: the side with more votes, no tie and no motion of censure':
    'laissés de côté : not_listed, no_position ; majority : le côté qui a le plus de voix, hors égalités et motions de censure',
  'listed as {} before: hemicycle history {} {} tells its versions':
    'auparavant sous {} : hemicycle history {} {} donne ses versions',
  '{} {}, as seen by this mirror': '{} {}, tel que ce miroir l’a vu',
  'no {} has the key "{}" in the mirror': 'rien n’a la clé « {1} » dans le miroir ({0})',
  'no ballot {} of the chamber {} is in the mirror':
    'le scrutin {} de la chambre {} n’est pas dans le miroir',
  'leave out --source service, or ask for {}': 'retirez --source service, ou demandez {}',
  "the service's feed has no {}": 'le fil du service ne contient pas : {}',
  'must be GROUP:POSITION, a position being one of {}':
    'doit être GROUPE:POSITION, une position étant l’une de {}',
  'names by "{}" those who sit in no group': 'désigne par « {} » ceux qui ne siègent dans aucun groupe',
  'must name two groups at least, or one and `majority`':
    'doit désigner au moins deux groupes, ou un seul et `majority`',
  'names "{}" twice': 'désigne deux fois « {} »',
  'names one group by "{}" and "{}"': 'désigne le même groupe par « {} » et « {} »',
  'names nothing': 'ne désigne rien',
  'names nothing by "{}"': 'ne désigne rien par « {} »',
  'names several records': 'désigne plusieurs enregistrements',
  'names several records by "{}"': 'désigne plusieurs enregistrements par « {} »',
};
