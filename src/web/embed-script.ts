import { catalogues } from '../i18n/catalogue.ts';

/** The line of `public/embed.js` that receives the texts. */
const noWords = 'const words = {};';

/**
 * The script for other sites, with its texts in every language: it needs them when nothing else of ours
 * loads.
 */
export function embedScript(source: string): string {
  if (!source.includes(noWords)) throw new Error(`embed.js has no ${noWords}`);
  const words = Object.entries(catalogues).map(([tag, { embed, problems }]) => [
    tag.slice(0, 2),
    [embed.notLoaded, problems.again, embed.openOutside],
  ]);
  return source.replace(noWords, () => `const words = ${JSON.stringify(Object.fromEntries(words))};`);
}
