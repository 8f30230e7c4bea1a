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
  { mail, platform, centers }: Config,
  demo?: { readonly origin: string; readonly keys: string },
): CenterRegistry {
  const canMail = mail !== undefined || platform === undefined;
  if (centers !== undefined)
    return listedCenters(
      centers.map((each) => ({ ...each, signIn: { ...each.signIn, mail: each.signIn.mail && canMail } })),
    );
  const linkKeys: CenterConfig['linkKeys'] =
    demo === undefined ? [] : [{ kind: 'jwks', issuer: demo.origin, url: demo.keys }];
  const embedOrigins = demo === undefined ? [] : [demo.origin];
  const signIn = { mail: canMail, singleSignOn: undefined };
  return everyCenter({ embedOrigins, linkKeys, signIn }, platform === undefined ? sandboxBrands : undefined);
}
