import { hash } from 'node:crypto';
import {
  fold,
  type Move,
  type Rules,
  type Setting,
  Violation,
  Walked,
  type World,
} from './every-schedule-world.ts';

interface Reached {
  readonly world: World;
  readonly name: string;
  readonly from: Reached | undefined;
}

/** Walks breadth first through every order of events and stops at the first wrong state. */
export function walk(setting: Setting, rules: Rules) {
  const walked = new Walked(setting, rules);
  const known = new Map<string, number>();
  const calm: number[][] = [];
  const resting = new Set<number>();
  let front: Reached[] = [];
  let ends = 0;

  const number = (reached: Reached, next: Reached[]): number => {
    const key = hash('md5', fold(reached.world), 'base64');
    const before = known.get(key);
    if (before !== undefined) return before;
    known.set(key, known.size);
    next.push(reached);
    return known.size - 1;
  };
  number({ world: walked.start(), name: 'start', from: undefined }, front);
  let current = 0;
  while (front.length > 0) {
    const next: Reached[] = [];
    for (const reached of front) {
      const here = current;
      current += 1;
      const edges: number[] = [];
      try {
        if (walked.isAtRest(reached.world)) {
          ends += 1;
          resting.add(here);
          walked.judge(reached.world);
        }
        let moves = 0;
        for (const { name, isCalm, to } of walked.moves(reached.world) as Iterable<Move>) {
          moves += 1;
          const there = number({ world: to, name, from: reached }, next);
          if (isCalm && there !== here) edges.push(there);
        }
        if (moves === 0 && !resting.has(here))
          throw new Violation('nothing can happen any more, and it is not at rest');
      } catch (problem) {
        const what = problem instanceof Violation ? problem.message : String((problem as Error).stack);
        return { states: known.size, ends, violation: `${what}\n${pathTo(reached)}` };
      }
      calm.push(edges);
    }
    front = next;
  }
  const restless = findCycle(calm);
  const violation = restless === undefined ? undefined : `it never comes to rest (state ${restless})`;
  return { states: known.size, ends, violation };
}

function pathTo(reached: Reached): string {
  const names: string[] = [];
  for (let each: Reached | undefined = reached; each !== undefined; each = each.from)
    names.push(`${each.world.now} ${each.name}`);
  return `${names.reverse().join('\n')}\n${JSON.stringify(reached.world, undefined, 1)}`;
}

/** Finds a state of a cycle in the graph of calm moves: the world would never come to rest. */
function findCycle(edges: readonly (readonly number[])[]): number | undefined {
  const colour = new Uint8Array(edges.length);
  for (let start = 0; start < edges.length; start += 1) {
    if (colour[start] !== 0) continue;
    const stack: [number, number][] = [[start, 0]];
    colour[start] = 1;
    while (stack.length > 0) {
      const top = stack.at(-1) as [number, number];
      const next = edges[top[0]]?.[top[1]];
      top[1] += 1;
      if (next === undefined) {
        colour[top[0]] = 2;
        stack.pop();
      } else if (colour[next] === 1) return next;
      else if (colour[next] === 0) {
        colour[next] = 1;
        stack.push([next, 0]);
      }
    }
  }
  return undefined;
}
