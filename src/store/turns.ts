/** The most items in one transaction, which locks their people's rows until it ends. */
const most = 50;
/** The most groups that are written at the same time: the pool is for others, too. */
const mostGroups = 3;
/** Items of a failed group that are written at the same time. */
const sideBySide = 3;
/** Items in a row without an answer after which no other item is tried. */
const mostUnanswered = 6;

interface Writes<Given, Result> {
  /**
   * Writes items in one transaction, in this order. Fewer results: it took long, and the rest was not
   * written.
   */
  together(group: readonly Given[]): Promise<readonly Result[]>;
  alone(given: Given): Promise<Result>;
  /** The order in which locks are taken. */
  orderOf(given: Given): string;
  /** Whether an item may go in a group; otherwise each item is written by itself. */
  mayJoin(given: Given): boolean;
  /** Whether a fault lies with the store, which did not answer, and not with the item. */
  isUnanswered(fault: unknown): boolean;
}

interface Waiting<Given, Result> {
  readonly given: Given;
  readonly order: string;
  readonly resolve: (result: Result) => void;
  readonly reject: (fault: unknown) => void;
}

/**
 * Writes items that come in one turn of the event loop, or while others are being written, in one
 * transaction. If that fails, each item is written by itself, so that none fails because of another. If the
 * store answers none, all are rejected. Items of equal order are in one group at a time, and are written one
 * after the other, so that none overtakes an earlier one.
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
    // The sort is stable: items of equal order stay in the order in which they came.
    const sorted = group.toSorted(
      (one, other) => Number(one.order > other.order) - Number(one.order < other.order),
    );
    const isOne = group.length > 1 && group.every(({ given }) => writes.mayJoin(given));
    const given = sorted.map((each) => each.given);
    const results = isOne ? await writes.together(given).catch(() => undefined) : undefined;
    if (results === undefined) return writeEach(sorted);
    for (const [index, result] of results.entries()) sorted[index]?.resolve(result);
    // The rest goes before all that came later.
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
          // The others would only wait as long, and fail, too.
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
