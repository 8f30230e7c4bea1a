/** The centers of the sandbox. */
export const centers = [
  { id: 'b00c5000-0000-4000-8000-000000000001', name: 'Harbour Books' },
  { id: 'ba4c0000-0000-4000-8000-000000000001', name: 'Alster Bank' },
  { id: '0ca11000-0000-4000-8000-000000000001', name: 'Lindgren University' },
] as const;

/** Some people of the sandbox. */
export const people: readonly string[] = [
  'anna@example.org',
  'jonas@example.org',
  'salma@example.org',
  'emil@example.org',
  'claire@example.org',
  'lena@example.org',
  'new.reader@example.org',
];

/** Books of the shop; none can be bought. */
export const books = [
  { title: 'The Lighthouse Keeper’s Year', author: 'Ines Albrecht', price: '€ 22.00', cover: 'lighthouse' },
  { title: 'Salt and Paper', author: 'Tomás Reyes', price: '€ 18.50', cover: 'salt' },
  { title: 'A Map of Small Islands', author: 'Freya Holm', price: '€ 34.00', cover: 'map' },
  { title: 'The Ferry at Night', author: 'Noor Haddad', price: '€ 16.00', cover: 'ferry' },
  { title: 'What the Reef Remembers', author: 'Mele Tau', price: '€ 24.00', cover: 'reef' },
  { title: 'Winter Harbour', author: 'Jan de Wit', price: '€ 19.00', cover: 'winter' },
] as const;
