import type { EventType } from '../core/model/center-event.ts';

/** Who is told of what is submitted in a center. */
export interface EventRoute {
  readonly receivers: readonly { readonly id: string; readonly types: readonly EventType[] }[];
}

/** undefined: nobody, and no event of that center is kept. */
export type EventRoutes = (center: string) => EventRoute | undefined;
