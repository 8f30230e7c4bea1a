import type { CenterRegistry } from '../core/model/center/center-config.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import type { Seal } from '../ports/seal.ts';
import type { BrandOf } from './brand-view.ts';
import type { Render } from './render.ts';

/** The parts that every page is made from. */
export interface PageParts {
  readonly registry: CenterRegistry;
  readonly seal: Seal;
  readonly random: Random;
  readonly clock: Clock;
  readonly brandOf: BrandOf;
  readonly render: Render;
  readonly publicUrl: URL;
}
