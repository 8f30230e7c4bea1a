import { createForwardClock } from '../clock.ts';
import type { Config } from '../config/environment.ts';
import { createPlatform, type HttpPlatform } from '../upstream/platform.ts';

/** Throws an error for an operator if only the sandbox is the platform. */
export function tenantOf({ platform }: Config): NonNullable<Config['platform']> {
  if (platform === undefined)
    throw new Error('there is no tenant: set PLATFORM_URL, PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET');
  return platform;
}

/** A tenant for a command. The command limits its own calls, so the product's quota is not used. */
export async function withTenant<T>(config: Config, use: (platform: HttpPlatform) => Promise<T>): Promise<T> {
  const { identifierEncoding } = config;
  const platform = createPlatform({ ...tenantOf(config), identifierEncoding, clock: createForwardClock() });
  try {
    return await use(platform);
  } finally {
    await platform.close();
  }
}
