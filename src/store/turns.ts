/** So many at most go into one transaction, which holds their people's rows until it ends. */
const most = 50;
/** So many groups at most are written at the same time: the pool is for others, too. */
const mostGroups = 3;
/** Of a group that failed so many go side by side. */
const sideBySide = 3;
/** So many of these in a row without an answer, and no other one is tried. */
const mostUnanswered = 6;

interface Writes<Given, Result> {
  /** In one transaction, in this order; fewer results: the rest was not written, for it took long. */
  together(group: readonly Given[]): Promise<readonly Result[]>;
  alone(given: Given): Promise<Result>;
  /** Locks are taken in this order. */
  orderOf(given: Given): string;
  /** Else each goes by itself. */
  mayJoin(given: Given): boolean;
  /** Of a fault: nothing of the one that was to be written is wrong, the store did not answer. */
  isUnanswered(fault: unknown): boolean;
}

interface Waiting<Given, Result> {
  readonly given: Given;
  readonly order: string;
  readonly resolve: (result: Result) => void;
  readonly reject: (fault: unknown) => void;
}

/**
 * What comes in within one turn of the event loop, or while others are being written, goes in one transaction. Where
 * that fails, each goes by itself: none takes another along. Where the store answers none, all are told.
 * Of equal order only one group is written at a time, and one after the other, so that none overtakes another one that
 * came before it.
 */
export function oncePerTurn<Given, Result>(writes: Writes<Given, Result>) {
  type One = Waiting<Given, Result>;
  let waiting: One[] = [];
  const inHand = new Set<string>();
  let groups = 0;
  let isSet = false;

  function flush(): void {
    isSet = false;
    while (groups < mostGroups) {
      const group = waiting.filter(({ order }) => !inHand.has(order)).slice(0, most);
      if (group.length === 0) return;
      waiting = waiting.filter((each) => !group.includes(each));
      for (const { order } of group) inHand.add(order);
      groups += 1;
      void write(group).finally(() => {
        groups -= 1;
        for (const { order } of group) inHand.delete(order);
        flush();
      });
    }
  }

  async function write(group: readonly One[]): Promise<void> {
    // Of equal ones the order stays: it is the order of submission.
    const sorted = group.toSorted(
      (one, other) => Number(one.order > other.order) - Number(one.order < other.order),
    );
    const isOne = group.length > 1 && group.every(({ given }) => writes.mayJoin(given));
    const given = sorted.map((each) => each.given);
    const results = isOne ? await writes.together(given).catch(() => undefined) : undefined;
    if (results === undefined) return writeEach(sorted);
    for (const [index, result] of results.entries()) sorted[index]?.resolve(result);
    // Before all that came later.
    waiting = [...sorted.slice(results.length), ...waiting];
  }

  async function writeEach(sorted: readonly One[]): Promise<void> {
    const queues = [...Map.groupBy(sorted, ({ order }) => order).values()];
    let unanswered = 0;

    async function inOrder(queue: readonly One[]): Promise<void> {
      for (const [index, { given, resolve, reject }] of queue.entries()) {
        try {
          resolve(await writes.alone(given));
          unanswered = 0;
        } catch (fault) {
          reject(fault);
          unanswered = writes.isUnanswered(fault) ? unanswered + 1 : 0;
          if (unanswered === 0) continue;
          // They would only wait as long for the same.
          const others =
            unanswered < mostUnanswered ? [] : [...queues.splice(0).flat(), ...waiting.splice(0)];
          for (const other of [...queue.slice(index + 1), ...others]) other.reject(fault);
          return;
        }
      }
    }

    async function next(): Promise<void> {
      for (let queue = queues.shift(); queue !== undefined; queue = queues.shift()) await inOrder(queue);
    }
    await Promise.all(Array.from({ length: sideBySide }, next));
  }

  return (given: Given): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ given, order: writes.orderOf(given), resolve, reject });
      if (isSet || groups >= mostGroups) return;
      isSet = true;
      setImmediate(flush);
    });
}
