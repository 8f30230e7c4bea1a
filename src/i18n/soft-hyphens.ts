import { readTag } from '../core/model/language-tag.ts';
import { remembering } from '../core/model/remembering.ts';

/** Letters that stay together at either end of a word. */
const fewest = 3;
/** German: what is longer and holds no known part breaks between its syllables. */
const longestPart = 13;

/** A center's words come again with each of its pages. */
const finders: Readonly<Record<string, (word: string) => string>> = {
  de: remembering(5_000, (word) => broken(word, germanBreaks)),
  fi: remembering(5_000, (word) => broken(word, finnishBreaks)),
};

/**
 * Gives the long words of languages that make them places to break: few browsers know any. All else stays as it is.
 * The breaks are soft hyphens, seen only where the line ends.
 */
export function withSoftHyphens(text: string, language: string): string {
  const find = finders[readTag(language).base];
  if (find === undefined || text.length < 14) return text;
  // No word of people is longer, and none of them is kept.
  return text.replace(/\p{L}{14,}/gu, (word) => (word.length > 80 ? word : find(word)));
}

function broken(word: string, find: (word: string) => readonly number[]): string {
  const places = find(word.toLowerCase()).filter((at) => at >= fewest && at <= word.length - fewest);
  return [0, ...places].map((from, index) => word.slice(from, places[index])).join('\u00ad');
}

/** What German words about messages, consent and accounts are made of. */
const germanParts = [
  /abonnement|abstimmung|aktion|aktualisierung|anfrage|angebot|angelegenheit|anlage|anmeld|anruf|artikel|ausgabe/gu,
  /auskunft|auswahl|auswertung|bedingung|bedürfnis|benachrichtigung|berater|beratung|bereich|bestätigung|bewertung/gu,
  /beziehung|brief|buchung|center|daten|dienst|ein(?:kauf|ladung|stellung|verständnis|willigung)|empfehlung|ereignis/gu,
  /erinnerung|erklärung|erscheinung|freigabe|führung|gesellschaft|gewinn|gruppe|gutschein|hinweis|information/gu,
  /interesse|kampagne|kanal|kanäle|karte|katalog|kommunikation|konto|kontakt|kunde|leistung|letter|liefer|linie|liste/gu,
  /magazin|marketing|mitglied|mitteilung|möglichkeit|nachricht|neuheit|newsletter|nutzung|partner|person|präferenz/gu,
  /produkt|profil|programm|prozess|rechnung|rückmeldung|schein|schutz|sendung|service|sicherheit|sprache|status/gu,
  /störung|system|teilnahme|termin|umfrage|veranstaltung|verarbeitung|verbindung|vereinbarung|verfahren|verkauf/gu,
  /versand|versicherung|verwaltung|vorgang|vorschlag|warnung|werbung|wünsche|zahlung|zeitung|zufriedenheit|zustimmung/gu,
  /zweck|zentrum/gu,
];
/** What ends a word within a longer one, with the letter that joins them. */
const germanEnds = /(?:ungs|heits|keits|schafts|täts|tions|lings)(?=\p{L}{4})/gu;

function germanBreaks(word: string): readonly number[] {
  const known = [
    ...germanParts.flatMap((parts) => [...word.matchAll(parts)].map(({ index }) => index)),
    ...[...word.matchAll(germanEnds)].map(({ 0: end, index }) => index + end.length),
  ];
  const parts = [...new Set([0, ...known, word.length])].sort((one, other) => one - other);
  return parts.slice(0, -1).flatMap((from, index) => {
    const part = word.slice(from, parts[index + 1]);
    const inside = part.length > longestPart ? syllables(part).map((at) => from + at) : [];
    return from === 0 ? inside : [from, ...inside];
  });
}

/** What German syllables begin with, where more than two consonants stand between vowels; the longest first. */
const germanOnset =
  /(?:schw|schr|schl|schm|schn|spr|str|pfl|sch|ch|st|sp|pf|bl|br|dr|fl|fr|gl|gr|kl|kn|kr|pl|pr|tr|\p{L})$/u;

function syllables(part: string): readonly number[] {
  const groups = part.matchAll(/[aeiouyäöü]([^aeiouyäöü]+)(?=[aeiouyäöü])/gu);
  return [...groups].flatMap(({ 0: group, 1: consonants = '', index }) => {
    const whole = /^(?:ch|sch|ck|ph|th|qu|[bfgkp][lr]|[dt]r)$/.test(consonants);
    const many = germanOnset.exec(consonants)?.[0].length ?? 1;
    const onset = whole ? consonants.length : consonants.length > 2 ? many : 1;
    const at = index + group.length - onset;
    return at >= fewest && at <= part.length - fewest ? [at] : [];
  });
}

/** Before each consonant that a vowel follows. */
function finnishBreaks(word: string): readonly number[] {
  return [...word.matchAll(/(?<=\p{L})[^aeiouyäöå](?=[aeiouyäöå])/gu)].map(({ index }) => index);
}
