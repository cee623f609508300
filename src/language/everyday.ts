/**
 * What people say, by lines, and what laws, programmes and debates call it: an everyday word, and the terms that texts of
 * politics have in its place. It leads from the first to the others only.
 */
export const everydayWords = `
  toubib médecin praticien
  docteur médecin praticien
  médecin praticien généraliste
  infirmier soignant paramédical
  soigner soin patient
  ehpad senior retraité
  senior âgé ehpad
  bébé nourrisson crèche
  crèche enfance nourrice
  gamin enfant mineur
  adolescent mineur jeune
  élève scolaire lycéen collégien
  écolier élève scolaire
  instituteur enseignant professeur
  prof enseignant professeur
  cantine restauration repas
  réfectoire cantine restauration
  devoir scolaire soutien
  bagnole voiture véhicule
  auto voiture véhicule
  essence carburant
  gasoil carburant
  bus autobus transport
  métro transport tramway
  tram tramway transport
  bicyclette vélo cyclable
  trottoir piéton voirie
  parking stationnement
  garer stationnement
  embouteillage circulation trafic
  flic policier police
  gendarme gendarmerie policier
  voyou délinquant délinquance
  délinquant délinquance délit
  voleur vol cambriolage
  insécurité délinquance sécurité
  cambriolage vol effraction
  dealer trafic stupéfiant narcotrafic
  cannabis stupéfiant drogue
  caméra vidéosurveillance vidéoprotection
  vidéosurveillance vidéoprotection caméra
  cellule détention pénitentiaire
  détenu pénitentiaire détention prison
  prisonnier détenu détention
  terroriste terrorisme attentat
  attentat terrorisme terroriste
  migrant immigration asile
  réfugié asile migrant
  clandestin irrégulier immigration
  papiers titre séjour
  expulser éloignement expulsion
  chômeur chômage demandeur
  boulot emploi travail
  embauche recrutement emploi
  embaucher recruter recrutement
  licencier licenciement
  démission démissionner
  smic salaire minimum
  patron employeur dirigeant
  ouvrier salarié travailleur
  salarié travailleur employé
  syndicat syndical
  riche fortune patrimoine
  milliardaire fortune patrimoine
  fortune patrimoine
  pauvre pauvreté précarité
  précarité pauvreté
  misère pauvreté précarité
  héritage succession donation
  fraudeur fraude évasion
  tricher fraude
  cotisation charge social
  aide allocation prestation
  allocation prestation
  retraite pension
  pension retraite
  économie épargne croissance
  cherté prix inflation
  inflation prix
  dette déficit endettement
  déficit dette
  commerce commerçant boutique
  magasin commerce commerçant
  boutique commerce commerçant
  supermarché distributeur distribution
  nourriture alimentaire aliment
  manger alimentation alimentaire
  faim alimentaire précarité
  bio biologique
  biologique bio
  paysan agriculteur exploitant
  agriculteur exploitant agricole
  éleveur élevage bétail
  élevage éleveur bétail
  bétail élevage bovin
  vache bovin élevage
  mouton ovin élevage
  cochon porcin élevage
  troupeau élevage pastoralisme
  berger pastoralisme troupeau
  loup prédateur prédation
  prédateur prédation loup
  pesticide phytosanitaire phytopharmaceutique
  phytosanitaire phytopharmaceutique pesticide
  sécheresse irrigation hydrique
  inondation crue submersion
  incendie pompier feu
  pompier incendie secours
  canicule chaleur
  pollution polluant émission
  carbone émission décarbonation
  plastique emballage
  ordures déchet collecte
  poubelle déchet collecte
  arbre forêt végétalisation
  nature biodiversité environnement
  biodiversité écosystème espèce
  pluie eau
  électricité énergie électrique
  éolienne éolien
  panneau photovoltaïque solaire
  réacteur nucléaire centrale
  centrale nucléaire réacteur
  isolation rénovation thermique
  isoler rénovation isolation
  appartement logement habitation
  habitation logement habitat
  bâtir construction construire
  construire construction bâtiment
  hlm bailleur logement
  locataire locatif bail
  propriétaire bailleur
  bailleur locatif
  squatteur squat occupation
  squat occupation occupant
  vacant vacance
  sdf hébergement domicile
  abri hébergement
  handicapé handicap accessibilité
  handicap accessibilité
  aveugle handicap visuel
  sourd handicap auditif
  malade patient
  lunettes optique
  vaccin vaccination
  dépression psychique psychiatrie mental
  psychiatre psychiatrie psychique
  euthanasie suicide mourir
  mourir euthanasie palliatif
  avortement ivg grossesse
  enceinte grossesse maternité
  accouchement maternité naissance
  sage-femme maternité accouchement
  viol sexuel violence
  harcèlement harceler
  féminicide conjugal violence
  égalité parité discrimination
  parité égalité
  racisme raciste discrimination
  antisémitisme juif antisémite
  voile religieux laïcité
  laïcité religieux
  religion religieux culte
  homosexuel lgbt homophobie
  portable téléphone mobile
  smartphone téléphone portable
  téléphone portable mobile
  fibre débit numérique
  wifi internet
  pirate cyberattaque cybersécurité
  informatique numérique cybersécurité
  robot intelligence artificiel
  algorithme intelligence artificiel
  écran numérique
  télé télévision audiovisuel
  télévision audiovisuel
  radio audiovisuel radiophonique
  média presse audiovisuel
  musée patrimoine culturel
  théâtre culturel spectacle
  musicien artiste musique
  peintre artiste art
  artiste culturel création
  culture culturel
  médiathèque bibliothèque lecture
  bibliothèque médiathèque lecture
  stade sportif équipement
  piscine nautique bassin
  vacances tourisme touristique
  touriste tourisme touristique
  hôtel tourisme hébergement
  avion aéroport aviation
  bateau navire maritime
  pêcheur pêche
  chasseur chasse gibier
  soldat militaire défense
  armée défense militaire
  guerre conflit armé
  bombe dissuasion arme
  frontière schengen douane
  europe européen union
  référendum consultation vote
  pétition citoyen consultation
  électeur électoral suffrage
  tricherie fraude
  corruption probité transparence
  éthique déontologie transparence moralisation
  guichet accueil administration
  courrier postal poste
  papier administratif document
  paperasse simplification administratif
  bureaucratie simplification administratif
  fonctionnaire public agent
  village rural commune
  banlieue quartier périphérie
  étranger ressortissant
  outre-mer ultramarin
  étudiant bourse universitaire
  fac université
  université enseignement supérieur
  apprenti apprentissage alternance
  apprentissage alternance apprenti
  métier professionnel formation
  bruit sonore nuisance
  nuisance sonore
  ivre alcool alcoolémie
  conduire conduite conducteur
  vitesse routier
  accident routier sécurité
  chien animal
  viande élevage
  lait producteur
  vigneron viticulteur viticole
  veuf conjoint réversion
  divorce conjoint parental
  célibataire isolé monoparental
  nounou assistant maternel
  lampadaire éclairage
  éclairer éclairage
  jouet enfant
  bonbon sucre
  sucre sucré
  fumer tabac
  cigarette tabac`;
