const foreignValues: readonly unknown[] = [
  ...[null, true, false, 0, -1, 3.7, 1e308, '', '   ', '\u0000', '\ud800', '\u202e', '\u202eمرحبا'],
  ...['<script>alert(1)</script>', '<h1>another</h1></main></body>', '"><img src=x onerror=alert(1)>'],
  ...['<%= 1 %>', '{count}', '{name}', '__proto__', 'constructor', 'MULTIPAGE', 'ORIGINAL'],
  ...['VISIBLE_TO_CONSENTED', 'HARD_OPT_OUT', 'PENDING', 'ar', 'zh-Hant-TW', 'not a language'],
  ...['xx-yy-zz-1-2-3', '2024-02-30', 'x'.repeat(3_000)],
  ...[[], {}, [null], [[[]]], [{}], ['text'], { 0: 'x', length: 1 }, { toString: 1, valueOf: null }],
  JSON.parse('{"__proto__":{"polluted":true}}'),
];

/** A copy of `value` in which about `rate` of all places have changed at random. */
export function mutated(value: unknown, random: () => number, rate: number): unknown {
  const pieces: unknown[] = [];
  collect(value, pieces);
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];

  function change(node: unknown, depth: number): unknown {
    if (random() < rate) {
      const fate = random();
      if (fate < 0.5) return pick(foreignValues);
      if (fate < 0.8) return pick(pieces);
      return wrap(node, random);
    }
    if (depth > 40) return undefined;
    if (Array.isArray(node)) return changeList(node, depth);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(
      Object.entries(node).flatMap(([name, member]): [string, unknown][] => {
        const fate = random() / rate;
        if (fate < 0.4) return [];
        if (fate < 0.6) return [[flipped(name), member]];
        if (fate < 0.7) return [[JSON.stringify(pick(foreignValues)) ?? '', member]];
        return [[name, change(member, depth + 1)]];
      }),
    );
  }

  function changeList(items: readonly unknown[], depth: number): unknown[] {
    const changed = items.flatMap((item) => {
      const fate = random() / rate;
      if (fate < 0.4) return [];
      if (fate < 0.7) return [item, change(item, depth + 1)];
      return [change(item, depth + 1)];
    });
    if (random() < rate) return changed.reverse();
    return random() < rate / 8 ? Array.from({ length: 40 }, () => changed).flat() : changed;
  }

  return change(value, 0);
}

function collect(node: unknown, into: unknown[]): void {
  into.push(node);
  if (typeof node === 'object' && node !== null)
    for (const inner of Object.values(node)) collect(inner, into);
}

function wrap(node: unknown, random: () => number): unknown {
  const fate = random();
  if (fate < 0.3) return [node];
  if (fate < 0.6) return { value: node };
  if (fate < 0.8) return JSON.stringify(node);
  return Array.isArray(node) ? Object.assign({}, node) : [node, node];
}

function flipped(name: string): string {
  const first = name.charAt(0);
  const other = first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase();
  return other + name.slice(1);
}
