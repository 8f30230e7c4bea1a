import type { Config } from '../config/environment.ts';
import {
  type CenterConfig,
  type CenterRegistry,
  everyCenter,
  listedCenters,
} from '../core/model/center/center-config.ts';
import { sandboxBrands } from './sandbox-brands.ts';

/** `demo` is the site that may frame every center of the sandbox and sign its tickets. */
export function registryOf(
  config: Config,
  demo?: { readonly origin: string; readonly keys: string },
): CenterRegistry {
  const canMail = config.mail !== undefined || config.platform === undefined;
  const signIn = { mail: canMail, singleSignOn: undefined };
  if (config.centers === undefined) {
    const brands = config.platform === undefined ? sandboxBrands : undefined;
    return everyCenter({ ...framedBy(demo), signIn }, brands);
  }
  const withMail = (centerConfig: CenterConfig) => ({
    ...centerConfig.signIn,
    mail: centerConfig.signIn.mail && canMail,
  });
  return listedCenters(
    config.centers.map((centerConfig) => ({ ...centerConfig, signIn: withMail(centerConfig) })),
  );
}

function framedBy(demo: Parameters<typeof registryOf>[1]): Pick<CenterConfig, 'embedOrigins' | 'linkKeys'> {
  if (demo === undefined) return { embedOrigins: [], linkKeys: [] };
  return {
    embedOrigins: [demo.origin],
    linkKeys: [{ kind: 'jwks', issuer: demo.origin, url: demo.keys }],
  };
}
