import { centers, people } from './people.ts';

/** How the preferences come into the page: as an element, by a script tag alone, or as a plain frame. */
export const ways = ['element', 'script', 'frame'] as const;
export type Way = (typeof ways)[number];

const wayNames: Readonly<Record<Way, string>> = {
  element: 'the element',
  script: 'one script tag',
  frame: 'a plain frame, no script',
};

export function homePage({ sayso }: { sayso: string }): string {
  const rows = people.map(
    (person) => html`<li><a href="/account?as=${encodeURIComponent(person)}">${person}</a></li>`,
  );
  return page(
    'Harbour Books',
    html`<h1>Harbour Books</h1>
<p>A made-up shop. Its account page shows what somebody has agreed to, straight from
<a href="${sayso}">the preference center</a>, in a frame that needs neither cookies nor scripts.</p>
<h2>Sign in as</h2>
<ul class="people">${new Markup(rows.join(''))}</ul>`,
  );
}

export interface Account {
  readonly center: { readonly id: string; readonly name: string };
  readonly person: string;
  readonly way: Way;
  readonly language: string | undefined;
  readonly ticket: string;
  readonly sayso: string;
}

export function accountPage(account: Account): string {
  const { center, person, way } = account;
  const hrefOf = (change: { way?: Way; center?: string }) =>
    `/account?${new URLSearchParams({ as: person, center: change.center ?? center.id, way: change.way ?? way })}`;
  const choices = [
    ...ways.map((each) => link(hrefOf({ way: each }), wayNames[each], each === way)),
    ...centers.map((each) => link(hrefOf({ center: each.id }), each.name, each.id === center.id)),
  ];
  return page(
    'My account',
    html`<nav aria-label="Ways and centers"><ul>${new Markup(choices.join(''))}</ul></nav>
<h1>My account</h1>
<p>Signed in as <b>${person}</b>. <a href="/">Be somebody else</a></p>
<h2>What I want to hear</h2>
${embedded(account)}
<h2>What the page heard</h2>
<ol id="heard" aria-live="polite"></ol>
<script src="/site.js" defer></script>`,
  );
}

/** The only lines that a customer needs. */
function embedded({ center, way, ticket, language, sayso }: Account): Markup {
  const attribute = (name: string) => (language === undefined ? '' : html` ${name}="${language}"`);
  if (way === 'script') {
    return html`<script src="${sayso}/embed.js" data-center="${center.id}" data-ticket="${ticket}"${attribute('data-lang')} data-label="My preferences"></script>`;
  }
  if (way === 'frame') {
    const query = new URLSearchParams({ ticket, ...(language === undefined ? {} : { lang: language }) });
    return html`<iframe class="plain" title="My preferences" src="${sayso}/embed/${center.id}?${query}"></iframe>`;
  }
  return html`<script src="${sayso}/embed.js" async></script>
<sayso-preferences center="${center.id}" ticket="${ticket}"${attribute('lang')} label="My preferences"></sayso-preferences>`;
}

function link(href: string, name: string, isCurrent: boolean): Markup {
  return html`<li><a href="${href}"${isCurrent ? new Markup(' aria-current="page"') : ''}>${name}</a></li>`;
}

function page(title: string, main: Markup): string {
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – demo</title>
<link rel="stylesheet" href="/site.css">
</head>
<body>
<header><p>Harbour Books <span>a demo</span></p></header>
<main>
${main}
</main>
</body>
</html>
`);
}

/** Text that is HTML already. */
class Markup {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}

/** Everything put into it is text, unless it is markup. */
function html(parts: TemplateStringsArray, ...values: unknown[]): Markup {
  return new Markup(String.raw({ raw: parts }, ...values.map(escaped)));
}

function escaped(value: unknown): string {
  if (value instanceof Markup) return String(value);
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  return String(value).replace(/[&<>"]/g, (letter) => entities[letter] ?? letter);
}
