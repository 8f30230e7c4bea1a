import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { safeHtml } from '../../src/upstream/safe-html.ts';
import { times } from '../chaos/dice.ts';
import { cpuMilliseconds } from '../kit/cpu.ts';

const kept: readonly [string, string][] = [
  ['plain text', 'plain text'],
  ['it’s "quoted" — ok', 'it’s "quoted" — ok'],
  ['AT&T <3', 'AT&amp;T &lt;3'],
  ['&lt;script&gt;', '&lt;script&gt;'],
  ['&amp;&nbsp;&eacute;', '&amp;\u00a0é'],
  ['<p>one<br>two</p>', '<p>one<br />two</p>'],
  ['<ul><li><strong>a</strong></li></ul>', '<ul><li><strong>a</strong></li></ul>'],
  ['<P STYLE="color:red" CLASS="x" ID="y">a</P>', '<p>a</p>'],
  ['<h2>Title</h2><p>text</p>', '<p><strong>Title</strong></p><p>text</p>'],
  ['<p>never closed', '<p>never closed</p>'],
  ['</p></div>closed only', '<p></p>closed only'],
  [
    '<a href="https://example.org/a?b=c&amp;d=e">x</a>',
    '<a href="https://example.org/a?b=c&amp;d=e" rel="noopener noreferrer" target="_blank">x</a>',
  ],
  ['<a href="mailto:a@example.org">x</a>', '<a href="mailto:a@example.org">x</a>'],
  ['<a href="tel:+4912345">x</a>', '<a href="tel:+4912345">x</a>'],
  [
    '<a href="HTTP://EXAMPLE.org">x</a>',
    '<a href="http://example.org/" rel="noopener noreferrer" target="_blank">x</a>',
  ],
  ['مرحبا <b>بكم</b>', 'مرحبا <b>بكم</b>'],
];

const hostile: readonly { html: string; says?: RegExp }[] = [
  { html: '<script>alert(1)</script>', says: /<script>/ },
  { html: '<scr<script>ipt>alert(1)</scr</script>ipt>' },
  { html: '<SCRIPT SRC=//x.example></SCRIPT>', says: /<script>/ },
  { html: '<img src=x onerror=alert(1)>', says: /onerror/ },
  { html: '<img src="https://example.org/pixel.gif">', says: /<img>/ },
  {
    html: '<svg onload=alert(1)><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
    says: /<svg>/,
  },
  {
    html: '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
  },
  { html: '<p onclick="alert(1)">x</p>', says: /onclick/ },
  { html: '<a href="javascript:alert(1)">x</a>', says: /address/ },
  { html: '<a href=" &#106;avascript:alert(1)">x</a>', says: /address/ },
  { html: '<a href="java\tscript:alert(1)">x</a>' },
  { html: '<a href="jav&#x0A;ascript:alert(1)">x</a>' },
  { html: '<a href="data:text/html,<script>alert(1)</script>">x</a>', says: /address/ },
  { html: '<a href="vbscript:x">x</a>' },
  { html: '<a href="//evil.example/">x</a>', says: /address/ },
  { html: '<a href="/centers/x">x</a>', says: /address/ },
  { html: '<a href="https://bank.example@evil.example/">x</a>', says: /address/ },
  {
    html: '<a href="https://example.org/" target="_self" rel="opener" onmouseover="alert(1)">x</a>',
    says: /onmouseover/,
  },
  { html: '<iframe srcdoc="<script>alert(1)</script>"></iframe>', says: /<iframe>/ },
  { html: '<object data="x"></object><embed src="x">', says: /<object>|<embed>/ },
  { html: '<form action="https://evil.example"><input name=p><button>Go</button></form>', says: /<form>/ },
  { html: '<style>*{background:url(//x)}</style>', says: /<style>/ },
  { html: '<p style="background:url(javascript:alert(1))">x</p>' },
  {
    html: '<base href="//evil.example"><link rel=stylesheet href="//x"><meta http-equiv=refresh content="0;url=//x">',
    says: /<base>/,
  },
  { html: '<template><script>alert(1)</script></template>' },
  { html: '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>' },
  { html: '<textarea><script>alert(1)</script></textarea>' },
  { html: '<xmp><script>alert(1)</script></xmp>' },
  { html: '<title><img src=x onerror=alert(1)></title>' },
  { html: '<!--><script>alert(1)</script>-->' },
  { html: '<![CDATA[<script>alert(1)</script>]]>' },
  { html: '<?xml version="1.0"?><script>alert(1)</script>' },
  { html: '<h1 title="></h1><script>alert(1)</script>">x</h1>' },
  { html: '<h2/><img src=x onerror=alert(1)>' },
  { html: '<details open ontoggle=alert(1)>x</details>', says: /ontoggle/ },
  { html: '<video><source onerror=alert(1)></video>' },
  { html: '<x-y onfocus=alert(1) autofocus tabindex=1>x</x-y>', says: /<x-y>/ },
  { html: '<p\u0000 onclick=alert(1)>x</p>' },
  { html: `${'<div>'.repeat(5_000)}x` },
  { html: '<a href="https://x.example/"><a href="javascript:alert(1)">x</a></a>' },
  { html: '\u003cscript\u003ealert(1)\u003c/script\u003e' },
  { html: '<p>&lt;img src=x onerror=alert(1)&gt;</p>' },
  { html: '<<p>script>alert(1)<</p>/script>' },
];

/** What the browser would make tags of: each must be one of these, letter for letter. */
const allowedTag =
  /^<(\/?(p|div|span|strong|b|em|i|u|s|small|sub|sup|ul|ol|li|blockquote|a)|br \/|a href="(https?:\/\/|mailto:|tel:)[^"<>]*"( rel="noopener noreferrer" target="_blank")?)>$/;

function assertSafe(html: string): void {
  for (const [tag] of html.matchAll(/<[^>]*>?/g)) assert.match(tag, allowedTag);
  assert.equal(/(?![\t\n\r])\p{Cc}/u.test(html), false);
}

describe('safe HTML', () => {
  for (const [html, expected] of kept) it(`keeps ${html}`, () => assert.equal(safeHtml(html), expected));

  for (const { html, says } of hostile) {
    it(`makes ${html.slice(0, 80)} harmless`, () => {
      const removed: string[] = [];
      const safe = safeHtml(html, (what) => removed.push(what));
      assertSafe(safe);
      assert.equal(safeHtml(safe), safe, 'once is enough');
      if (says !== undefined) assert.match(removed.join('; '), says);
    });
  }

  it('has nothing to report of what only dresses a text up', () => {
    const removed: string[] = [];
    safeHtml('<h1 class="x">a</h1><p style="color:red" id="b">c</p><font color="red">d</font>', (what) =>
      removed.push(what),
    );
    assert.deepEqual(removed, []);
  });

  it('never repeats what it took out, only its kind', () => {
    const removed: string[] = [];
    safeHtml('<a href="javascript:canary">x</a><canary"quote>y</canary"quote>', (what) => removed.push(what));
    assert.equal(removed.join().includes('javascript'), false);
    assert.equal(removed.join().includes('"'), false);
  });

  it('is bounded, and says so', () => {
    const removed: string[] = [];
    const safe = safeHtml(`<p>${'x'.repeat(100_000)}</p>`, (what) => removed.push(what));
    assert.ok(safe.length < 20_100);
    assert.deepEqual(removed, ['everything after 20000 characters']);
  });

  it('is quick with what is made to be slow', async () => {
    for (const piece of [
      '<',
      '<h1',
      '<h1 ',
      '<h1 a="',
      '</h1 ',
      '<a href="',
      '&',
      '<p>',
      '<h1>',
      '<svg>',
      '<!--',
      '</p><noscript>',
      '<iframe>&lt;iframe&gt;',
    ]) {
      const html = piece.repeat(20_000 / piece.length);
      assertSafe(safeHtml(html));
      assert.ok((await cpuMilliseconds(() => safeHtml(html), 25)) <= 25, piece);
    }
  });

  it('is safe and settled for whatever is put together of HTML’s own pieces', () => {
    const pieces = [
      '<',
      '>',
      '"',
      "'",
      '=',
      '/',
      '<p',
      '<a href=',
      'https://x.example',
      'javascript:',
      '<script>',
      '</script>',
      '<svg',
      '<style>',
      '</style>',
      ' onload=',
      '<!--',
      '-->',
      '&lt;',
      '&#60;',
      '&',
      'x',
      ' ',
      '<h1',
      '</h1>',
      '<textarea>',
      '<math>',
      '\u0000',
      '<![CDATA[',
      ']]>',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (parts) => {
        const safe = safeHtml(parts.join(''));
        assertSafe(safe);
      }),
      { numRuns: times(400, 2_000) },
    );
  });
});
