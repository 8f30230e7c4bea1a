import { readTag } from '../core/model/language-tag.ts';
import { remembering } from '../core/model/remembering.ts';

/** The fewest letters before or after a break. */
const fewest = 3;
/** The most letters of an unbroken German part; a longer one is broken between its syllables. */
const longestPart = 13;

/**
 * Finders of breaks, by language. Their results are kept, because a center's words return on each of its
 * pages.
 */
const finders: Readonly<Record<string, (word: string) => string>> = {
  de: remembering(5_000, (word) => broken(word, germanBreaks)),
  fi: remembering(5_000, (word) => broken(word, finnishBreaks)),
};

/**
 * Puts soft hyphens into the long words of German and Finnish, because few browsers hyphenate them. Other
 * texts stay as they are.
 */
export function withSoftHyphens(text: string, language: string): string {
  const find = finders[readTag(language).base];
  if (find === undefined || text.length < 14) return text;
  // A longer word is no natural word: it is neither broken nor kept.
  return text.replace(/\p{L}{14,}/gu, (word) => (word.length > 80 ? word : find(word)));
}

function broken(word: string, find: (word: string) => readonly number[]): string {
  const places = find(word.toLowerCase()).filter((at) => at >= fewest && at <= word.length - fewest);
  return [0, ...places].map((from, index) => word.slice(from, places[index])).join('\u00ad');
}

/** Parts of German words about messages, consent and accounts. */
const germanParts = [
  /abonnement|abrechnung|abstimmung|aktion|aktualisierung|anfrage|angebot|angelegenheit|angehörig|anlage|anmeld|anruf|artikel/gu,
  /auf(?:forderung|ruf)|ausgabe|auskunft|auswahl|auswertung|bedingung|bedürfnis|benachrichtigung|berater|beratung|bereich|bestätigung|bewertung/gu,
  /beziehung|brief|buchung|center|daten|dienst|ein(?:kauf|ladung|schalt|stellung|verständnis|willigung)|empfehlung|ereignis/gu,
  /erinnerung|erklärung|erscheinung|freigabe|führung|gesellschaft|gewinn|gruppe|gutschein|hinweis|information/gu,
  /interesse|kampagne|kanal|kanäle|karte|katalog|kommunikation|konto|kontakt|kunde|leistung|letter|liefer|linie|liste/gu,
  /magazin|marketing|mitglied|mitteilung|möglichkeit|nachricht|neuheit|newsletter|nutzung|partner|person|präferenz/gu,
  /veröffentlich|produkt|profil|programm|prozess|rechnung|richtlinie|rückmeldung|schein|schutz|sendung|service|sicherheit|spende|sprache|status/gu,
  /störung|system|teilnahme|termin|überraschung|umfrage|veranstaltung|verantwort|verarbeitung|verbindung|vereinbarung|verfahren|verkauf/gu,
  /versand|versicherung|verwaltung|vorgang|vorschlag|warnung|werbung|wünsche|zahlung|zeitung|zufriedenheit|zustimmung/gu,
  /zweck|zentrum/gu,
];
/** Endings with the letter that joins them to the next part. */
const germanEnds = /(?:ungs|heits|keits|schafts|täts|tions|lings)(?=\p{L}{4})/gu;

function germanBreaks(word: string): readonly number[] {
  const known = [
    ...germanParts.flatMap((parts) => [...word.matchAll(parts)].map(({ index }) => index)),
    ...[...word.matchAll(germanEnds)].map(({ 0: end, index }) => index + end.length),
  ];
  const parts = [...new Set([0, ...known, word.length])].sort((one, other) => one - other);
  return parts.slice(0, -1).flatMap((from, index) => {
    const part = word.slice(from, parts[index + 1]);
    const inside = part.length > longestPart ? germanInside(part).map((at) => from + at) : [];
    return from === 0 ? inside : [from, ...inside];
  });
}

/** A prefix keeps its last consonant before a vowel. */
function germanInside(part: string): readonly number[] {
  const prefix = /^(?:wieder|über|unter|aus|auf|her|ver|vor)(?=[aeiouäöü])/u.exec(part)?.[0].length;
  if (prefix === undefined) return syllables(part);
  return [prefix, ...syllables(part.slice(prefix)).map((at) => prefix + at)];
}

/** The beginning of a German syllable after more than two consonants; the longest first. */
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

/** Parts of Finnish words that begin with a vowel: the consonant before stays with the word before. */
const finnishParts = /(?<=\p{L}{3})(?:alenn|asetu|asiak|eh[dt]o|ilmoit|ohjelm|oikeu|osoit|uutis)/gu;

/** Finds breaks before parts, and before each consonant that a vowel follows. */
function finnishBreaks(word: string): readonly number[] {
  const parts = [...word.matchAll(finnishParts)].map(({ index }) => index);
  const syllables = [...word.matchAll(/(?<=\p{L})[^aeiouyäöå](?=[aeiouyäöå])/gu)].map(({ index }) => index);
  return [...parts, ...syllables.filter((at) => !parts.some((part) => Math.abs(part - at) === 1))].sort(
    (one, other) => one - other,
  );
}
