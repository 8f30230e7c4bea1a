import { catalogues } from '../i18n/catalogue.ts';

/** Where `public/embed.js` gets its texts. */
const noWords = 'const words = {};';

/**
 * The script as other sites get it: with its texts in every language, for when nothing else of ours arrives there.
 */
export function embedScript(source: string): string {
  if (!source.includes(noWords)) throw new Error(`embed.js has no ${noWords}`);
  const words = Object.entries(catalogues).map(([tag, { embed, problems }]) => [
    tag.slice(0, 2),
    [embed.notLoaded, problems.again, embed.openOutside],
  ]);
  return source.replace(noWords, () => `const words = ${JSON.stringify(Object.fromEntries(words))};`);
}
