/** The sandbox's centers and some of its people. */
export const centers = [
  { id: 'b00c5000-0000-4000-8000-000000000001', name: 'Harbour Books' },
  { id: 'ba4c0000-0000-4000-8000-000000000001', name: 'Alster Bank' },
  { id: '0ca11000-0000-4000-8000-000000000001', name: 'Lindgren University' },
] as const;

export const people: readonly string[] = [
  'anna@example.org',
  'jonas@example.org',
  'salma@example.org',
  'emil@example.org',
  'claire@example.org',
  'lena@example.org',
  'new.reader@example.org',
];
