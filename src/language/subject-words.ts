/**
 * The subjects of public life, one a line: what texts of politics call it, and behind the colon the words by which people
 * speak of it without naming it: its everyday and slang words, those whom it concerns, tools, places, what is done and felt.
 * A word may stand on several lines. One that does tells nothing alone; several of a line in a question tell what it is
 * about. No people, faith, origin or country stands on a line of crimes or threats: whoever asks of one asks of nothing else.
 */
export const subjectWords = `
  fraude fiscal évasion optimisation paradis : fisc impôt argent sous magot pactole cacher dissimuler planquer frauder magouille combine échapper étranger offshore île compte avoirs riche fortune multinationale géant tricheur contribuable montage expatrier évaporer planque
  fiscal impôt imposition fiscalité contribuable : fisc percepteur trésor payer ponction prélever prélèvement taxer contribution monnaie poche déclarer feuille tondre racket
  fortune patrimoine isf milliardaire riche : nanti rupin friqué rentier millionnaire yacht privilégié opulence aisé bourgeois possédant château argent million grand capital contribuer
  succession donation héritage héritier transmission : hériter légataire legs défunt décéder décès notaire testament orphelin parents enfants biens léguer transmettre parti aïeul
  tva consommation taxe : achat caisse panier course ticket prix emplette
  dette déficit endettement déficitaire budgétaire : emprunt emprunter rembourser ardoise créancier caisse vide trou ruine faillite banqueroute dépenser dépense petits-enfants générations train moyens dilapider
  budget dépense finances crédits : argent sous caisse économies gaspiller gaspillage jeter fenêtres cagnotte
  inflation pouvoir achat prix : cherté renchérir coûter cher fins mois boucler panier courses ticket étiquettes flamber ménagère supermarché facture monnaie
  salaire smic rémunération salarial : paie paye gagner bulletin fiche smicard augmenter bosser employeur misère toucher net revenu mieux payer appointements traitement
  chômage chômeur emploi demandeur indemnisation : boulot job travail place poste perdre viré licencié chercher trouver pointer allocation inactif désœuvré turbin embauche guichet
  licenciement licencier emploi salarié : virer renvoyer congédier dehors porte plan charrette remercier débaucher mettre
  travail durée horaire supplémentaire hebdomadaire : bosser trimer turbiner labeur semaine repos dimanche pause congé cadence rythme surmenage boulot
  retraite pension cotisation annuité départ : vieux aîné bosser cesser arrêter âge ans carrière labeur repos papy mamie senior soixante quatre trimestre ancien vieillir vie
  pénibilité usure professionnel : dos cassé fatigue porter lourd usé chantier nuit douleur épuiser métier
  arrêt maladie indemnité journalier carence : souffrant fiévreux grippe grippé alité congé absence absentéisme paie salarié repos médecin jour
  accident travail professionnel sécurité : chantier blessé chute mutilé mourir ouvrier échafaudage boulot machine
  apprentissage apprenti alternance formation : apprendre métier artisan maître atelier jeune reconversion requalifier compagnon patron école diplôme
  autoentrepreneur entrepreneur indépendant artisan : compte patron boîte petit lancer affaire boutique plombier boulanger livreur
  entreprise simplification norme administratif : paperasse patron formulaire bureaucratie bureaucrate tracasserie paperasserie boîte tampon guichet dossier lourdeur cerfa
  recherche innovation chercheur crédit : inventer inventeur laboratoire savant découverte science scientifique brevet boîte trouvaille
  industrie usine réindustrialisation délocalisation industriel : fermer partir atelier ouvrier manufacture machine acier fonderie fourneau métallurgie fabriquer produire
  acier sidérurgie arcelormittal nationalisation : fourneau fonderie métallurgie métal racheter fonte
  commerce commerçant centre-ville boutique : magasin épicerie rideau vitrine marchand petit fermer quartier échoppe hypermarché
  bancaire banque compte paiement : banquier agence guichet prélever argent découvert chéquier chèque carte client agios frais virement épargne épargnant sous
  démarchage téléphonique prospection : appel coup fil harceler déranger sonner vendeur télévendeur importuner importun déjeuner dîner raccrocher numéro indésirable
  consommateur étiquetage origine denrée : manger provenance venir savoir assiette emballage rayon traçabilité fabriqué contenir
  alimentaire aliment alimentation : manger bouffe nourriture nourrir assiette cantine repas malbouffe faim affamé plat
  logement loyer locataire bailleur : proprio propriétaire louer bail toit appartement studio appart habiter piaule chambre crécher
  social hlm bailleur logement : modeste modique loyer pauvre immeuble cité barre attribution habitation abordable
  encadrement loyer plafonnement : propriétaire proprio cher exiger demander louer abus abusif excessif
  insalubre indigne habitat marchand sommeil : taudis délabré moisi moisissure humide cafard galetas logis logement rat masure vétuste louer
  bidonville informel précaire habitat : cabane tôle baraque abri fortune campement entasser case
  squat occupation illicite occupant expulsion : squatteur intrus serrure inconnu installer chez vacances domicile déloger chasser maison occuper voler
  abri hébergement domicile urgence : clochard vagabond rue dehors trottoir dormir coucher carton hiver froid mendiant tente toit errer gare
  rénovation thermique isolation énergétique passoire : chauffage chauffer froid glacé mur fenêtre courant chaleur calfeutrer double-vitrage combles maison chaudière calorifuge travaux toit
  urbanisme permis construction plu : bâtir bâtiment béton maison lotissement grue chantier promoteur pavillon immeuble
  artificialisation foncier sol agricole : béton bétonner bétonnage champ lotissement étalement grignoter terre parcelle bitume goudron goudronner cultivable
  ascenseur copropriété panne : étage monter bloqué coincé escalier cabine immeuble élévateur
  agriculteur agricole exploitation agriculture : paysan paysannerie cultivateur fermier ferme terre tracteur champ récolte moisson laboureur campagne
  pesticide phytosanitaire néonicotinoïde phytopharmaceutique : poison produit chimique désherbant insecticide herbicide fongicide champ culture récolte pulvériser épandre répandre empoisonner glyphosate tuer verger betterave
  abeille apiculture pollinisateur frelon apiculteur : miel ruche butiner butineur butineuse insecte bourdon guêpe essaim hyménoptère bestiole piqûre piquer
  élevage éleveur animal bovin volaille : bétail vache cochon porc poulet poule basse-cour usine entasser cage bœuf mouton veau ruminant abattoir poulailler porcherie troupeau bête viande étable
  bien-être animal maltraitance abattoir : bête souffrance cruauté cage chien chat souffrir cirque corrida
  loup prédation pastoralisme prédateur : brebis mouton berger troupeau attaque dévorer égorger meute agneau
  chasse chasseur gibier : fusil sanglier cerf battue cartouche tirer chevreuil
  pêche pêcheur halieutique maritime : poisson bateau filet chalut chalutier mer port marin thon quota criée
  viticulture vigne viticole vin : vigneron raisin cep vendange bouteille cave tonneau
  eau irrigation bassine stockage retenue : pluie arroser arrosage sécheresse maïs réserve pomper nappe hiver été manque
  eau potable assainissement captage : robinet boire source rivière nitrate sale sain égout tuyau fontaine carafe souillé canalisation
  biodiversité espèce faune écosystème : bête plante disparaître extinction oiseau nature insecte sauvage haie marais marécage grenouille animal fleur papillon flore
  forêt forestier sylviculture bois : arbre pin chêne bûcheron brûler flamme incendie feu boisé futaie tronçonneuse massif sapin
  incendie pompier secours sapeur : feu flamme éteindre brûler caserne échelle lance casque volontaire sauveteur sauver secourir soldat
  climat climatique réchauffement carbone émission : planète chaud chaleur température canicule fournaise degré gaz serre météo fondre glacier cracher air terre co2 saison
  pollution polluant qualité air : fumée respirer sale poumon ville gaz échappement particule crasse
  pfas perfluoré polluant éternel : poêle chimique persistant robinet revêtement
  déchet recyclage ordure collecte : poubelle jeter trier bouteille plastique décharge emballage benne éboueur
  nucléaire réacteur epr centrale atomique : uranium atome fission cheminée radioactif radioactivité fukushima tchernobyl courant électricité
  éolien éolienne renouvelable solaire photovoltaïque : vent moulin aérogénérateur pale mât paysage défigurer soleil panneau lumière propre vert toit
  électricité énergie tarif facture : courant note chauffage chauffer compteur lumière explosion exploser gaz flamber watt kilowattheure cher edf
  carburant essence pétrole gazole : plein pompe réservoir rouler litre station diesel hydrocarbure brut voiture
  automobile véhicule voiture électrique : bagnole auto caisse rouler conduire moteur garage borne batterie diesel tacot
  zfe faible émission circulation : ville interdire vieille vieux bagnole voiture vignette périphérique polluant rouler entrer centre
  routier route homicide conducteur alcoolémie : chauffard volant vitesse ivre faucher écraser renverser piéton accident tuer conduite écrasé radar collision
  autoroute autoroutier péage concession : bitume voie rapide goudron asphalte route bouchon barrière
  ferroviaire train sncf fret : wagon rail voie gare cheminot locomotive quai billet contrôleur ligne tgv retard
  transport commun métro bus : rame tram usager ticket ligne navette trajet passager
  avion aérien aéroport aviation : vol voler billet pilote ciel décoller jet kérosène atterrir passager
  vélo cyclable cycliste : pédaler bicyclette piste deux-roues
  médecin désert médical praticien : docteur toubib cabinet campagne rendez-vous soigner manque pénurie installer installation introuvable village généraliste consultation ordonnance province médecine trouver
  hôpital hospitalier urgence lit soignant : brancard malade couloir attendre attente clinique chambre blouse soigner chirurgien opérer patient médecin
  infirmier soignant paramédical : piqûre pansement blouse soigner seringue soin garde
  médicament pharmacie pharmaceutique pénurie : comprimé cachet pilule remède gélule boîte apothicaire pharmacien ordonnance sirop antibiotique vaccin introuvable
  santé sécurité sociale remboursement assurance : trou sécu mutuelle carte vitale soigner lunettes dents rembourser malade
  mental psychiatrie psychique psychiatrique : tête fou folie déprime dépression aliéné angoisse mal-être psy moral suicide interner asile dément
  euthanasie suicide mourir létal : mort trépas abréger souffrance souffrir choisir moment piqûre seringue poison jours vie fatal dignité malade incurable délivrer condamné partir agonie heure
  palliatif sédation accompagnement soin : mourant agonie agonisant soulager douleur dernier souffrance apaiser jours chevet incurable condamné
  cancer tumeur oncologie registre : chimio chimiothérapie rayons métastase leucémie guérir rechute malin
  handicap accessibilité aesh handicapé inclusion : fauteuil marcher invalide infirme infirmité aveugle sourd boiter différent trisomique autiste autisme rampe roulant paralysé
  ehpad âgé autonomie dépendance : vieux vieillard aîné mamie papy grand-mère grand-père ancien hospice maison vieillir vieillesse seul placer alzheimer
  aidant proche accompagnement : parent malade épuisé conjoint soutien bénévole épaule occuper famille
  crèche enfance maternel assistant : bébé nounou nourrice garderie bambin poupon garder biberon laisser berceau nourrisson petit
  familial allocation natalité famille : enfant bébé naissance couple mère père parents gosse fécondité berceau ménage maternité prime
  maternité néonatal périnatal infantile mortalité : naissance naître accoucher accouchement enfantement nourrisson nouveau-né bébé monde mettre sage-femme enceinte grossesse
  avortement ivg grossesse contraception : enceinte bébé garder avorter porter planning préservatif pilule
  gpa pma procréation gestation : porteuse ventre louer éprouvette fécondation ovule sperme enfant porter bébé stérile
  protoxyde azote : gaz rire hilarant cartouche ballon rigoler ado inhaler respirer bonbonne
  tabac tabagisme cigarette : clope fumer fumeur mégot cendrier buraliste poumon vapoter
  alcool débit boisson : ivrogne ivrognerie ivresse saoul bistrot bistro bar café cuite trinquer troquet boire verre comptoir apéro licence
  sucre sucré boisson : soda bonbon sirop obésité friandise
  stupéfiant drogue narcotrafic trafic trafiquant : deal dealer came shit herbe joint coke seringue barrette cartel vendeur point toxico chichon toxicomane mafia poudre blanchir
  prison détenu pénitentiaire incarcération carcéral : taule cachot geôle cellule barreaux bagne taulard enfermer verrou maton surveillant purger écrou prisonnier surpeuplé matelas peine condamné barreau ballon zonzon
  peine emprisonnement condamnation sanction : juge punir laxisme condamné sévère exécuter punition châtiment
  mineur délinquant délinquance : voyou gamin ado gosse petit juger punir caïd loubard bêtise galopin
  délinquance insécurité sécurité vol : voleur voyou cambrioleur agression agresser peur bandit brigand malfrat chaparder
  police policier gendarme ordre : flic poulet uniforme commissariat brigade patrouille képi matraque keuf maréchaussée poulets interpellation bleu
  vidéosurveillance vidéoprotection caméra drone : filmer surveiller surveillance œil yeux espionner espionnage épier passant image visage
  terrorisme terroriste attentat radicalisation djihadiste : bombe tuerie fanatique fanatisme kamikaze kalachnikov extrémisme explosion massacre tuer
  justice judiciaire magistrat tribunal : juge procès avocat palais plainte robe audience coupable
  violence conjugal femme victime : mari cogner cogneur battre coup taper frapper gifle épouse compagne conjoint maltraité foyer peur maison couple brutal
  viol sexuel agression consentement : abus attouchement non oui forcer abuser violer violeur pédophile main
  égalité parité salarial : homme femme dame monsieur sexe sexisme sexiste gagner moins poste plafond verre misogyne macho
  discrimination racisme raciste : peau couleur haine origine injure xénophobe xénophobie
  antisémitisme antisémite : haine judéophobie
  laïcité religieux voile culte : foulard hijab tissu tête musulman musulmane église mosquée croix confession confessionnel prière kippa burkini
  mariage simulé consentement conjugal : noce noces épouser époux blanc union papiers mairie marier alliance frauduleux
  immigration étranger irrégulier séjour asile : clandestin exilé migrant papiers frontière rester ailleurs venir arriver passeur permis déraciné renvoyer traverser réfugié
  éloignement expulsion oqtf rétention : renvoyer charter chasser reconduire pays dehors clandestin avion
  nationalité naturalisation sol : citoyen citoyenneté naître né passeport carte papiers devenir français sang
  mayotte mahorais chido : cyclone île lagon comores archipel comorien mamoudzou océan indien
  outre-mer ultramarin outremer vie chère : île antilles antillais guadeloupe martinique réunion tropique lointain caraïbes
  calédonie calédonien kanak : nouméa pacifique archipel indépendance caillou
  ukraine ukrainien russe : kiev kyiv moscou envahisseur invasion envahir guerre
  armée militaire défense armement : canon bateau soldat troupe troupes fusil char avion régiment guerre caserne officier bidasse blindé obus
  europe européen union : bruxelles commission strasbourg pays voisin
  euro monnaie monétaire zone : franc billet billets devise pièce banque sou
  enseignant école scolaire éducation élève : maître maîtresse prof instit instituteur institutrice gamin classe tableau écolier écriture cartable gosse pédagogie lire craie cours apprendre
  étudiant universitaire crous bourse : fac campus amphi amphithéâtre jeune repas resto cantine chambre restaurant manger diplôme kot
  harcèlement réseau écran numérique tiktok : téléphone ado appli application vidéo internet accro scotché addiction smartphone moquerie toile jeune ligne insulte
  intelligence artificiel algorithme : machine robot ordinateur penser savant logiciel chatbot remplacer
  numérique internet fibre débit : réseau connexion téléphone ordinateur toile web antenne zone blanche
  audiovisuel télévision radio holding : télé chaîne poste émission écran redevance antenne hertzien fusionner animateur programme
  presse journaliste média journal rédaction : gazette canard reporter feuille plume information propriétaire milliardaire une lecteur quotidien magazine
  culture culturel artiste spectacle : théâtre musée musique peintre cinéma chanson concert scène livre œuvre
  sport sportif olympique : jeux stade match ballon athlète médaille club champion
  élection électoral scrutin proportionnel suffrage : voter urne voix siège bulletin isoloir électeur parti liste
  référendum consultation initiative citoyen : peuple avis plébiscite oui non question demander décider
  dissolution censure motion gouvernement : renverser chute tomber ministère ministre renvoyer électeurs député assemblée crise
  maire élu municipal commune local : édile mairie village écharpe conseil magistrat premier bourgade ville petite
  fonctionnaire agent public fonction : bureau rond-de-cuir guichet concours administration
  corruption probité transparence conflit intérêt : pot-de-vin dessous table magouille acheter pourri cadeau enveloppe lobby
  fraude social prestation allocation : tricheur tricher allocs triche escroc subvention droit abus toucher caf faux
  pauvreté précarité exclusion minima : pauvre misère galère démuni rsa aide joindre mendier dèche faim
  restaurant titre ticket : déjeuner midi repas bon courses cantine salarié pause
  sang don plaquettes plasma collecte : bras donner tendre transfusion veine donneur piqûre
  chlordécone antilles indemnisation : bananeraie banane poison antillais toxique
  amiante toxique exposition : poussière poumon fibre toit
  postal poste courrier : facteur lettre timbre bureau colis
  tourisme touristique saisonnier : vacances vacancier plage hôtel estivant voyage location montagne ski
  orthophoniste orthophonie : parler prononcer bégayer langage parole bégaiement
  diplomatie diplomatique international : ambassadeur paix traité pays monde
  israël palestine gaza palestinien : hamas otage colon bande territoire
  douane commerce mercosur échange : taxe américain importation accord traité frontière
  rural ruralité territoire : campagne village bourg hameau perdu cambrousse isolé province oublié`;
