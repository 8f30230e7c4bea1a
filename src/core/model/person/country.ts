/** ISO 3166-1 alpha-2 codes: offered, and used to check countries, where the platform lists none. */
export const countryCodes: readonly string[] = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY ' +
  'BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK ' +
  'FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR ' +
  'IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ' +
  'ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM ' +
  'PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF ' +
  'TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
).split(' ');

const known = new Set(countryCodes);
const english = new Intl.DisplayNames(['en'], { type: 'region' });
const codeOfName = new Map(countryCodes.map((code) => [folded(nameOf(code)), code]));

/** The code for `DE`, `de` or `Germany`; undefined for any other text. */
export function countryCode(written: string): string | undefined {
  const upper = written.trim().toUpperCase();
  return known.has(upper) ? upper : codeOfName.get(folded(written.trim()));
}

/** Writes a code the way `example` is written: as `DE`, `de` or `Germany`. Without an example: `DE`. */
export function writeCountry(code: string, example: string): string {
  if (/^[a-z]{2}$/.test(example)) return code.toLowerCase();
  if (example.length > 2 && countryCode(example) !== undefined) return nameOf(code);
  return code;
}

function nameOf(code: string): string {
  return english.of(code) ?? code;
}

function folded(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase();
}
