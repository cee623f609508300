import { everydayWords } from './everyday.ts';
import { beginningOf, fold } from './fold.ts';
import { proseTokens } from './prose.ts';

/**
 * Words of one family that French took from Latin or Greek a second time, or from another root: no stem brings them
 * together. A noun, and the learned adjectives and nouns that speak of the same thing.
 */
const groups = `
  forêt forestier sylvicole sylviculture
  école scolaire scolarité scolarisation écolier
  hôpital hospitalier hospitalisation
  ville urbain urbanisme citadin
  campagne rural ruralité
  mer maritime marin
  fleuve fluvial
  rivière fluvial
  montagne montagnard alpin
  île insulaire insularité
  eau hydrique hydraulique aquatique
  air aérien atmosphérique
  avion aérien aéronautique aviation
  train ferroviaire rail
  voiture automobile véhicule
  vélo cyclable cycliste bicyclette
  route routier voirie
  champ agricole champêtre
  paysan agriculteur agricole
  animal animalier vétérinaire
  abeille apicole apiculture
  vigne viticole viticulture vin
  pêche halieutique
  lait laitier
  viande carné
  blé céréalier
  roi royal monarchique
  loi législatif législation légal
  juge judiciaire juridictionnel
  justice judiciaire juridictionnel
  tribunal juridictionnel juridiction
  prison carcéral pénitentiaire incarcération
  crime criminel pénal
  peine pénal
  police policier
  guerre belliqueux militaire
  armée militaire
  soldat militaire
  paix pacifique
  impôt fiscal fiscalité imposition
  taxe fiscal fiscalité taxation
  argent pécuniaire financier monétaire
  banque bancaire
  prix tarifaire tarif coût
  salaire salarial rémunération
  travail professionnel emploi
  chômage chômeur
  entreprise entrepreneurial entrepreneur
  usine industriel industrie
  patron patronal employeur
  médecin médical médecine
  docteur médecin médical
  maladie pathologie sanitaire malade
  santé sanitaire
  médicament pharmaceutique médicamenteux
  dent dentaire dentiste
  cœur cardiaque
  œil oculaire ophtalmologique
  enfant infantile enfance juvénile pédiatrique
  jeune jeunesse juvénile
  vieux vieillesse âgé vieillissement
  vieillesse âgé vieillissement gériatrique
  père paternel paternité
  mère maternel maternité
  parent parental parentalité
  naissance natal natalité périnatal
  mort mortel mortalité décès funéraire
  mariage matrimonial nuptial conjugal
  couple conjugal
  femme féminin
  homme masculin
  maison résidentiel domestique domicile logement
  logement résidentiel habitat
  loyer locatif location locataire
  maire municipal mairie
  commune communal municipal
  région régional
  département départemental
  élection électoral scrutin
  vote électoral scrutin
  député parlementaire
  sénateur sénatorial parlementaire
  étranger immigration immigré
  église ecclésiastique clérical religieux
  livre littéraire bibliothèque
  journal journalistique presse
  soleil solaire photovoltaïque
  vent éolien
  atome nucléaire atomique
  chaleur thermique caniculaire calorifique
  chauffage thermique
  feu incendie ignifuge
  climat climatique réchauffement
  planète planétaire terrestre
  terre foncier terrestre
  déchet ordure recyclage
  drogue stupéfiant narcotrafic toxicomanie
  alcool alcoolique éthylique
  tabac tabagisme tabagique
  cancer cancéreux oncologie
  corps corporel
  aliment alimentaire alimentation
  repas alimentaire restauration
  sang sanguin
  nuit nocturne
  jour diurne quotidien
  semaine hebdomadaire
  mois mensuel
  année annuel
  étudiant universitaire université
  professeur enseignant professoral
  sport sportif
  ordinateur informatique numérique
  internet numérique
  sécurité sécuritaire sûreté`;

/** Where a line of the tables leads from one of its words. */
type Lead = { from: string; to: readonly string[] };

let leads: Map<string, Lead[]> | null = null;

/** All that the tables lead to, by what words begin with: to make tokens of all of them takes ten times as long. */
function leadsByBeginning(): Map<string, Lead[]> {
  const found = new Map<string, Lead[]>();
  const lead = (from: string, to: readonly string[]) => {
    const beginning = beginningOf(from);
    const others = found.get(beginning);
    if (others) others.push({ from, to });
    else found.set(beginning, [{ from, to }]);
  };
  for (const [noun = '', ...others] of linesOf(groups)) {
    // A noun leads to all of its group, what is said of it to the noun.
    lead(noun, others);
    for (const other of others) lead(other, [noun]);
  }
  for (const [word = '', ...terms] of linesOf(everydayWords)) lead(word, terms);
  return found;
}

function linesOf(table: string): string[][] {
  return table
    .trim()
    .split(/\n\s*/)
    .map((line) => line.split(' '));
}

function tokenOf(word: string): string {
  return proseTokens(word)[0] ?? fold(word);
}

/** Returns the tokens that speak of the same thing as a token and share no stem with it; often none. */
export function relativesOf(token: string): readonly string[] {
  leads ??= leadsByBeginning();
  const own = (leads.get(beginningOf(token)) ?? []).filter(({ from }) => tokenOf(from) === token);
  const others = own.flatMap(({ to }) => to.map(tokenOf));
  return [...new Set(others)].filter((other) => other !== token);
}
