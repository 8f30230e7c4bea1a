import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { withSoftHyphens } from '../../src/i18n/soft-hyphens.ts';

const seen = (text: string, language: string) => withSoftHyphens(text, language).replaceAll('\u00ad', '|');

suite('A long word', () => {
  test('breaks in German between its parts', () => {
    const words = [
      ...['Daten|schutz|einstellungen', 'Kunden|zufrie|den|heits|umfragen', 'News|letter|abonnement'],
      ...['Geburtstags|gut|scheine', 'Bestell|bestätigungen', 'Neu|er|scheinungen', 'Rückgabe|richt|linien'],
      ...['Donau|dampf|schiff|fahrts|gesellschaft', 'Kredit|karten|ab|rechnung', 'her|unter|ge|la|dene'],
      ...['Ver|anstal|tungs|einladungen', 'Verlags|ver|öffent|li|chun|gen', 'Wieder|einschalten'],
    ];
    for (const word of words) assert.equal(seen(word.replaceAll('|', ''), 'de-AT'), word);
  });

  test('breaks in Finnish between syllables, and keeps a part whole that begins with a vowel', () => {
    const words = ['suo|ra|mark|ki|nointi', 'asia|kas|oh|jelma', 'ilmoi|tus|ase|tuk|set'];
    for (const word of [...words, 'käyt|tö|oi|keus|so|pi|mus'])
      assert.equal(seen(word.replaceAll('|', ''), 'fi'), word);
  });

  test('keeps its letters, and stays unchanged if it is short or of another language', () => {
    const text = 'Ihre Einstellungen: Produktempfehlungen, name@example.org';
    assert.equal(withSoftHyphens(text, 'de').replaceAll('\u00ad', ''), text);
    assert.match(seen(text, 'de'), /^Ihre Einstellungen: Produkt\|empfehlungen, name@/);
    const endless = 'einstellung'.repeat(20);
    assert.equal(withSoftHyphens(endless, 'de'), endless);
    for (const language of ['en', 'fr', 'ar', 'ja']) assert.equal(withSoftHyphens(text, language), text);
  });
});
