import type { Request } from 'express';
import { type LifeEnd, lifeEnd } from '../../core/consent/life-end.ts';
import { purposesOf } from '../../core/consent/merge-set.ts';
import type { SubjectId } from '../../core/model/person/subject.ts';
import type { CenterContext, CenterParts } from './context.ts';

/** In milliseconds. Without these dates the page shows the life span instead. */
const longestMs = 1_500;

/** When granted purposes end. It costs a call, so it is made only if a granted purpose has a life span. */
export async function endsOf(
  { platform, recent, visits, clock }: CenterParts,
  request: Request,
  context: CenterContext,
): Promise<ReadonlyMap<string, LifeEnd>> {
  const { center, centerConfig, subject, visit } = context;
  const purposes = purposesOf(center);
  const lasting = (subject?.purposes ?? []).flatMap(({ purpose, status }) =>
    status === 'active' && purposes.get(purpose)?.lifeSpan !== undefined ? purpose : [],
  );
  if (lasting.length === 0) return new Map();
  const session = visits.sessionOf(request, centerConfig);
  const known = session === undefined ? undefined : recent.find(session, centerConfig.center, visit.subject);
  const ends = known?.ends ?? (await read(platform, visit.subject));
  if (ends === undefined) return new Map();
  if (session !== undefined && known !== undefined && known.ends === undefined)
    recent.keep(session, centerConfig.center, { ...known, ends });
  return new Map(
    lasting.flatMap((purpose): [string, LifeEnd][] => {
      const end = lifeEnd(ends.get(purpose) ?? 0, clock.now());
      return end === undefined ? [] : [[purpose, end]];
    }),
  );
}

function read({ readEnds }: CenterParts['platform'], subject: SubjectId) {
  const signal = AbortSignal.timeout(longestMs);
  return readEnds(subject, { signal, priority: 'background' }).catch(() => undefined);
}
