import type { PlatformState } from '../core/model/platform-state.ts';

export interface PlatformWatch {
  /** Asks nobody: what the calls of this process have shown. */
  state(): PlatformState;
}
