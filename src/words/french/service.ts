/** What is said of the service and of the way to it. */
export const service: Record<string, string> = {
  'answered a part (206), although all of it was asked for':
    'a répondu une partie (206), alors que le tout était demandé',
  'answered {}{}': 'a répondu {}{}',
  'the answer is JSON that ends too early': 'la réponse est du JSON qui s’arrête trop tôt',
  'the answer is a web page (HTML), not JSON': 'la réponse est une page web (HTML), pas du JSON',
  'the answer is empty': 'la réponse est vide',
  'the answer is larger than {} bytes': 'la réponse dépasse {} octets',
  'the answer is not JSON: it begins with {}': 'la réponse n’est pas du JSON : elle commence par {}',
  'the answer is not UTF-8 text': 'la réponse n’est pas du texte UTF-8',
  'check that `embeddings-url` names an OpenAI-compatible /v1/embeddings, and `embeddings-model` a model of it':
    'vérifiez que `embeddings-url` désigne un /v1/embeddings compatible avec OpenAI, et `embeddings-model` un de ses modèles',
  'the answer does not hold {} vectors of one length':
    'la réponse ne contient pas {} vecteurs d’une même longueur',
  'cannot be written ({})': 'impossible à écrire ({})',
  'choose another disk with --db': 'choisissez un autre disque avec --db',
  'connecting took too long': 'la connexion a pris trop de temps',
  'its certificate is not trusted ({}); NODE_EXTRA_CA_CERTS=FILE adds an authority':
    'son certificat n’est pas reconnu ({}) ; NODE_EXTRA_CA_CERTS=FICHIER ajoute une autorité',
  'the answer came too slowly': 'la réponse est venue trop lentement',
  'the answer ended too early': 'la réponse s’est arrêtée trop tôt',
  'the answer ends too early': 'la réponse s’arrête trop tôt',
  'the answer stopped coming': 'la réponse a cessé de venir',
  'the answer took too long': 'la réponse a pris trop de temps',
  'the compressed answer ended too early': 'la réponse compressée s’est arrêtée trop tôt',
  'the compressed answer is damaged': 'la réponse compressée est endommagée',
  'the connection was cut': 'la connexion a été coupée',
  'the connection was refused': 'la connexion a été refusée',
  'the host cannot be reached': 'l’hôte est injoignable',
  'the host name cannot be looked up now': 'le nom d’hôte ne peut pas être résolu pour l’instant',
  'the network cannot be reached': 'le réseau est injoignable',
  'the whole answer took too long': 'la réponse entière a pris trop de temps',
  'there is no such host': 'cet hôte n’existe pas',
  'names {} as the next page, which holds no cursor':
    'donne {} pour page suivante, où il n’y a pas de curseur',
  'the cursor {} came twice; the walk was stopped':
    'le curseur {} est venu deux fois ; le parcours a été arrêté',
  'the same page came twice; the walk was stopped':
    'la même page est venue deux fois ; le parcours a été arrêté',
  '{} pages in a row held nothing that had not come before; the walk was stopped':
    '{} pages de suite n’ont rien apporté de nouveau ; le parcours a été arrêté',
  'the answer is about "{}"': 'la réponse porte sur « {} »',
  'the answer holds no list: neither an array nor one under items, data or results':
    'la réponse ne contient pas de liste : ni tableau, ni liste sous items, data ou results',
  'the answer is not a record': 'la réponse n’est pas un enregistrement',
  'the answer states nothing of a {}: {}': 'la réponse ne dit rien d’un enregistrement de type {} : {}',
  'the list holds {}, which is not a record': 'la liste contient {}, qui n’est pas un enregistrement',
  'a list': 'une liste',
  'HTTP_PROXY or HTTPS_PROXY does not name a proxy that can be used':
    'HTTP_PROXY ou HTTPS_PROXY ne désigne pas un proxy utilisable',
  'redirects in a circle': 'redirige en boucle',
  'redirects to what is no web address': 'redirige vers ce qui n’est pas une adresse web',
  'redirects to {}, where nothing is to be sent': 'redirige vers {}, où rien ne doit être envoyé',
  'redirects to {}, where the token must not go': 'redirige vers {}, où le jeton ne doit pas aller',
  'the answer is compressed as "{}", which was not asked for':
    'la réponse est compressée en « {} », ce qui n’était pas demandé',
  'write http://proxy.example:3128, or http://user:password@proxy.example:3128':
    'écrivez http://proxy.example:3128 ou http://user:password@proxy.example:3128',
};
