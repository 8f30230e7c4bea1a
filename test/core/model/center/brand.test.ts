import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Brand, brandColours, brandFaults, unbranded } from '../../../../src/core/model/center/brand.ts';
import { contrast, toOklch } from '../../../../src/core/model/center/colour.ts';

const plain: Brand = { ...unbranded, name: 'Harbour Books' };
const font = { family: 'A', fontFile: 'a.woff2', weight: undefined, style: undefined };
const linksTo = (href: string) => [{ label: { en: 'Shop' }, href }];

const cases: readonly [changes: Partial<Brand>, fault: RegExp | undefined][] = [
  [{}, undefined],
  [{ accent: '#1f5eff' }, undefined],
  [{ accent: '#8a1c4a', accentDark: '#f0a0c0' }, undefined],
  [{ accent: '#000000' }, undefined],
  [{ accent: 'red' }, /accent must be a colour/],
  [{ accent: '#fff' }, /accent must be a colour/],
  [{ accent: '#1f5eff;}' }, /accent must be a colour/],
  [{ accent: '#ffcc00' }, /contrast of 1\.\d on light surfaces/],
  [{ accent: '#1f5eff', accentDark: '#1f3eaa' }, /contrast of [12]\.\d on dark surfaces/],
  [{ accentDark: '#8fb0ff' }, /needs an accent/],
  [{ radius: 0 }, undefined],
  [{ radius: 32 }, undefined],
  [{ radius: 33 }, /radius/],
  [{ radius: -1 }, /radius/],
  [{ radius: Number.NaN }, /radius/],
  [{ font: '"Source Serif 4", Georgia, serif' }, undefined],
  [{ font: '-apple-system, system-ui' }, undefined],
  [{ font: 'Arial; } body { display: none' }, /font/],
  [{ font: '"Arial' }, /font/],
  [{ font: 'url(https://evil.example)' }, /font/],
  [{ stylesheetUrl: 'https://brand.example/style.css?v=1' }, undefined],
  [{ stylesheetUrl: 'http://brand.example/style.css' }, /stylesheetUrl must be an https/],
  [{ stylesheetUrl: 'https://brand.example/;script-src *' }, /stylesheetUrl/],
  [{ logoUrl: 'https://brand.example/logo.svg' }, undefined],
  [{ logoUrl: 'javascript:alert(1)' }, /logoUrl/],
  [{ background: '#fff8ee', backgroundDark: '#201a12' }, undefined],
  [{ background: '#808080' }, /background leaves text a contrast of \d\.\d; it needs 4\.5/],
  [{ backgroundDark: '#f0f0f0' }, /backgroundDark leaves text/],
  [{ background: 'white' }, /background must be a colour/],
  [{ accent: '#1f5eff', background: '#c9d8ff' }, /accent has a contrast of 3\.\d on light surfaces/],
  [{ fonts: [{ ...font, family: 'Harbour Sans', weight: '100 900', style: 'italic' }] }, undefined],
  [{ fonts: [{ ...font, family: 'A";}' }] }, /fonts: family/],
  [{ fonts: [{ ...font, weight: 'bold;' }] }, /fonts: weight/],
  [{ showName: false }, /showName may be false only beside a logoUrl/],
  [{ showName: false, logoUrl: 'https://brand.example/logo.svg' }, undefined],
  [{ headerLinks: linksTo('https://shop.example/?a=b') }, undefined],
  [{ footerLinks: linksTo('mailto:help@shop.example') }, undefined],
  [{ footerLinks: linksTo('tel:+44-20-7946') }, undefined],
  [{ headerLinks: linksTo('javascript:alert(1)') }, /headerLinks and footerLinks must/],
  [{ footerLinks: linksTo('http://shop.example') }, /headerLinks and footerLinks must/],
  [{ footerLinks: linksTo('/centers/a/unsubscribe') }, /headerLinks and footerLinks must/],
];

for (const [changes, fault] of cases) {
  test(`a brand with ${JSON.stringify(changes)} has ${fault === undefined ? 'no fault' : 'a fault'}`, () => {
    const faults = brandFaults({ ...plain, ...changes });
    if (fault === undefined) assert.deepEqual(faults, []);
    else assert.match(faults.join('\n'), fault);
  });
}

test('the contrast of two colours follows WCAG', () => {
  assert.equal(contrast('#000000', '#ffffff').toFixed(2), '21.00');
  assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48');
  assert.equal(contrast('#1f5eff', '#1f5eff'), 1);
});

test('an accent that passes on light surfaces gets one that passes on dark ones, with text on both', () => {
  for (const accent of ['#000000', '#1f5eff', '#8a1c4a', '#0b6b3a', '#7a4b00', '#333399']) {
    assert.deepEqual(brandFaults({ ...plain, accent }), []);
    const colours = brandColours({ ...plain, accent });
    assert.ok(colours);
    assert.ok(contrast(colours.accentDark, '#171b23') >= 6, colours.accentDark);
    assert.ok(contrast(colours.accentDark, colours.onAccentDark) >= 4.5);
    assert.ok(contrast(colours.accent, colours.onAccent) >= 4.5);
  }
});

test('the accent for dark surfaces keeps the hue of the brand', () => {
  for (const accent of ['#1f5eff', '#8a1c4a', '#0b6b3a', '#7a4b00', '#333399', '#b00020']) {
    const dark = brandColours({ ...plain, accent })?.accentDark ?? '';
    const [before, after] = [accent, dark].map((colour) => (toOklch(colour).hue * 180) / Math.PI);
    assert.ok(before !== undefined && after !== undefined, accent);
    assert.ok(Math.abs(before - after) < 4, `${accent}: ${before} became ${after}`);
  }
});
