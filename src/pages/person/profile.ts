import { isoDate, toInput } from '../../core/consent/element-value.ts';
import type { DataElement } from '../../core/model/center/center.ts';
import { countryCode, countryCodes } from '../../core/model/person/country.ts';
import { maskIdentifier, readSubjectId } from '../../core/model/person/subject.ts';
import { remembering } from '../../core/model/remembering.ts';
import { formats, writtenCountry } from '../../i18n/format.ts';
import { chooseText, type LocalizedText } from '../../i18n/language.ts';
import { nameIn, type ViewInput } from './names.ts';

interface Offer {
  readonly value: string;
  readonly label: LocalizedText;
}

export type ElementView = NonNullable<ReturnType<typeof buildElementView>>;

/** The text for an empty value: an empty line would look like an error. */
const nothingOnRecord = '–';

/**
 * The view of a data element as a field; undefined if it is hidden. `recorded` is the platform's value, with
 * which the next post is compared. `typed` is a value that was not accepted yet, and is shown instead.
 */
export function buildElementView(
  element: DataElement,
  values: { readonly recorded: string; readonly typed: string | undefined },
  viewInput: ViewInput,
) {
  if (element.hidden) return undefined;
  const { scope } = viewInput;
  const isFixed = element.readOnly || scope === 'withdraw';
  const name = `element.${element.id}`;
  const shownName = nameIn(element.name, viewInput, element.label);
  const value = toInput(element, element.readOnly ? values.recorded : (values.typed ?? values.recorded));
  const options = isFixed ? [] : buildOptions(element, value, viewInput);
  const control = isFixed ? 'static' : options.length > 0 ? 'select' : controlFor(element, value);
  return {
    kind: 'data-element' as const,
    id: `element-${element.id}`,
    name,
    label: shownName,
    control,
    value: isFixed ? fixedValue(element, value, viewInput) || nothingOnRecord : value,
    options,
    required: element.required && !isFixed,
    autocomplete: isFixed ? undefined : autocompleteFor(element),
    /** Whether the value was saved just now. */
    isSaved: false as boolean,
    mistake: scope === 'withdraw' ? undefined : viewInput.mistakeIn(name, shownName.text),
  };
}

/**
 * The value of a field that cannot be edited. A visitor who may only withdraw sees it masked, even the name
 * of an option.
 */
function fixedValue(element: DataElement, value: string, viewInput: ViewInput): string {
  const shown = element.readOnly ? written(element, value, viewInput) : value;
  return viewInput.scope === 'withdraw' ? maskValue(shown) : shown;
}

/**
 * `Anna` → `A•••`, `anna@example.org` → `a•••@example.org`; a short value, or one that does not begin with a
 * letter, is masked completely.
 */
export function maskValue(value: string): string {
  if (value.trim() === '') return '';
  const id = value.includes('@') ? readSubjectId(value) : undefined;
  if (id !== undefined) return maskIdentifier(id);
  const characters = [...value.trim()];
  return characters.length > 3 && /^\p{L}/u.test(value.trim()) ? `${characters[0]}•••` : '•••';
}

/** Input types for elements that are no plain text. */
const controls: Partial<Record<DataElement['type'], 'email' | 'number' | 'date' | 'tel'>> = {
  email: 'email',
  number: 'number',
  date: 'date',
  phone: 'tel',
};

const plainNumber = /^-?\d+(?:\.\d+)?$/;

/**
 * The type of the input. A date or number field would be empty if the browser cannot read the value, so such
 * a value gets a text field.
 */
function controlFor(element: DataElement, value: string) {
  if (element.type === 'date' && value !== '' && isoDate(value) === undefined) return 'text';
  if (element.type === 'number' && value !== '' && !plainNumber.test(value)) return 'text';
  return controls[element.type] ?? 'text';
}

/**
 * The options of a menu; empty for a typed element. A value on record that is no longer offered stays in the
 * menu, so that it is not lost.
 */
function buildOptions(element: DataElement, value: string, viewInput: ViewInput) {
  const offered = offers(element, viewInput);
  if (offered.length === 0) return [];
  const { page } = viewInput.messages;
  const isEmptied = element.required || value === '';
  const empty = { value: '', label: { text: isEmptied ? page.choose : page.none } };
  const kept = { value, label: { text: written(element, value, viewInput) } };
  const lines: readonly Offer[] = [
    ...(element.required && value !== '' ? [] : [empty]),
    ...offered,
    ...(value === '' || offered.some((offer) => offer.value === value) ? [] : [kept]),
  ];
  const chosen = lines.findIndex((line) => line.value === value);
  return lines.map((line, at) => ({ ...line, selected: at === chosen }));
}

function offers(element: DataElement, viewInput: ViewInput): readonly Offer[] {
  const { center, language } = viewInput;
  if (element.options.length === 0) return isCountry(element) ? countries(language) : [];
  return element.options
    .filter((option) => option.value !== '')
    .map(({ value, name }) => {
      const country = countryOf(element, value, language);
      if (country !== undefined) return { value, label: { text: country } };
      return { value, label: chooseText(name, language, center.defaultLanguage) ?? { text: value } };
    });
}

/** A value for reading: the name of a country or an option, a date in the page's language. */
function written(element: DataElement, value: string, viewInput: ViewInput): string {
  const { center, language } = viewInput;
  if (element.type === 'date' && isoDate(value) !== undefined)
    return formats(language).days.format(Date.parse(value));
  const country = countryOf(element, value, language);
  if (country !== undefined) return country;
  const option = element.options.find((each) => each.value === value);
  const name = option && chooseText(option.name, language, center.defaultLanguage);
  return name?.text ?? value;
}

function isCountry(element: DataElement): boolean {
  return element.type === 'country' || element.type === 'country-code';
}

function countryOf(element: DataElement, value: string, language: string): string | undefined {
  if (!isCountry(element)) return undefined;
  const code = countryCode(value);
  return code === undefined ? undefined : writtenCountry(code, language);
}

/** All countries, sorted by their names in a language. */
const countries = remembering(50, (language): readonly Offer[] =>
  countryCodes
    .map((value) => ({ value, label: { text: writtenCountry(value, language) } }))
    .sort((one, other) => formats(language).names.compare(one.label.text, other.label.text)),
);

/** Usual labels for each purpose of a field (WCAG 1.3.5, `autocomplete`). */
const usualLabels: Readonly<Record<string, readonly string[]>> = {
  name: ['name', 'full name'],
  'given-name': ['first name', 'given name'],
  'additional-name': ['middle name'],
  'family-name': ['last name', 'family name', 'surname'],
  bday: ['date of birth', 'birthday'],
  'address-line1': ['address', 'street'],
  'address-level2': ['city'],
  'postal-code': ['postal code', 'postcode', 'zip code'],
  organization: ['company', 'company name'],
  'organization-title': ['job title'],
  email: ['email'],
  tel: ['phone'],
};

function autocompleteFor(element: DataElement): string | undefined {
  if (element.type === 'email') return 'email';
  if (element.type === 'phone') return 'tel';
  if (element.type === 'state' || element.type === 'state-code') return 'address-level1';
  if (isCountry(element)) return element.options.length === 0 ? 'country' : 'country-name';
  const label = element.label.trim().toLowerCase();
  return Object.keys(usualLabels).find((purpose) => usualLabels[purpose]?.includes(label));
}
