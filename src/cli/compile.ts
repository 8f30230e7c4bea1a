import { loadEverything } from '../compose/everything.ts';

/** Fills the compile cache, for an image whose code nobody may write. */
export async function compile(): Promise<void> {
  await loadEverything();
}
