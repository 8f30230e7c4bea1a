/** Text that is HTML already. */
export class Markup {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}

/** Escapes all values but markup; the items of an array are joined. */
export function html(parts: TemplateStringsArray, ...values: unknown[]): Markup {
  return new Markup(String.raw({ raw: parts }, ...values.map(escaped)));
}

function escaped(value: unknown): string {
  if (Array.isArray(value)) return value.map(escaped).join('');
  if (value instanceof Markup) return String(value);
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  return String(value).replace(/[&<>"]/g, (letter) => entities[letter] ?? letter);
}
