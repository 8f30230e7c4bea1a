import type { Config } from '../config/environment.ts';
import type { CenterRegistry } from '../core/model/center/center-config.ts';
import type { Identifiers } from '../core/model/person/identifiers.ts';
import type { LinkMint } from '../features/identity/link-token.ts';
import type { Platform } from '../ports/platform.ts';
import type { Random } from '../ports/random.ts';
import type { KeyedHash, Seal } from '../ports/seal.ts';
import type { Wordings } from '../ports/wordings.ts';
import type { BrandOf } from '../web/brand-view.ts';
import type { Logger } from '../web/log.ts';
import type { Render, ToHtml } from '../web/render.ts';
import type { Stores } from './stores.ts';

/** What the parts of the product are made from. */
export interface ProductParts {
  readonly config: Config;
  /** The first secret signs and seals. */
  readonly secrets: readonly string[];
  readonly stores: Stores;
  readonly platform: Platform;
  readonly registry: CenterRegistry;
  readonly identifiers: Identifiers;
  readonly mint: LinkMint;
  readonly seal: Seal & KeyedHash;
  readonly random: Random;
  readonly wordings: Wordings;
  readonly brandOf: BrandOf;
  readonly render: Render;
  readonly toHtml: ToHtml;
  readonly log: Logger;
  /** Logs a fault without what it quotes. */
  readonly warn: (event: string, fault: unknown) => void;
  readonly publicUrl: URL;
  readonly https: boolean;
}
