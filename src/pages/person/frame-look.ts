export const frameSchemes = ['light', 'dark', 'auto'] as const;
/** Parts that a site may show itself, so that its frame can leave them out. */
export const frameParts = ['brand', 'identity', 'record', 'title'] as const;
export type FramePart = (typeof frameParts)[number];

/** The look that a site requests for its frame; undefined members were not given. */
export interface FrameLook {
  readonly scheme: (typeof frameSchemes)[number] | undefined;
  /** `own`: the frame needs its own background, because the one behind it is not certain. */
  readonly ground: 'own' | undefined;
  readonly hidden: readonly FramePart[] | undefined;
  /** An accent `rrggbb`. The page itself checks its contrast, because only the page knows its surfaces. */
  readonly accent: string | undefined;
  /** Pixels. */
  readonly radius: string | undefined;
  readonly font: string | undefined;
}

/** The parts that are hidden by default: a site already shows its brand. */
export const hiddenUnlessSaid: readonly FramePart[] = ['brand'];
