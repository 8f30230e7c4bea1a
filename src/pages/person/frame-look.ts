export const frameSchemes = ['light', 'dark', 'auto'] as const;
/** What a site may show itself, so that its frame need not. */
export const frameParts = ['brand', 'identity', 'record', 'title'] as const;
export type FramePart = (typeof frameParts)[number];

/** What a site may ask of the frame in it; undefined: nothing was said. */
export interface FrameLook {
  readonly scheme: (typeof frameSchemes)[number] | undefined;
  /** It is not certain what the frame stands on. */
  readonly ground: 'own' | undefined;
  readonly hidden: readonly FramePart[] | undefined;
  /** `rrggbb`; whether it can be read here the page itself finds out, which knows its surfaces. */
  readonly accent: string | undefined;
  /** Pixels. */
  readonly radius: string | undefined;
  readonly font: string | undefined;
}

/** A site has a brand of its own. */
export const hiddenUnlessSaid: readonly FramePart[] = ['brand'];
