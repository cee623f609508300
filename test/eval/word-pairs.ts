/** Forms of one word, by lines: a query for any finds a text with any other. */
export const sameWord = `
loi lois
élu élue élus élues
travail travaux
hôpital hôpitaux
national nationale nationales nationaux
école écoles ÉCOLE l'école d'écoles
acteur actrice actrices
sénateur sénatrices
chômeur chômeuse chômeurs
premier première premières
européen européenne européennes
actif actives
public publique publics
adopté adoptée adoptés adoptées
retraité retraitée retraités
supprimé supprimée supprimées
nouveau nouvelle nouveaux
beau belle
vieux vieille
niveau niveaux
jeu jeux
bail baux
cœur coeur
œuvre oeuvres
énergie l'énergie énergies d’énergie
aujourd'hui aujourd’hui
S.M.I.C. smic
O.N.U. l'onu
49.3 49-3 49,3
1er 1ère
50000 50.000
amendement amendements d'amendement
impôt impôts l'impôt
agriculteur agricultrices
étranger étrangères
industriel industrielle
ruralité ruralités
maternel maternelle
fiscal fiscaux fiscale
départ départs
doux douce douces
gros grosse grosses
bas basse
frais fraîche
sec sèche
bref brève
neuf neuve neuves
jaloux jalouse
favori favorite
clé clef clefs
messieurs monsieur
achète acheter achètent
appelle appeler
réunir réunissent
`;

/** Words that must not meet: a query for one finds no text that only has the other. */
export const otherWords = `
parti partie
droit droite
cour cours
fond fonds
foi fois
moi mois
mai mais
arme armée
port porte
commun commune
vent vente
fil fils
pays paye
loi loire
banc banque
heure heureux
peu peur
mal mail
cas case
prix pris
trait traité
retrait retraite
ministre ministère
police policier
chapeau chapelle
social société
france franc
course cours
main maine
garde gard
coupe coup
marine marin
médecine médecin
capitale capital
pluie plui
pointe point
plaine plein
49.3 493
2024 2025
tribun tribune
sort sorte
vers verse
cent centre
rat rater
tram trame
maire mairie
franc français
important importation
loge logement
poste poster
part parti
moine moins
général génération
université univers
police politique
culture agriculture
journal journaliste
`;

/** Words that their accents alone tell apart. */
export const accentPairs = `
marché marche
côté côte
côté cote
sûr sur
retraité retraite
arrêté arrête
pêché pêche
salé sale
tâche tache
mûr mur
dû du
jeûne jeune
congé conge
élevé élève
privé prive
maïs mais
`;

/** The words of each line of a table. */
export function linesOf(table: string): string[][] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
}

/** Every ordered pair of two different words of a line. */
export function pairsOf(words: readonly string[]): [string, string][] {
  return words.flatMap((one) => words.filter((other) => other !== one).map((other): [string, string] => [one, other]));
}
