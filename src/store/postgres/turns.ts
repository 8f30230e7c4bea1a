/** So many at most go into one transaction, which holds their people's rows until it ends. */
const most = 50;
/** So many groups at most are written at the same time: the pool is for others, too. */
const mostGroups = 3;

interface Writes<Given, Result> {
  /** In one transaction, in this order. */
  together(group: readonly Given[]): Promise<readonly Result[]>;
  alone(given: Given): Promise<Result>;
  /** Whoever takes locks takes them in this order. */
  orderOf(given: Given): string;
  /** Else each goes by itself. */
  mayJoin(given: Given): boolean;
}

interface Waiting<Given, Result> {
  readonly given: Given;
  readonly order: string;
  readonly resolve: (result: Result) => void;
  readonly reject: (fault: unknown) => void;
}

/**
 * What comes in within one turn of the event loop, or while others are being written, goes in one transaction. Where
 * that fails, each goes by itself: none takes another along. Of equal order only one group is written at a time, so that
 * none overtakes another one that came before it.
 */
export function oncePerTurn<Given, Result>(writes: Writes<Given, Result>) {
  let waiting: Waiting<Given, Result>[] = [];
  const inHand = new Set<string>();
  let groups = 0;
  let isSet = false;

  function flush(): void {
    isSet = false;
    while (groups < mostGroups) {
      const group = waiting.filter(({ order }) => !inHand.has(order)).slice(0, most);
      if (group.length === 0) return;
      const taken = new Set(group);
      waiting = waiting.filter((each) => !taken.has(each));
      for (const { order } of group) inHand.add(order);
      groups += 1;
      void write(group).finally(() => {
        groups -= 1;
        for (const { order } of group) inHand.delete(order);
        flush();
      });
    }
  }

  async function write(group: readonly Waiting<Given, Result>[]): Promise<void> {
    const sorted = group.toSorted((one, other) => compare(one.order, other.order));
    const isOne = group.length > 1 && group.every(({ given }) => writes.mayJoin(given));
    const given = sorted.map((each) => each.given);
    const results = isOne ? await writes.together(given).catch(() => undefined) : undefined;
    for (const [index, { given, resolve, reject }] of sorted.entries()) {
      if (results === undefined) await writes.alone(given).then(resolve, reject);
      else resolve(results[index] as Result);
    }
  }

  return (given: Given): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ given, order: writes.orderOf(given), resolve, reject });
      if (isSet || groups >= mostGroups) return;
      isSet = true;
      setImmediate(flush);
    });
}

/** Of equal ones the order stays: it is the order of submission. */
function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
