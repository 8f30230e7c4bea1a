import { type LifeEnd, lifeEnd } from '../../core/consent/life-end.ts';
import { purposesOf } from '../../core/consent/merge-set.ts';
import { type CenterContext, keepRecent, recentOf } from './context.ts';

/** Milliseconds to wait for the dates. Without them the page shows the life span instead. */
const longestMs = 1_500;

/**
 * Returns when granted purposes end. The dates cost a call, so they are read only if a granted purpose has a
 * life span.
 */
export async function endsOf(context: CenterContext): Promise<ReadonlyMap<string, LifeEnd>> {
  const { parts, center, subject } = context;
  const purposes = purposesOf(center);
  const lasting = (subject?.purposes ?? []).flatMap(({ purpose, status }) =>
    status === 'active' && purposes.get(purpose)?.lifeSpan !== undefined ? purpose : [],
  );
  if (lasting.length === 0) return new Map();
  const known = recentOf(context);
  const ends = known?.ends ?? (await readEnds(context));
  if (ends === undefined) return new Map();
  if (known !== undefined && known.ends === undefined) keepRecent(context, { ...known, ends });
  return new Map(
    lasting.flatMap((purpose): [string, LifeEnd][] => {
      const end = lifeEnd(ends.get(purpose) ?? 0, parts.clock.now());
      return end === undefined ? [] : [[purpose, end]];
    }),
  );
}

function readEnds({ parts, visit }: CenterContext) {
  const signal = AbortSignal.timeout(longestMs);
  return parts.platform.readEnds(visit.subject, { signal, priority: 'background' }).catch(() => undefined);
}
