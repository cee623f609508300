import { type Phrase, type Speech, say } from '../../words/speech.ts';

/** What codes of sources mean, by the field that states them; whatever else a field says stands as it is. */
const meanings: Record<string, Record<string, Phrase>> = {
  kind: {
    parti: say`party`,
    'groupe-an': say`group of the Assemblée nationale`,
    'groupe-senat': say`group of the Sénat`,
    'groupe-pe': say`group of the European Parliament`,
    amendement: say`amendment`,
  },
  chamber: {
    AN: say`Assemblée nationale`,
    Senat: say`Sénat`,
    PE: say`European Parliament`,
  },
  type: {
    'official-page': say`official page`,
    encyclopedia: say`encyclopedia`,
    campaign: say`campaign document`,
    'civic-tech-page': say`page of a civic project`,
    dataset: say`dataset`,
    transcript: say`transcript`,
    programme: say`programme`,
  },
  role: {
    moderator: say`moderator`,
    editor: say`editor`,
    administrator: say`administrator`,
  },
  action: {
    create: say`created`,
    update: say`changed`,
    verify: say`verified`,
    delete: say`deleted`,
    restore: say`restored`,
  },
};

/** A value of a field in words, where it is a code whose meaning is known; null for any other. */
export function meaningOf(speech: Speech, field: string, value: string): string | null {
  if (field === 'session') return sessionText(speech, value);
  const known = Object.hasOwn(meanings, field) ? meanings[field]! : {};
  return Object.hasOwn(known, value) ? speech.tell(known[value]!) : null;
}

/** A session of the Assemblée nationale as its open data number them: `SCR5A2025O1` is the ordinary one of 2024–2025. */
function sessionText(speech: Speech, code: string): string | null {
  const [, year, form, number = ''] = /^SCR\d+A(\d{4})([OE])(\d+)$/.exec(code) ?? [];
  if (year === undefined) return null;
  const years = `${Number(year) - 1}–${year}`;
  return form === 'O'
    ? speech.say`ordinary session ${years}`
    : speech.say`extraordinary session ${number} of ${years}`;
}

/** Words of topics that lost their accents in an address. */
const accented: Record<string, string> = {
  collectivites: 'collectivités',
  democratie: 'démocratie',
  ecologie: 'écologie',
  economie: 'économie',
  education: 'éducation',
  egalite: 'égalité',
  energie: 'énergie',
  etat: 'État',
  etranger: 'étranger',
  etre: 'être',
  europeenne: 'européenne',
  fiscalite: 'fiscalité',
  francais: 'français',
  francaise: 'française',
  france: 'France',
  handicape: 'handicapé',
  interieur: 'intérieur',
  liberte: 'liberté',
  libertes: 'libertés',
  numerique: 'numérique',
  securite: 'sécurité',
  sante: 'santé',
  societe: 'société',
  solidarite: 'solidarité',
};

/** A topic as people write it in French: what an address has no place for, accents and spaces, is put back where it is known. */
export function topicText(topic: string): string {
  return topic
    .split('-')
    .map((word) => (Object.hasOwn(accented, word) ? accented[word]! : word))
    .join(' ')
    .replace(/\b(d|l|qu) (?=[aeiouyhêéÉ])/g, '$1’');
}
