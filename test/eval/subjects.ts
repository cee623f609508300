/** Questions as people ask them, each with what a text that is about it says; of the records of a real parliament. */
export const questions: [string, RegExp][] = [
  ['Que faire pour les forêts ?', /forêt|forestier|sylvi/i],
  [
    'Comment lutter contre les déserts médicaux ?',
    /désert[s]? médic|désertification médicale|accès aux soins|pénurie de médecins/i,
  ],
  ['Faut-il augmenter le SMIC ?', /\bSMIC\b|salaire minimum/i],
  ['Qui veut sortir du nucléaire ?', /nucléaire|centrales?/i],
  [
    'Quelles mesures contre les violences faites aux femmes ?',
    /violences (faites aux femmes|sexistes|conjugales|sexuelles|intrafamiliales)|féminicide/i,
  ],
  ['Comment réduire la dette publique ?', /dette/i],
  [
    'Que propose-t-on pour le logement des étudiants ?',
    /logements? .{0,40}étudiant|étudiant.{0,40}logement|résidences universitaires|CROUS/i,
  ],
  ['Quelle politique pour les personnes en situation de handicap ?', /handicap/i],
  ['Comment aider les agriculteurs face à la sécheresse ?', /sécheresse|agricult.{0,60}(eau|irrigation)/i],
  ['Pourquoi les prix de l’électricité augmentent-ils ?', /électricité/i],
  ['Qui parle de l’accueil des réfugiés ukrainiens ?', /ukrain/i],
  ['Comment sauver les petites lignes de train ?', /lignes? .{0,30}ferroviaires?|petites lignes|\btrains?\b|SNCF/i],
  ['Où en est la réforme de l’assurance chômage ?', /assurance[- ]chômage/i],
  ['Qui a proposé de baisser la TVA ?', /\bTVA\b/i],
  ['Faut-il légaliser le cannabis ?', /cannabis/i],
  [
    'Que fait-on contre le harcèlement scolaire ?',
    /harcèlement.{0,60}(scolaire|école|élève)|(scolaire|école|élève).{0,60}harcèlement/i,
  ],
  ['Qui veut supprimer la taxe foncière ?', /taxe foncière|TFPB/i],
  ['Quelles aides pour rénover sa maison ?', /MaPrimeR|rénovation énergétique|rénovation des logements/i],
  ['Où construire des éoliennes ?', /éolien/i],
  ['Comment lutter contre le narcotrafic ?', /narcotrafi|trafic de (drogue|stupéfiant)/i],
  ['Que faut-il faire des déchets plastiques ?', /plastique/i],
  [
    'Comment aider les étudiants précaires ?',
    /étudiant.{0,100}(précar|pauvre|bours|CROUS|repas)|(précar|pauvre|bours|CROUS|repas).{0,100}étudiant/i,
  ],
];

/** What people mean and do not say, each with words of texts that are about it. */
export const paraphrases: [string, RegExp][] = [
  ['arbres', /forêt|forestier|sylvi|boisement/i],
  ['manque de docteurs à la campagne', /désert[s]? médic|médecins?/i],
  ['bas salaires', /\bSMIC\b|salaire minimum|salaires?/i],
  ['sans emploi', /chômage|chômeurs?|demandeurs d’emploi|demandeurs d'emploi/i],
  ['élèves et professeurs', /enseignants?|écoles?|collèges?|lycées?/i],
  ['personnes âgées dépendantes', /EHPAD|autonomie|perte d’autonomie|perte d'autonomie|grand âge/i],
  ['coût de la vie', /pouvoir d’achat|pouvoir d'achat|inflation/i],
  ['étrangers qui arrivent en France', /immigr|asile|migra/i],
  ['gens qui dorment dehors', /sans[- ]abri|sans domicile|hébergement d.urgence/i],
  ['patrons qui délocalisent leurs usines', /délocalis/i],
  ['nourriture bio', /biologique|\bbio\b/i],
  ['prix du plein', /carburant|essence|TICPE/i],
  ['produits phytosanitaires', /pesticide|glyphosate|néonicotinoïde/i],
  ['traitement inhumain du bétail', /bien-être animal|maltraitance|abattoir|abattage/i],
  ['attaques de troupeaux', /\bloups?\b|prédat/i],
  ['géants du net', /GAFAM?|plateformes? numériques?|Google/i],
  ['bâtir sur les terres agricoles', /artificialisation|\bZAN\b|étalement urbain/i],
  ['toubibs étrangers', /praticiens? (diplômés? hors|à diplôme)|médecins? étrangers?/i],
  ['location de vacances par internet', /Airbnb|meublés? de tourisme|locations? touristiques?/i],
  ['conduire ivre', /alcool.{0,60}(volant|condui)|(volant|condui).{0,60}alcool|alcoolémie/i],
];

/** Subjects in a word or two, each with words of texts that are about it. */
export const subjects: [string, RegExp][] = [
  ['vieillesse', /personnes? âgées?|EHPAD|grand âge|seniors?|vieilliss/i],
  ['précarité', /pauvreté|précar|minima sociaux|\bRSA\b/i],
  ['propreté urbaine', /propreté|déchets|nettoy/i],
  ['circulation automobile', /circulation|voiture|automobil|trafic routier|stationnement/i],
  ['pompiers', /pompier|SDIS|sécurité civile/i],
  ['racisme', /racis|antisémit|discriminat/i],
  ['chasse aux fraudeurs', /fraud/i],
  ['apprentissage', /apprenti|alternance/i],
  ['crèches', /crèche|petite enfance|modes? de garde/i],
  ['prison ferme', /prison|détention|emprisonnement|incarcér|pénitentiaire/i],
  ['Ukraine en guerre', /ukrain|Russie|russe/i],
  ['eau potable', /eau potable|captage/i],
  ['attentats', /terroris|attentat/i],
  ['télévision publique', /audiovisuel public|France Télévisions|redevance/i],
  ['monde rural', /rural|campagne|village/i],
];
