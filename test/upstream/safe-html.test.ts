import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { safeHtml } from '../../src/upstream/safe-html.ts';
import { times } from '../chaos/dice.ts';
import { cpuMilliseconds } from '../kit/cpu.ts';

const apart = 'rel="noopener noreferrer" target="_blank"';

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
  ['<a href="https://a.example/?b=c&amp;d">x</a>', `<a href="https://a.example/?b=c&amp;d" ${apart}>x</a>`],
  ['<a href="mailto:a@example.org">x</a>', '<a href="mailto:a@example.org">x</a>'],
  ['<a href="tel:+4912345">x</a>', '<a href="tel:+4912345">x</a>'],
  ['<a href="HTTP://EXAMPLE.org">x</a>', `<a href="http://example.org/" ${apart}>x</a>`],
  ['مرحبا <b>بكم</b>', 'مرحبا <b>بكم</b>'],
];

/** Hostile HTML, each with what its report must match; many have no report. */
const hostile: readonly (readonly [html: string, says?: RegExp])[] = [
  ['<script>alert(1)</script>', /<script>/],
  ['<SCRIPT SRC=//x.example></SCRIPT>', /<script>/],
  ['<img src=x onerror=alert(1)>', /onerror/],
  ['<img src="https://example.org/pixel.gif">', /<img>/],
  ['<svg onload=alert(1)><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>', /<svg>/],
  ['<p onclick="alert(1)">x</p>', /onclick/],
  ['<a href="javascript:alert(1)">x</a>', /address/],
  ['<a href=" &#106;avascript:alert(1)">x</a>', /address/],
  ['<a href="data:text/html,<script>alert(1)</script>">x</a>', /address/],
  ['<a href="//evil.example/">x</a>', /address/],
  ['<a href="/centers/x">x</a>', /address/],
  ['<a href="https://bank.example@evil.example/">x</a>', /address/],
  ['<a href="https://example.org/" target="_self" rel="opener" onmouseover="alert(1)">x</a>', /onmouseover/],
  ['<iframe srcdoc="<script>alert(1)</script>"></iframe>', /<iframe>/],
  ['<object data="x"></object><embed src="x">', /<object>|<embed>/],
  ['<form action="https://evil.example"><input name=p><button>Go</button></form>', /<form>/],
  ['<style>*{background:url(//x)}</style>', /<style>/],
  [
    '<base href="//x"><link rel=stylesheet href="//x"><meta http-equiv=refresh content="0;url=//x">',
    /<base>/,
  ],
  ['<details open ontoggle=alert(1)>x</details>', /ontoggle/],
  ['<x-y onfocus=alert(1) autofocus tabindex=1>x</x-y>', /<x-y>/],
  ...[
    '<scr<script>ipt>alert(1)</scr</script>ipt>',
    '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
    '<a href="java\tscript:alert(1)">x</a>',
    '<a href="jav&#x0A;ascript:alert(1)">x</a>',
    '<a href="vbscript:x">x</a>',
    '<p style="background:url(javascript:alert(1))">x</p>',
    '<template><script>alert(1)</script></template>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    '<textarea><script>alert(1)</script></textarea>',
    '<xmp><script>alert(1)</script></xmp>',
    '<title><img src=x onerror=alert(1)></title>',
    '<!--><script>alert(1)</script>-->',
    '<![CDATA[<script>alert(1)</script>]]>',
    '<?xml version="1.0"?><script>alert(1)</script>',
    '<h1 title="></h1><script>alert(1)</script>">x</h1>',
    '<h2/><img src=x onerror=alert(1)>',
    '<video><source onerror=alert(1)></video>',
    '<p\u0000 onclick=alert(1)>x</p>',
    `${'<div>'.repeat(5_000)}x`,
    '<a href="https://x.example/"><a href="javascript:alert(1)">x</a></a>',
    '\u003cscript\u003ealert(1)\u003c/script\u003e',
    '<p>&lt;img src=x onerror=alert(1)&gt;</p>',
    '<<p>script>alert(1)<</p>/script>',
  ].map((html): [string] => [html]),
];

/** Every tag of safe HTML must match this letter for letter. */
const allowedTag =
  /^<(\/?(p|div|span|strong|b|em|i|u|s|small|sub|sup|ul|ol|li|blockquote|a)|br \/|a href="(https?:\/\/|mailto:|tel:)[^"<>]*"( rel="noopener noreferrer" target="_blank")?)>$/;

function assertSafe(html: string): void {
  for (const [tag] of html.matchAll(/<[^>]*>?/g)) assert.match(tag, allowedTag);
  assert.equal(/(?![\t\n\r])\p{Cc}/u.test(html), false);
}

function madeSafe(html: string) {
  const { html: safe, removed } = safeHtml(html);
  return { safe, removed: [...removed] };
}

describe('safe HTML', () => {
  for (const [html, expected] of kept)
    it(`safe HTML keeps ${html}`, () => assert.equal(safeHtml(html).html, expected));

  for (const [html, says] of hostile) {
    it(`safe HTML makes ${html.slice(0, 80)} harmless`, () => {
      const { safe, removed } = madeSafe(html);
      assertSafe(safe);
      assert.equal(safeHtml(safe).html, safe, 'a second pass changes nothing');
      if (says !== undefined) assert.match(removed.join('; '), says);
    });
  }

  it('removed decoration is not reported', () => {
    const dressed = '<h1 class="x">a</h1><p style="color:red" id="b">c</p><font color="red">d</font>';
    assert.deepEqual(madeSafe(dressed).removed, []);
  });

  it('a report names the kind of a removed part, and never its content', () => {
    const { removed } = madeSafe('<a href="javascript:canary">x</a><canary"quote>y</canary"quote>');
    assert.ok(removed.length > 0);
    assert.doesNotMatch(removed.join(), /javascript|"/);
  });

  it('a long text is cut, and the cut is reported', () => {
    const { safe, removed } = madeSafe(`<p>${'x'.repeat(100_000)}</p>`);
    assert.ok(safe.length < 20_100);
    assert.deepEqual(removed, ['everything after 20000 characters']);
  });

  it('hostile HTML takes little time', async () => {
    for (const piece of [
      ...['<', '<h1', '<h1 ', '<h1 a="', '</h1 ', '<a href="', '&', '<p>', '<h1>', '<svg>', '<!--'],
      ...['</p><noscript>', '<iframe>&lt;iframe&gt;'],
    ]) {
      const html = piece.repeat(20_000 / piece.length);
      assertSafe(safeHtml(html).html);
      assert.ok((await cpuMilliseconds(() => safeHtml(html), 25)) <= 25, piece);
    }
  });

  it('any combination of pieces of HTML becomes safe', () => {
    const pieces = [
      ...['<', '>', '"', "'", '=', '/', '<p', '<a href=', 'https://x.example', 'javascript:'],
      ...['<script>', '</script>', '<svg', '<style>', '</style>', ' onload=', '<!--', '-->'],
      ...['&lt;', '&#60;', '&', 'x', ' ', '<h1', '</h1>', '<textarea>', '<math>', '\u0000'],
      ...['<![CDATA[', ']]>'],
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (parts) => {
        const safe = safeHtml(parts.join('')).html;
        assertSafe(safe);
      }),
      { numRuns: times(400, 2_000) },
    );
  });
});
