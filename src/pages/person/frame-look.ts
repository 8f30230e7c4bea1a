export const frameSchemes = ['light', 'dark', 'auto'] as const;
/** What a site may show itself, so that its frame need not. */
export const frameParts = ['brand', 'identity', 'record'] as const;
export type FramePart = (typeof frameParts)[number];

/** What a site may ask of the frame in it; undefined: nothing was said. */
export interface FrameLook {
  readonly scheme: (typeof frameSchemes)[number] | undefined;
  readonly hidden: readonly FramePart[] | undefined;
}

/** A site has a brand of its own. */
export const hiddenUnlessSaid: readonly FramePart[] = ['brand'];
