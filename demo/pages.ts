import { html, Markup } from './html.ts';
import { books, centers, people } from './people.ts';

/** Ways to show the preferences on the page: an element, a single script tag, or a plain frame. */
export const ways = ['element', 'script', 'frame'] as const;
export type Way = (typeof ways)[number];

/** Colour schemes of the shop: `auto` follows the reader's system. */
export const schemes = ['auto', 'light', 'dark'] as const;
export type Scheme = (typeof schemes)[number];

const wayNames: Readonly<Record<Way, string>> = {
  element: 'the element',
  script: 'one script tag',
  frame: 'a plain frame, no script',
};
const schemeNames: Readonly<Record<Scheme, string>> = {
  auto: 'as you like it',
  light: 'light',
  dark: 'dark',
};

export function homePage({ sayso }: { sayso: string }): string {
  return page({
    title: 'Harbour Books: novels, maps and tales of the sea',
    description: 'A made-up bookshop by the water. Its account page shows a preference center in a frame.',
    scheme: 'auto',
    account: undefined,
    main: html`<section class="hero">
<h1>Harbour Books</h1>
<p>Novels, maps and tales of the sea, from a small shop by the water.</p>
<p><a class="button" href="#sign-in">Sign in</a></p>
</section>
<section class="wide" aria-labelledby="new">
<h2 id="new">New this week</h2>
<ul class="shelf">
${books.map(
  ({ title, author, price, cover }) => html`<li>
<p class="cover ${cover}" aria-hidden="true"><span>${title}</span></p>
<h3>${title}</h3>
<p class="quiet">${author}</p>
<p class="price">${price}</p>
</li>
`,
)}</ul>
</section>
<section class="wide panel" aria-labelledby="sign-in">
<h2 id="sign-in">Sign in as</h2>
<p>The shop is made up, and so are its customers. Their account page shows what they have agreed to, straight from
<a href="${sayso}">the preference center</a>, in a frame that needs neither cookies nor scripts.</p>
<ul class="people">${people.map(
      (person) => html`<li><a href="/account?as=${encodeURIComponent(person)}">${person}</a></li>`,
    )}</ul>
</section>`,
  });
}

export interface Account {
  readonly center: { readonly id: string; readonly name: string };
  readonly person: string;
  readonly way: Way;
  readonly scheme: Scheme;
  readonly language: string | undefined;
  readonly ticket: string;
  readonly sayso: string;
}

export function accountPage(account: Account): string {
  return page({
    title: 'News and privacy – Harbour Books',
    description: 'What Harbour Books may write to you about, and how.',
    scheme: account.scheme,
    account: account.person,
    main: html`<div class="wide account">
<nav class="menu" aria-label="My account">
<p class="hello">Hello,<br><b>${account.person}</b></p>
<ul>
<li><a href="${hrefOf(account, {})}" aria-current="page">News and privacy</a></li>
<li><a href="/#new">New this week</a></li>
<li><a href="/#sign-in">Sign in as someone else</a></li>
</ul>
</nav>
<div>
<h1>News and privacy</h1>
<p class="quiet">What we may write to you about, and how. It takes effect at once.</p>
${embedded(account)}
</div>
</div>
${workbench(account)}
<script src="/site.js" defer></script>`,
  });
}

/** The only lines that a customer needs. The shop itself shows its name and the signed-in person. */
function embedded({ center, way, ticket, language, scheme, sayso }: Account): Markup {
  const attribute = (name: string) => (language === undefined ? '' : html` ${name}="${language}"`);
  if (way === 'script') {
    return html`<script src="${sayso}/embed.js" data-center="${center.id}" data-ticket="${ticket}"${attribute('data-lang')} data-label="My preferences" data-hide="brand identity"></script>`;
  }
  if (way === 'frame') {
    const query = {
      ticket,
      scheme,
      hide: 'brand identity',
      ...(language === undefined ? {} : { lang: language }),
    };
    return html`<iframe class="plain" title="My preferences" src="${sayso}/embed/${center.id}?${new URLSearchParams(query)}"></iframe>`;
  }
  return html`<script src="${sayso}/embed.js" async></script>
<sayso-preferences center="${center.id}" ticket="${ticket}"${attribute('lang')} label="My preferences" hide="brand identity"></sayso-preferences>`;
}

/** Controls for readers of the demo; a real shop has none. */
function workbench(account: Account): Markup {
  const choices = [
    choice(
      'Shown by',
      ways.map((way) => link(hrefOf(account, { way }), wayNames[way], way === account.way)),
    ),
    choice(
      'The center of',
      centers.map(({ id, name }) => link(hrefOf(account, { center: id }), name, id === account.center.id)),
    ),
    choice(
      'This page is',
      schemes.map((scheme) =>
        link(hrefOf(account, { scheme }), schemeNames[scheme], scheme === account.scheme),
      ),
    ),
  ];
  return html`<section class="wide panel" aria-labelledby="workbench">
<h2 id="workbench">Behind the counter</h2>
<p class="quiet">A shop has none of this. It is for trying the frame out.</p>
<dl>${choices}</dl>
<h3>What the page heard</h3>
<ol id="heard"></ol>
</section>`;
}

function hrefOf(
  { person, center, way, scheme, language }: Account,
  change: { way?: Way; center?: string; scheme?: Scheme },
): string {
  const query = { as: person, center: center.id, way, scheme, ...change };
  return `/account?${new URLSearchParams(language === undefined ? query : { ...query, lang: language })}`;
}

function choice(name: string, links: readonly Markup[]): Markup {
  return html`<dt>${name}</dt><dd><ul>${links}</ul></dd>`;
}

function link(href: string, name: string, isCurrent: boolean): Markup {
  return html`<li><a href="${href}"${isCurrent ? new Markup(' aria-current="true"') : ''}>${name}</a></li>`;
}

function page(content: {
  readonly title: string;
  readonly description: string;
  readonly scheme: Scheme;
  readonly account: string | undefined;
  readonly main: Markup;
}): string {
  const { title, description, scheme, account, main } = content;
  return String(html`<!doctype html>
<html lang="en" data-scheme="${scheme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${description}">
<title>${title}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="preload" as="font" type="font/woff2" href="/literata.woff2" crossorigin>
<link rel="stylesheet" href="/site.css">
</head>
<body>
<header class="top">
<div class="wide">
<p class="name"><a href="/"><svg viewBox="0 0 32 32" width="32" height="32" aria-hidden="true"><path d="M15 3v16H5z"/><path d="M17 7l9 12h-9z"/><path d="M3 22h26l-4 6H7z"/></svg>Harbour Books</a> <span class="demo">a demo</span></p>
<nav aria-label="Shop"><ul>
<li><a href="/#new">Books</a></li>
<li>${account === undefined ? html`<a href="/#sign-in">Sign in</a>` : html`<a href="/account?as=${encodeURIComponent(account)}">My account</a>`}</li>
</ul></nav>
</div>
</header>
<main>
${main}
</main>
<footer>
<div class="wide">
<p><b>Harbour Books</b><br>3 Quayside, open every day from ten to six</p>
<p>A made-up shop that shows how a preference center is embedded. Nothing can be bought here.</p>
</div>
</footer>
</body>
</html>
`);
}
